/* SPDX-License-Identifier: Apache-2.0 */
/* Sealed files: what goes in comes out, nothing that is not genuine does, and misuse is refused. */
#include "check.h"
#include <fcntl.h>
#include <unistd.h>

enum { CHUNK = 4096, TAG = 16, TEXT = 5 * CHUNK + 77, ROOM = 1 << 16 };

static const sealwire_file_options SMALL = {.chunk_size = CHUNK};
static uint8_t text[TEXT];
/* What the last reading that failed said. */
static char said[512];

/* A file in memory. */
struct memory {
    uint8_t bytes[ROOM];
    size_t len, position;
    size_t portion;   /* at most so many bytes a call; 0: any number */
    intptr_t instead; /* what every call returns if it is not 0 */
};

static ptrdiff_t take(void *context, uint8_t *buffer, size_t len)
{
    struct memory *file = context;
    if (file->instead)
        return file->instead;
    if (len > file->len - file->position)
        len = file->len - file->position;
    if (file->portion && len > file->portion)
        len = file->portion;
    memcpy(buffer, file->bytes + file->position, len);
    file->position += len;
    return (ptrdiff_t)len;
}

static ptrdiff_t put(void *context, const uint8_t *data, size_t len)
{
    struct memory *file = context;
    if (file->instead)
        return file->instead;
    if (file->portion && len > file->portion)
        len = file->portion;
    CHECK(file->len + len <= ROOM);
    memcpy(file->bytes + file->len, data, len);
    file->len += len;
    return (ptrdiff_t)len;
}

static int64_t move(void *context, int64_t offset, int whence)
{
    struct memory *file = context;
    int64_t position = offset;
    if (whence == SEEK_CUR)
        position += (int64_t)file->position;
    if (whence == SEEK_END)
        position += (int64_t)file->len;
    if (position < 0 || position > (int64_t)file->len)
        return -1;
    file->position = (size_t)position;
    return position;
}

static int64_t stuck(void *context, int64_t offset, int whence)
{
    (void)context, (void)offset, (void)whence;
    return -1;
}

static void seal(struct memory *file, const sealwire_file_key *const *keys, size_t count)
{
    sealwire_file_writer *writer;
    memset(file, 0, sizeof *file);
    file->portion = 1000;
    CHECK(sealwire_file_writer_new(keys, count, &SMALL, put, file, &writer) == SEALWIRE_OK);
    for (size_t done = 0, step = 1; done < TEXT; done += step, step = 2 * step + 1) {
        if (step > TEXT - done)
            step = TEXT - done;
        uint8_t *data = own(text + done, step);
        CHECK(sealwire_file_writer_write(writer, data, step) == SEALWIRE_OK);
        free(data);
    }
    CHECK(sealwire_file_writer_finish(writer) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_finish(writer) == SEALWIRE_ENDED);
    CHECK(sealwire_file_writer_write(writer, text, 1) == SEALWIRE_ENDED);
    sealwire_file_writer_free(writer);
    file->portion = 0;
}

/* How reading all of it ends. Every byte that comes out must be the text's. */
static sealwire_status open_all(struct memory *file, const sealwire_file_key *const *keys, size_t count, int seeks,
                                size_t *got)
{
    sealwire_file_reader *reader = (sealwire_file_reader *)1;
    file->position = 0;
    *got = 0;
    sealwire_status status = seeks ? sealwire_file_reader_new_seekable(keys, count, take, move, file, &reader)
                                   : sealwire_file_reader_new(keys, count, take, file, &reader);
    if (status != SEALWIRE_OK) {
        CHECK(reader == NULL);
        return status;
    }
    for (;;) {
        uint8_t *buffer = own(NULL, 700);
        size_t len = 99;
        status = sealwire_file_reader_read(reader, buffer, 700, &len);
        CHECK(status == SEALWIRE_OK || (len == 0 && all(buffer, 700, 0)));
        CHECK(len <= 700 && *got + len <= TEXT && memcmp(buffer, text + *got, len) == 0);
        CHECK(all(buffer + len, 700 - len, 0));
        *got += len;
        if (status != SEALWIRE_OK) {
            snprintf(said, sizeof said, "%s", sealwire_last_error());
            CHECK(sealwire_file_reader_read(reader, buffer, 700, &len) == SEALWIRE_ENDED && len == 0);
        }
        free(buffer);
        if (status != SEALWIRE_OK || len == 0)
            break;
    }
    sealwire_file_reader_free(reader);
    return status;
}

