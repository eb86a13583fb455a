/* SPDX-License-Identifier: Apache-2.0 */
/* A key is wiped before its memory goes back: linked with -Wl,--wrap=free, which shows what the library frees. */
#include "check.h"
#include <malloc.h>

void __real_free(void *memory);
void __wrap_free(void *memory);

static int watching;
static size_t freed, dirty;
static const uint8_t KEY[64] = {0x13, 0x57, 0x9b, 0xdf, 0x24, 0x68, 0xac, 0xe0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66};

/* Counts the bytes that are not zero. malloc may give a few more than were asked for, which it leaves as they were. */
void __wrap_free(void *memory)
{
    if (watching && memory) {
        const uint8_t *bytes = memory;
        size_t len = malloc_usable_size(memory) / 16 * 16 - 8;
        for (size_t i = 0; i < len; i++)
            dirty += bytes[i] != 0;
        for (size_t i = 0; i + 8 <= len; i++)
            CHECK(memcmp(bytes + i, KEY, 8) != 0);
        freed += len;
    }
    __real_free(memory);
}

struct sealed {
    uint8_t bytes[20000];
    size_t len, position;
};

static ptrdiff_t keep(void *context, const uint8_t *data, size_t len)
{
    struct sealed *file = context;
    memcpy(file->bytes + file->len, data, len);
    file->len += len;
    return (ptrdiff_t)len;
}

static ptrdiff_t take(void *context, uint8_t *buffer, size_t len)
{
    struct sealed *file = context;
    if (len > file->len - file->position)
        len = file->len - file->position;
    memcpy(buffer, file->bytes + file->position, len);
    file->position += len;
    return (ptrdiff_t)len;
}

/* Headers and ciphertext are freed as they are; key and plaintext, which consists of the key, are not. */
static void files_are_wiped(void)
{
    static struct sealed file;
    static uint8_t text[9000];
    char digits[2 * sizeof KEY + 1];
    for (size_t i = 0; i < sizeof KEY; i++)
        snprintf(digits + 2 * i, 3, "%02x", KEY[i]);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = KEY[i % sizeof KEY];
    const sealwire_file_options options = {.chunk_size = 4096};
    sealwire_file_key *key;
    sealwire_file_writer *writer;
    sealwire_file_reader *reader;
    uint8_t out[1000];
    size_t len;
    CHECK(sealwire_file_key_from_text((const uint8_t *)digits, 2 * sizeof KEY, &key) == SEALWIRE_OK);
    const sealwire_file_key *keys[] = {key};
    watching = 1, freed = 0;
    CHECK(sealwire_file_writer_new(keys, 1, &options, keep, &file, &writer) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_write(writer, text, sizeof text) == SEALWIRE_OK);
    CHECK(sealwire_file_writer_finish(writer) == SEALWIRE_OK);
    sealwire_file_writer_free(writer);
    CHECK(sealwire_file_reader_new(keys, 1, take, &file, &reader) == SEALWIRE_OK);
    CHECK(sealwire_file_reader_read(reader, out, sizeof out, &len) == SEALWIRE_OK && len == sizeof out);
    CHECK(memcmp(out, text, sizeof out) == 0);
    sealwire_file_reader_free(reader);
    sealwire_file_key_free(key);
    watching = 0;
    CHECK(freed > 3 * 4096);
}

int main(void)
{
    sealwire_scheme scheme;
    for (size_t i = 0; sealwire_scheme_at(i, &scheme) == SEALWIRE_OK; i++) {
        sealwire_key *key = NULL;
        sealwire_session_ad *session = NULL;
        CHECK(sealwire_key_new(scheme.name, KEY, scheme.key_len, &key) == SEALWIRE_OK);
        if (scheme.caches_ad)
            CHECK(sealwire_session_ad_new(key, KEY, 60, &session) == SEALWIRE_OK);
        watching = 1, freed = dirty = 0;
        sealwire_key_free(key);
        CHECK(freed > 20 * scheme.block_len && dirty == 0);
        freed = dirty = 0;
        sealwire_session_ad_free(session);
        watching = 0;
        CHECK(!scheme.caches_ad || (freed >= 64 && dirty == 0));
    }
    sealwire_mac_scheme mac_scheme;
    for (size_t i = 0; sealwire_mac_scheme_at(i, &mac_scheme) == SEALWIRE_OK; i++) {
        sealwire_mac *mac = NULL;
        sealwire_mac_message *message = NULL;
        CHECK(sealwire_mac_new(mac_scheme.name, KEY, 16, 16, &mac) == SEALWIRE_OK);
        CHECK(sealwire_mac_begin(mac, &message) == SEALWIRE_OK);
        CHECK(sealwire_mac_update(message, KEY, 60) == SEALWIRE_OK);
        watching = 1, freed = dirty = 0;
        sealwire_mac_free(mac);
        CHECK(freed >= 40 && dirty == 0);
        freed = dirty = 0;
        sealwire_mac_message_free(message);
        watching = 0;
        CHECK(freed >= 100 && dirty == 0);
    }
    files_are_wiped();
    puts("wiping: nothing is left");
    return 0;
}
