/* SPDX-License-Identifier: Apache-2.0 */
/* The MACs through the C interface: macs FILE.rsp...; each record in every way there is, then with one bit wrong; before
 * that, what is refused. The last line is `N passed, N failed`. */
#include "check.h"

struct bytes {
    uint8_t *data;
    size_t len;
};

static struct bytes unhex(const char *text)
{
    size_t digits = strcspn(text, "\r\n");
    struct bytes result = {own(NULL, digits / 2), digits / 2};
    for (size_t i = 0; i < result.len; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        result.data[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return result;
}

static int wrong(const sealwire_mac *mac, struct bytes msg, struct bytes tag, struct bytes part, size_t record)
{
    if (part.len == 0)
        return 1;
    part.data[record % part.len] ^= (uint8_t)(1u << (record % 8));
    int good = sealwire_mac_verify(mac, msg.data, msg.len, tag.data, tag.len) == SEALWIRE_INVALID_TAG;
    part.data[record % part.len] ^= (uint8_t)(1u << (record % 8));
    return good;
}

static int right(const sealwire_mac *mac, struct bytes msg, struct bytes tag, size_t record)
{
    uint8_t *made = own(NULL, tag.len);
    int good = sealwire_mac_tag(mac, msg.data, msg.len, made, tag.len) == SEALWIRE_OK
               && memcmp(made, tag.data, tag.len) == 0;
    good &= sealwire_mac_verify(mac, msg.data, msg.len, tag.data, tag.len) == SEALWIRE_OK;
    good &= wrong(mac, msg, tag, tag, record) && wrong(mac, msg, tag, msg, record);

    /* in pieces, twice with one object */
    sealwire_mac_message *message = NULL;
    size_t cut = msg.len / 3;
    good &= sealwire_mac_begin(mac, &message) == SEALWIRE_OK;
    for (int i = 0; i < 2; i++) {
        good &= sealwire_mac_update(message, msg.data, cut) == SEALWIRE_OK;
        good &= sealwire_mac_update(message, cut ? msg.data + cut : msg.data, msg.len - cut) == SEALWIRE_OK;
        if (i == 0) {
            memset(made, 0, tag.len);
            good &= sealwire_mac_finish(message, made, tag.len) == SEALWIRE_OK && memcmp(made, tag.data, tag.len) == 0;
        } else {
            good &= sealwire_mac_finish_verify(message, tag.data, tag.len) == SEALWIRE_OK;
        }
    }
    good &= msg.len == 0 || sealwire_mac_finish_verify(message, tag.data, tag.len) == SEALWIRE_INVALID_TAG;
    sealwire_mac_message_free(message);

    /* three a call; the last one has another message */
    sealwire_mac_job jobs[3];
    uint8_t *tags[3];
    size_t count = 9;
    for (int i = 0; i < 3; i++) {
        tags[i] = own(NULL, tag.len);
        jobs[i] = (sealwire_mac_job){.msg = msg.data, .msg_len = msg.len, .tag = tags[i], .tag_len = tag.len};
    }
    good &= sealwire_mac_tag_batch(mac, jobs, 3, &count) == SEALWIRE_OK && count == 3;
    for (int i = 0; i < 3; i++)
        good &= jobs[i].status == SEALWIRE_OK && memcmp(tags[i], tag.data, tag.len) == 0;
    tags[1][tag.len - 1] ^= 1;
    good &= sealwire_mac_verify_batch(mac, jobs, 3, &count) == SEALWIRE_INVALID_TAG && count == 2
            && jobs[0].status == SEALWIRE_OK && jobs[1].status == SEALWIRE_INVALID_TAG;
    for (int i = 0; i < 3; i++)
        free(tags[i]);
    free(made);
    return good;
}

static void refusals(void)
{
    static const uint8_t key[16] = {1};
    uint8_t tag[16], buffer[32] = {0};
    sealwire_mac_scheme scheme;
    sealwire_mac *mac = (sealwire_mac *)tag;
    sealwire_mac_message *message = NULL;
    size_t i = 0, experimental = 0;

    for (; sealwire_mac_scheme_at(i, &scheme) == SEALWIRE_OK; i++) {
        CHECK(scheme.key_len == 16 && scheme.tag_len == 16 && scheme.block_len >= 8);
        experimental += scheme.experimental;
        sealwire_mac_scheme again;
        CHECK(sealwire_mac_scheme_find(scheme.alias[0] ? scheme.alias : scheme.name, &again) == SEALWIRE_OK);
        CHECK(strcmp(again.name, scheme.name) == 0);
    }
    CHECK(i == 15 && experimental == 5);
    CHECK(sealwire_mac_scheme_find("hmac", &scheme) == SEALWIRE_UNKNOWN_SCHEME);
    CHECK(strstr(sealwire_last_error(), "unknown MAC `hmac`"));
    CHECK(sealwire_mac_scheme_find(NULL, &scheme) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_scheme_find("ascon-prf", &scheme) == SEALWIRE_OK);
    CHECK(scheme.min_tag_len == 1 && scheme.max_tag_len == SIZE_MAX && scheme.max_msg_len == SIZE_MAX);

    CHECK(sealwire_mac_new("ascon-mac", key, 15, 16, &mac) == SEALWIRE_WRONG_LENGTH && mac == NULL);
    CHECK(sealwire_mac_new("ascon-mac", key, 16, 15, &mac) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_mac_new("omd-sha512", key, 16, 16, &mac) == SEALWIRE_UNKNOWN_SCHEME);
    CHECK(sealwire_mac_new("ascon-mac", NULL, 16, 16, &mac) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_new("ascon-mac", key, 16, 16, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_new("ascon-mac", key, 16, 16, &mac) == SEALWIRE_OK);
    memset(tag, 0x55, 16);
    CHECK(sealwire_mac_tag(mac, key, 16, tag, 15) == SEALWIRE_WRONG_LENGTH && all(tag, 16, 0x55));
    CHECK(sealwire_mac_tag(mac, NULL, 1, tag, 16) == SEALWIRE_NULL_POINTER && all(tag, 16, 0x55));
    CHECK(sealwire_mac_tag(NULL, key, 16, tag, 16) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_tag(mac, buffer, 20, buffer + 16, 16) == SEALWIRE_OVERLAP && all(buffer, 32, 0));
    CHECK(sealwire_mac_verify(mac, key, 16, tag, 8) == SEALWIRE_WRONG_LENGTH);
    sealwire_mac_job jobs[2] = {{.msg = key, .msg_len = 16, .tag = buffer, .tag_len = 16},
                                {.msg = key, .msg_len = 16, .tag = buffer + 8, .tag_len = 16}};
    CHECK(sealwire_mac_tag_batch(mac, jobs, 2, NULL) == SEALWIRE_OVERLAP && all(buffer, 32, 0));
    CHECK(jobs[0].status == SEALWIRE_NOT_PROCESSED && jobs[1].status == SEALWIRE_NOT_PROCESSED);
    /* A job with a fault of its own says so only where the others are done. */
    sealwire_mac_job more[3] = {jobs[0], jobs[1], {.msg = key, .msg_len = 16, .tag = tag, .tag_len = 3}};
    CHECK(sealwire_mac_tag_batch(mac, more, 3, NULL) == SEALWIRE_OVERLAP);
    CHECK(more[2].status == SEALWIRE_NOT_PROCESSED);
    jobs[1] = (sealwire_mac_job){.msg = key, .msg_len = 16, .tag = tag, .tag_len = 3};
    CHECK(sealwire_mac_tag_batch(mac, jobs, 2, NULL) == SEALWIRE_WRONG_LENGTH && jobs[0].status == SEALWIRE_OK);
    CHECK(sealwire_mac_tag_batch(mac, NULL, 0, NULL) == SEALWIRE_OK);
    CHECK(sealwire_mac_tag_batch(mac, NULL, 1, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_update(NULL, key, 16) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_begin(NULL, &message) == SEALWIRE_NULL_POINTER && message == NULL);
    sealwire_mac_free(mac);
    sealwire_mac_free(NULL);
    sealwire_mac_message_free(NULL);

    /* Too long a message is forgotten, and the next one is right. */
    CHECK(sealwire_mac_new("ascon-prfs", key, 16, 16, &mac) == SEALWIRE_OK);
    CHECK(sealwire_mac_begin(mac, &message) == SEALWIRE_OK);
    CHECK(sealwire_mac_update(message, buffer, 17) == SEALWIRE_OK);
    memset(tag, 0x55, 16);
    CHECK(sealwire_mac_finish(message, tag, 16) == SEALWIRE_WRONG_LENGTH && all(tag, 16, 0x55));
    CHECK(sealwire_mac_tag(mac, key, 3, tag, 16) == SEALWIRE_OK);
    sealwire_mac_free(mac);
    CHECK(sealwire_mac_update(message, key, 3) == SEALWIRE_OK);
    CHECK(sealwire_mac_finish_verify(message, tag, 16) == SEALWIRE_OK);
    sealwire_mac_message_free(message);
}

/* A copy goes on apart, outlives the message that it was made of, and a failure leaves a message as it was. */
static void copies(void)
{
    static const uint8_t key[16] = {1};
    uint8_t whole[16], other[16], tag[16];
    sealwire_mac *mac = NULL;
    sealwire_mac_message *message = NULL, *copy = (sealwire_mac_message *)tag;
    CHECK(sealwire_mac_new("ascon-mac", key, 16, 16, &mac) == SEALWIRE_OK);
    CHECK(sealwire_mac_tag(mac, (const uint8_t *)"a message", 9, whole, 16) == SEALWIRE_OK);
    CHECK(sealwire_mac_tag(mac, (const uint8_t *)"a mess", 6, other, 16) == SEALWIRE_OK);
    CHECK(sealwire_mac_begin(mac, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_begin(mac, &message) == SEALWIRE_OK);
    CHECK(sealwire_mac_update(message, (const uint8_t *)"a mess", 6) == SEALWIRE_OK);
    CHECK(sealwire_mac_message_copy(NULL, &copy) == SEALWIRE_NULL_POINTER && copy == NULL);
    CHECK(sealwire_mac_message_copy(message, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_mac_message_copy(message, &copy) == SEALWIRE_OK);
    CHECK(sealwire_mac_update(copy, (const uint8_t *)"age", 3) == SEALWIRE_OK);
    CHECK(sealwire_mac_update(copy, NULL, 1) == SEALWIRE_NULL_POINTER);
    memset(tag, 0x55, 16);
    CHECK(sealwire_mac_finish(message, tag, 15) == SEALWIRE_WRONG_LENGTH && all(tag, 16, 0x55));
    CHECK(sealwire_mac_finish_verify(message, other, 17) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_mac_finish(message, tag, 16) == SEALWIRE_OK && memcmp(tag, other, 16) == 0);
    sealwire_mac_message_free(message);
    sealwire_mac_free(mac);
    CHECK(sealwire_mac_finish(copy, tag, 16) == SEALWIRE_OK && memcmp(tag, whole, 16) == 0);
    /* At the beginning of another message now. */
    CHECK(sealwire_mac_update(copy, (const uint8_t *)"a mess", 6) == SEALWIRE_OK);
    CHECK(sealwire_mac_finish_verify(copy, other, 16) == SEALWIRE_OK);
    sealwire_mac_message_free(copy);
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    size_t passed = 0, failed = 0;
    refusals();
    copies();
    CHECK(argc > 1);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        CHECK(file != NULL);
        char scheme[64] = "";
        struct bytes field[3] = {{NULL, 0}};
        static const char *const names[3] = {"Key = ", "Msg = ", "Tag = "};
        while (fgets(line, sizeof line, file)) {
            sscanf(line, "# Scheme = %63s", scheme);
            for (int f = 0; f < 3; f++) {
                if (strncmp(line, names[f], strlen(names[f])) != 0)
                    continue;
                free(field[f].data);
                field[f] = unhex(line + strlen(names[f]));
                if (f == 2) {
                    sealwire_mac *mac = NULL;
                    CHECK(sealwire_mac_new(scheme, field[0].data, field[0].len, field[2].len, &mac) == SEALWIRE_OK);
                    int good = right(mac, field[1], field[2], passed + failed);
                    *(good ? &passed : &failed) += 1;
                    sealwire_mac_free(mac);
                }
            }
        }
        for (int f = 0; f < 3; f++)
            free(field[f].data);
        fclose(file);
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