static sealwire_file_key *key_of(sealwire_status (*make)(sealwire_file_key **))
{
    sealwire_file_key *key = NULL;
    CHECK(make(&key) == SEALWIRE_OK && key != NULL);
    return key;
}

static sealwire_status of_files(sealwire_file_key **out)
{
    return sealwire_file_key_generate(NULL, out);
}

static sealwire_status of_horse(sealwire_file_key **out)
{
    return sealwire_file_passphrase_new((const uint8_t *)"correct horse", 13, 6, 1, 1, out);
}

static sealwire_status of_other_horse(sealwire_file_key **out)
{
    return sealwire_file_passphrase_new((const uint8_t *)"wrong horse", 11, 6, 1, 1, out);
}

static void whatever_seals_opens(void)
{
    static struct memory file;
    sealwire_file_key *key = key_of(of_files), *other = key_of(of_files);
    sealwire_file_key *horse = key_of(of_horse), *donkey = key_of(of_other_horse);
    sealwire_file_key *one = key_of(sealwire_file_identity_generate), *two = key_of(sealwire_file_identity_generate);
    sealwire_file_key *three = key_of(sealwire_file_identity_generate), *to_one, *to_two;
    CHECK(sealwire_file_recipient_of(one, &to_one) == SEALWIRE_OK);
    CHECK(sealwire_file_recipient_of(two, &to_two) == SEALWIRE_OK);
    const sealwire_file_key *both[] = {to_one, to_two}, *strangers[] = {three, two};
    size_t got;
    for (int seeks = 0; seeks < 2; seeks++) {
        seal(&file, (const sealwire_file_key *const[]){key}, 1);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){key}, 1, seeks, &got) == SEALWIRE_OK && got == TEXT);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){other}, 1, seeks, &got) == SEALWIRE_WRONG_KEY);
        CHECK(strstr(sealwire_last_error(), "the header names key") != NULL);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){horse}, 1, seeks, &got) == SEALWIRE_WRONG_KEY);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){one}, 1, seeks, &got) == SEALWIRE_WRONG_KEY);
        seal(&file, (const sealwire_file_key *const[]){horse}, 1);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){horse}, 1, seeks, &got) == SEALWIRE_OK && got == TEXT);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){donkey}, 1, seeks, &got) == SEALWIRE_WRONG_KEY);
        seal(&file, both, 2);
        CHECK(open_all(&file, (const sealwire_file_key *const[]){one}, 1, seeks, &got) == SEALWIRE_OK && got == TEXT);
        CHECK(open_all(&file, strangers, 2, seeks, &got) == SEALWIRE_OK && got == TEXT);
        CHECK(open_all(&file, strangers, 1, seeks, &got) == SEALWIRE_WRONG_KEY);
    }
    sealwire_file_key *all_keys[] = {key, other, horse, donkey, one, two, three, to_one, to_two};
    for (size_t i = 0; i < sizeof all_keys / sizeof *all_keys; i++)
        sealwire_file_key_free(all_keys[i]);
}

static void changes_are_found(void)
{
    static struct memory file, whole;
    sealwire_file_key *key = key_of(of_files);
    const sealwire_file_key *keys[] = {key};
    size_t got;
    seal(&whole, keys, 1);
    for (int seeks = 0; seeks < 2; seeks++) {
        for (size_t place = 0; place < whole.len; place += place < 100 ? 1 : 997) {
            file = whole;
            file.bytes[place] ^= 0x10;
            sealwire_status status = open_all(&file, keys, 1, seeks, &got);
            CHECK(place >= 96 ? status == SEALWIRE_DAMAGED
                              : status == SEALWIRE_NOT_SEALED || status == SEALWIRE_WRONG_KEY);
            /* Whole chunks before the change, and nothing else. */
            CHECK(place >= 96 ? got % CHUNK == 0 && got <= (place - 96) / (CHUNK + TAG) * CHUNK : got == 0);
        }
        for (size_t len = 0; len < whole.len; len += len < 100 ? 9 : 1009) {
            file = whole;
            file.len = len;
            sealwire_status status = open_all(&file, keys, 1, seeks, &got);
            CHECK(len < 96 ? status == SEALWIRE_NOT_SEALED : status == SEALWIRE_DAMAGED);
        }
        file = whole;
        file.len++;
        CHECK(open_all(&file, keys, 1, seeks, &got) == SEALWIRE_DAMAGED);
        memmove(file.bytes + 96, whole.bytes + 96 + CHUNK + TAG, CHUNK + TAG);
        file.len--;
        CHECK(open_all(&file, keys, 1, seeks, &got) == SEALWIRE_DAMAGED && got == 0);
    }
    /* A file that its writer did not finish. */
    sealwire_file_writer *writer;
    memset(&file, 0, sizeof file);
    CHECK(sealwire_file_writer_new(keys, 1, NULL, put, &file, &writer) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_write(writer, text, TEXT) == SEALWIRE_OK);
    sealwire_file_writer_free(writer);
    CHECK(open_all(&file, keys, 1, 0, &got) == SEALWIRE_DAMAGED && got == 0);
    CHECK(strstr(said, "cut short") != NULL);
    sealwire_file_key_free(key);
}

static void any_part_can_be_read(void)
{
    static struct memory file;
    sealwire_file_key *key = key_of(of_files);
    const sealwire_file_key *keys[] = {key};
    sealwire_file_reader *reader;
    uint8_t buffer[100];
    uint64_t position = 0;
    size_t len;
    seal(&file, keys, 1);
    CHECK(sealwire_file_reader_new_seekable(keys, 1, take, move, &file, &reader) == SEALWIRE_OK);
    CHECK(sealwire_file_reader_length(reader, &position) == SEALWIRE_OK && position == TEXT);
    static const struct {
        int64_t offset;
        int whence;
        size_t at;
    } MOVES[] = {{3 * CHUNK, SEEK_SET, 3 * CHUNK}, {-200, SEEK_END, TEXT - 200}, {-CHUNK, SEEK_CUR, TEXT - 100 - CHUNK}};
    for (size_t i = 0; i < 3; i++) {
        CHECK(sealwire_file_reader_seek(reader, MOVES[i].offset, MOVES[i].whence, &position) == SEALWIRE_OK);
        CHECK(position == MOVES[i].at);
        CHECK(sealwire_file_reader_read(reader, buffer, 100, &len) == SEALWIRE_OK && len > 0);
        CHECK(memcmp(buffer, text + position, len) == 0);
        CHECK(sealwire_file_reader_seek(reader, (int64_t)position + 100, SEEK_SET, NULL) == SEALWIRE_OK);
    }
    CHECK(sealwire_file_reader_seek(reader, TEXT + 5, SEEK_SET, NULL) == SEALWIRE_OK);
    CHECK(sealwire_file_reader_read(reader, buffer, 100, &len) == SEALWIRE_OK && len == 0);
    CHECK(sealwire_file_reader_seek(reader, -1, SEEK_SET, NULL) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_reader_seek(reader, -TEXT - 9, SEEK_END, NULL) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_reader_seek(reader, 0, 3, NULL) == SEALWIRE_NOT_ALLOWED);
    sealwire_file_reader_free(reader);
    file.position = 0;
    CHECK(sealwire_file_reader_new(keys, 1, take, &file, &reader) == SEALWIRE_OK);
    CHECK(sealwire_file_reader_seek(reader, 0, SEEK_SET, NULL) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_reader_length(reader, &position) == SEALWIRE_NOT_ALLOWED);
    sealwire_file_reader_free(reader);
    sealwire_file_key_free(key);
}

static void texts_of_keys(void)
{
    sealwire_file_key *identity = key_of(sealwire_file_identity_generate), *recipient, *again;
    sealwire_file_key *key = key_of(of_files), *horse = key_of(of_horse);
    CHECK(sealwire_file_recipient_of(identity, &recipient) == SEALWIRE_OK);
    const sealwire_file_key *kinds[] = {identity, recipient, key};
    for (size_t i = 0; i < 3; i++) {
        char first[4096], second[4096];
        size_t len = 0, same = 0;
        CHECK(sealwire_file_key_text(kinds[i], first, sizeof first, &len) == SEALWIRE_OK);
        CHECK(len == strlen(first) && strstr(first, "purpose: ") != NULL);
        CHECK(sealwire_file_key_from_text((const uint8_t *)first, len, &again) == SEALWIRE_OK);
        CHECK(sealwire_file_key_text(again, second, len + 1, &same) == SEALWIRE_OK);
        CHECK(same == len && strcmp(first, second) == 0);
        memset(second, 7, sizeof second);
        CHECK(sealwire_file_key_text(again, second, len, &same) == SEALWIRE_SHORT_OUTPUT);
        CHECK(same == len && all((const uint8_t *)second, sizeof second, 7));
        CHECK(sealwire_file_key_text(again, NULL, 0, &same) == SEALWIRE_SHORT_OUTPUT);
        sealwire_file_key_free(again);
        again = (sealwire_file_key *)1;
        CHECK(sealwire_file_key_from_text((const uint8_t *)first, len - 5, &again) == SEALWIRE_BAD_KEY_TEXT);
        CHECK(again == NULL);
    }
    size_t len;
    char room[4096];
    CHECK(sealwire_file_key_text(horse, room, sizeof room, &len) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_key_from_text(NULL, 0, &again) == SEALWIRE_BAD_KEY_TEXT);
    CHECK(sealwire_file_recipient_of(key, &again) == SEALWIRE_NOT_ALLOWED && again == NULL);
    CHECK(sealwire_file_recipient_of(recipient, &again) == SEALWIRE_NOT_ALLOWED);
    sealwire_file_key *all_keys[] = {identity, recipient, key, horse};
    for (size_t i = 0; i < 4; i++)
        sealwire_file_key_free(all_keys[i]);
}

static void whole_files_between_descriptors(void)
{
    sealwire_file_key *key = key_of(of_files);
    const sealwire_file_key *keys[] = {key};
    FILE *plain = tmpfile(), *sealed = tmpfile(), *back = tmpfile();
    CHECK(plain && sealed && back);
    CHECK(fwrite(text, 1, TEXT, plain) == TEXT && fflush(plain) == 0);
    uint64_t len = 0;
    static uint8_t room[ROOM];
    for (size_t threads = 0; threads < 3; threads++) {
        lseek(fileno(plain), 0, SEEK_SET), lseek(fileno(sealed), 0, SEEK_SET), lseek(fileno(back), 0, SEEK_SET);
        CHECK(sealwire_file_seal_fd(keys, 1, &SMALL, threads, fileno(plain), fileno(sealed), &len) == SEALWIRE_OK);
        CHECK(len == TEXT && lseek(fileno(sealed), 0, SEEK_CUR) == 96 + TEXT + 6 * TAG);
        lseek(fileno(sealed), 0, SEEK_SET), len = 0;
        CHECK(sealwire_file_open_fd(keys, 1, threads, fileno(sealed), fileno(back), &len) == SEALWIRE_OK);
        CHECK(len == TEXT && pread(fileno(back), room, ROOM, 0) == TEXT && memcmp(room, text, TEXT) == 0);
    }
    CHECK(pwrite(fileno(sealed), "x", 1, 96 + 3 * (CHUNK + TAG)) == 1 && ftruncate(fileno(back), 0) == 0);
    lseek(fileno(sealed), 0, SEEK_SET), lseek(fileno(back), 0, SEEK_SET);
    CHECK(sealwire_file_open_fd(keys, 1, 0, fileno(sealed), fileno(back), NULL) == SEALWIRE_DAMAGED);
    CHECK(pread(fileno(back), room, ROOM, 0) <= 3 * CHUNK);
    CHECK(sealwire_file_seal_fd(keys, 1, NULL, 0, -1, fileno(sealed), NULL) == SEALWIRE_NOT_ALLOWED);
    int only_read = open("/dev/null", O_RDONLY);
    CHECK(sealwire_file_seal_fd(keys, 1, NULL, 0, fileno(plain), only_read, NULL) == SEALWIRE_IO_FAILED);
    close(only_read), fclose(plain), fclose(sealed), fclose(back);
    sealwire_file_key_free(key);
}

static void misuse_is_refused(void)
{
    static struct memory file;
    sealwire_file_key *key = key_of(of_files), *identity = key_of(sealwire_file_identity_generate), *to;
    sealwire_file_key *horse = key_of(of_horse), *bad = (sealwire_file_key *)1;
    sealwire_file_writer *writer = (sealwire_file_writer *)1;
    sealwire_file_reader *reader = (sealwire_file_reader *)1;
    CHECK(sealwire_file_recipient_of(identity, &to) == SEALWIRE_OK);
    const sealwire_file_key *one[] = {key}, *nothing[] = {NULL}, *mixed[] = {key, to}, *twice[] = {key, key};
    const sealwire_file_key *private[] = {identity}, *public[] = {to}, *many[56];

#define REFUSED(status, call)                                                                                          \
    do {                                                                                                               \
        CHECK((call) == (status) && writer == NULL);                                                                   \
        writer = (sealwire_file_writer *)1;                                                                            \
    } while (0)
    REFUSED(SEALWIRE_NULL_POINTER, sealwire_file_writer_new(NULL, 1, NULL, put, &file, &writer));
    REFUSED(SEALWIRE_NULL_POINTER, sealwire_file_writer_new(nothing, 1, NULL, put, &file, &writer));
    REFUSED(SEALWIRE_NULL_POINTER, sealwire_file_writer_new(one, 1, NULL, NULL, &file, &writer));
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(one, 0, NULL, put, &file, &writer));
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(mixed, 2, NULL, put, &file, &writer));
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(twice, 2, NULL, put, &file, &writer));
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(private, 1, NULL, put, &file, &writer));
    sealwire_file_key *others[56];
    for (size_t i = 0; i < 56; i++) {
        sealwire_file_key *whose = key_of(sealwire_file_identity_generate);
        CHECK(sealwire_file_recipient_of(whose, &others[i]) == SEALWIRE_OK);
        sealwire_file_key_free(whose);
        many[i] = others[i];
    }
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(many, 56, NULL, put, &file, &writer));
    CHECK(strstr(sealwire_last_error(), "1 to 55 recipients, not to 56") != NULL);
    for (size_t i = 0; i < 56; i++)
        sealwire_file_key_free(others[i]);
    sealwire_file_options options = {.chunk_size = 5000};
    REFUSED(SEALWIRE_NOT_ALLOWED, sealwire_file_writer_new(one, 1, &options, put, &file, &writer));
    options = (sealwire_file_options){.suite = "aes"};
    REFUSED(SEALWIRE_UNKNOWN_SCHEME, sealwire_file_writer_new(one, 1, &options, put, &file, &writer));
    options = (sealwire_file_options){.suite = "omd-sha256"};
    REFUSED(SEALWIRE_WRONG_KEY, sealwire_file_writer_new(one, 1, &options, put, &file, &writer));
    static const char LINK[] = "purpose: link\n"
                               "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                               "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";
    sealwire_file_key *link;
    CHECK(sealwire_file_key_from_text((const uint8_t *)LINK, sizeof LINK - 1, &link) == SEALWIRE_OK);
    const sealwire_file_key *of_link[] = {link};
    REFUSED(SEALWIRE_WRONG_KEY, sealwire_file_writer_new(of_link, 1, NULL, put, &file, &writer));
    CHECK(strcmp(sealwire_last_error(), "it is a key for links, not for files") == 0);
    sealwire_file_key_free(link);
    for (intptr_t wrong = -1; wrong <= 100000; wrong += 100001) {
        file.instead = wrong;
        REFUSED(SEALWIRE_IO_FAILED, sealwire_file_writer_new(one, 1, NULL, put, &file, &writer));
        CHECK(sealwire_file_reader_new(one, 1, take, &file, &reader) == SEALWIRE_IO_FAILED && reader == NULL);
    }
    file.instead = 0;
    CHECK(sealwire_file_writer_new(one, 1, NULL, put, &file, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_writer_write(NULL, text, 1) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_writer_finish(NULL) == SEALWIRE_NULL_POINTER);
    sealwire_file_writer_free(NULL), sealwire_file_reader_free(NULL), sealwire_file_key_free(NULL);

    CHECK(sealwire_file_writer_new(one, 1, &SMALL, put, &file, &writer) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_write(writer, NULL, 1) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_writer_write(writer, NULL, 0) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_write(writer, text, SIZE_MAX) == SEALWIRE_WRONG_LENGTH);
    file.instead = -5;
    CHECK(sealwire_file_writer_write(writer, text, TEXT) == SEALWIRE_IO_FAILED);
    CHECK(strstr(sealwire_last_error(), "the write callback returned -5 for") != NULL);
    file.instead = 0;
    CHECK(sealwire_file_writer_write(writer, text, TEXT) == SEALWIRE_ENDED);
    CHECK(sealwire_file_writer_finish(writer) == SEALWIRE_ENDED);
    sealwire_file_writer_free(writer);

    seal(&file, one, 1);
    file.position = 0;
    CHECK(sealwire_file_reader_new(public, 1, take, &file, &reader) == SEALWIRE_NOT_ALLOWED && reader == NULL);
    CHECK(sealwire_file_reader_new(mixed, 2, take, &file, &reader) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_reader_new(one, 1, NULL, &file, &reader) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_reader_new_seekable(one, 1, take, NULL, &file, &reader) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_reader_new_seekable(one, 1, take, stuck, &file, &reader) == SEALWIRE_IO_FAILED);
    CHECK(sealwire_file_reader_new(one, 1, take, &file, NULL) == SEALWIRE_NULL_POINTER);
    uint8_t buffer[8];
    size_t len;
    CHECK(sealwire_file_reader_read(NULL, buffer, 8, &len) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_reader_new(one, 1, take, &file, &reader) == SEALWIRE_OK);
    CHECK(sealwire_file_reader_read(reader, buffer, 8, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_reader_read(reader, NULL, 8, &len) == SEALWIRE_NULL_POINTER && len == 0);
    CHECK(sealwire_file_reader_read(reader, buffer, SIZE_MAX, &len) == SEALWIRE_WRONG_LENGTH && len == 0);
    CHECK(sealwire_file_reader_read(reader, NULL, 0, &len) == SEALWIRE_OK && len == 0);
    CHECK(sealwire_file_reader_read(reader, buffer, 8, &len) == SEALWIRE_OK && len == 8 && memcmp(buffer, text, 8) == 0);
    sealwire_file_reader_free(reader);

    CHECK(sealwire_file_key_generate("colm-aes128", &bad) == SEALWIRE_UNKNOWN_SCHEME && bad == NULL);
    CHECK(sealwire_file_key_generate(NULL, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_identity_generate(NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_recipient_of(NULL, &bad) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_file_passphrase_new(NULL, 0, 0, 0, 0, &bad) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_passphrase_new(text, 5, 21, 1, 1, &bad) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_passphrase_new(text, 5, 3, 1, 2, &bad) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_passphrase_new(text, 5, 0, 3, 4, &bad) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_file_key_text(NULL, NULL, 0, &len) == SEALWIRE_NULL_POINTER);
    sealwire_file_key_free(key), sealwire_file_key_free(identity), sealwire_file_key_free(to);
    sealwire_file_key_free(horse);
}

int main(void)
{
    for (size_t i = 0; i < TEXT; i++)
        text[i] = (uint8_t)(i % 251 + 1);
    whatever_seals_opens();
    changes_are_found();
    any_part_can_be_read();
    texts_of_keys();
    whole_files_between_descriptors();
    misuse_is_refused();
    puts("files: all as they must be");
    return 0;
}
