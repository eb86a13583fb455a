/* SPDX-License-Identifier: Apache-2.0 */
/* The MACs of the provider as an application meets them: through EVP_MAC, loaded by the configuration in OPENSSL_CONF.
 * Arguments are known-answer files. The last line is `N passed, N failed`. */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sealwire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            ERR_print_errors_fp(stderr);                                                                               \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { LINE = 1 << 16 };

struct bytes {
    unsigned char *data;
    size_t len;
};

static struct bytes unhex(const char *text)
{
    struct bytes result = {NULL, strcspn(text, "\r\n") / 2};
    result.data = malloc(result.len + 1);
    CHECK(result.data != NULL);
    for (size_t i = 0; i < result.len; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        result.data[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return result;
}

/* That a call failed and said so, in the first error of the queue. */
static int says(const char *text)
{
    const char *data = NULL;
    int flags = 0;
    unsigned long error = ERR_peek_error_all(NULL, NULL, NULL, &data, &flags);
    const char *reason = ERR_reason_error_string(error);
    int found = (reason && strstr(reason, text)) || ((flags & ERR_TXT_STRING) && strstr(data, text));
    if (!found)
        fprintf(stderr, "instead of \"%s\": %s %s\n", text, reason ? reason : "?", data ? data : "");
    ERR_clear_error();
    return found;
}

/* One record: in three pieces, from a copy after the first, and again with the key that is there. */
static int right(EVP_MAC *mac, struct bytes key, struct bytes msg, struct bytes tag)
{
    size_t third = msg.len / 3, len = 99, size = tag.len;
    unsigned char *made = malloc(tag.len + 1);
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac), *copy = NULL;
    CHECK(ctx && made);
    int good = EVP_MAC_init(ctx, key.data, key.len, params) && EVP_MAC_CTX_get_mac_size(ctx) == tag.len;
    good = good && EVP_MAC_update(ctx, msg.data, third) && (copy = EVP_MAC_CTX_dup(ctx)) != NULL;
    EVP_MAC_CTX *both[] = {ctx, copy};
    for (int i = 0; good && i < 2; i++) {
        good = EVP_MAC_update(both[i], msg.data + third, third)
               && EVP_MAC_update(both[i], msg.data + 2 * third, msg.len - 2 * third)
               && EVP_MAC_final(both[i], made, &len, tag.len + 1) && len == tag.len
               && memcmp(made, tag.data, tag.len) == 0;
        memset(made, 0, tag.len + 1);
    }
    good = good && EVP_MAC_init(ctx, NULL, 0, NULL) && EVP_MAC_update(ctx, msg.data, msg.len)
           && EVP_MAC_final(ctx, made, &len, tag.len) && memcmp(made, tag.data, tag.len) == 0;
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_CTX_free(copy);
    free(made);
    return good;
}

static void known_answers(char **paths, size_t *passed, size_t *failed)
{
    static char line[LINE];
    for (; *paths; paths++) {
        EVP_MAC *mac = NULL;
        struct bytes field[3] = {{NULL, 0}};
        static const char *const names[] = {"Key = ", "Msg = ", "Tag = "};
        FILE *file = fopen(*paths, "r");
        CHECK(file != NULL);
        while (fgets(line, LINE, file)) {
            if (strncmp(line, "# Scheme = ", 11) == 0) {
                line[strcspn(line, "\r\n")] = 0;
                mac = EVP_MAC_fetch(NULL, line + 11, "provider=sealwire");
                CHECK(mac != NULL);
            }
            for (int i = 0; i < 3; i++)
                if (strncmp(line, names[i], 6) == 0) {
                    free(field[i].data);
                    field[i] = unhex(line + 6);
                    if (i == 2)
                        *(right(mac, field[0], field[1], field[2]) ? passed : failed) += 1;
                }
        }
        fclose(file);
        for (int i = 0; i < 3; i++)
            free(field[i].data);
        EVP_MAC_free(mac);
    }
}

static void every_mac_is_there(void)
{
    sealwire_mac_scheme scheme;
    for (size_t i = 0; sealwire_mac_scheme_at(i, &scheme) == SEALWIRE_OK; i++) {
        EVP_MAC *mac = EVP_MAC_fetch(NULL, scheme.name, "provider=sealwire");
        EVP_MAC *analysed = EVP_MAC_fetch(NULL, scheme.name, "sealwire.experimental=no");
        CHECK(mac != NULL && (analysed == NULL) == scheme.experimental);
        CHECK(!scheme.alias[0] || EVP_MAC_is_a(mac, scheme.alias));
        EVP_MAC_free(mac);
        EVP_MAC_free(analysed);
    }
    ERR_clear_error();
}

static void refusals(void)
{
    static const unsigned char key[17] = {1};
    unsigned char tag[16];
    size_t len, size = 15;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "ascon-mac", NULL), *prf = EVP_MAC_fetch(NULL, "ascon-prf", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    CHECK(mac && prf && ctx);
    CHECK(!EVP_MAC_init(ctx, NULL, 0, NULL) && says("no key is set"));
    CHECK(!EVP_MAC_init(ctx, key, 15, NULL) && says("wrong key length: given 15 bytes, allowed 16"));
    CHECK(!EVP_MAC_init(ctx, key, 17, NULL) && says("wrong key length"));
    CHECK(!EVP_MAC_init(ctx, key, 16, params) && says("wrong tag length: given 15 bytes, allowed 16"));
    CHECK(!EVP_MAC_update(ctx, key, 16));
    ERR_clear_error();
    CHECK(EVP_MAC_init(ctx, key, 16, NULL) && EVP_MAC_update(ctx, key, 5));
    CHECK(!EVP_MAC_final(ctx, tag, &len, 15));
    ERR_clear_error();
    CHECK(EVP_MAC_final(ctx, tag, &len, 16) && len == 16);
    CHECK(!EVP_MAC_update(ctx, key, 5) && says("there is no result"));
    CHECK(!EVP_MAC_final(ctx, tag, &len, 16) && says("there is no result"));
    EVP_MAC_CTX_free(ctx);
    ctx = EVP_MAC_CTX_new(prf);
    CHECK(EVP_MAC_init(ctx, key, 16, params) && EVP_MAC_update(ctx, key, 5));
    size = 14;
    CHECK(!EVP_MAC_CTX_set_params(ctx, params) && says("must be set before the message begins"));
    CHECK(EVP_MAC_final(ctx, tag, &len, 16) && len == 15);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    EVP_MAC_free(prf);
}

static const unsigned char one_key[16] = {1}, other_key[16] = {2};

/* The tag of "message" under a key, in one piece. */
static void tag_of(EVP_MAC *mac, const unsigned char key[16], unsigned char tag[16])
{
    size_t len;
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    CHECK(EVP_MAC_init(ctx, key, 16, NULL) && EVP_MAC_update(ctx, (const unsigned char *)"message", 7));
    CHECK(EVP_MAC_final(ctx, tag, &len, 16) && len == 16);
    EVP_MAC_CTX_free(ctx);
}

/* That a context which has its key makes this tag of "message". */
static int makes(EVP_MAC_CTX *ctx, const unsigned char expected[16])
{
    unsigned char tag[16];
    size_t len;
    return EVP_MAC_update(ctx, (const unsigned char *)"message", 7) && EVP_MAC_final(ctx, tag, &len, 16)
           && memcmp(tag, expected, 16) == 0;
}

static void keys_and_beginnings(void)
{
    unsigned char one[16], other[16], empty[2][16];
    size_t len;
    OSSL_PARAM by_param[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)other_key, 16),
                             OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "ascon-mac", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac), *copy;
    CHECK(mac && ctx);
    tag_of(mac, one_key, one);
    tag_of(mac, other_key, other);
    CHECK(memcmp(one, other, 16) != 0 && EVP_MAC_CTX_get_block_size(ctx) == 32);
    /* A key that comes as a parameter, with init and before it. */
    CHECK(EVP_MAC_init(ctx, NULL, 0, by_param) && makes(ctx, other));
    CHECK(EVP_MAC_init(ctx, one_key, 16, NULL) && EVP_MAC_CTX_set_params(ctx, by_param) && makes(ctx, other));
    /* In a message no key is taken, and the message goes on. */
    CHECK(EVP_MAC_init(ctx, one_key, 16, NULL) && EVP_MAC_update(ctx, NULL, 0));
    CHECK(!EVP_MAC_CTX_set_params(ctx, by_param) && says("the key must be set before the message begins"));
    CHECK(makes(ctx, one));
    /* Another beginning leaves nothing of a message that was not ended, with a key or without. */
    CHECK(EVP_MAC_init(ctx, other_key, 16, NULL) && EVP_MAC_update(ctx, other_key, 16));
    CHECK(EVP_MAC_init(ctx, one_key, 16, NULL) && makes(ctx, one));
    CHECK(EVP_MAC_init(ctx, NULL, 0, NULL) && EVP_MAC_update(ctx, other_key, 16));
    CHECK(EVP_MAC_init(ctx, NULL, 0, NULL) && makes(ctx, one));
    /* A copy before the first piece has the key, and outlives the context that it was made of. */
    CHECK(EVP_MAC_init(ctx, one_key, 16, NULL) && (copy = EVP_MAC_CTX_dup(ctx)) != NULL);
    CHECK(EVP_MAC_init(ctx, other_key, 16, NULL) && makes(ctx, other));
    EVP_MAC_CTX_free(ctx);
    CHECK(makes(copy, one));
    /* A message of nothing, with an empty piece and without. */
    CHECK(EVP_MAC_init(copy, NULL, 0, NULL) && EVP_MAC_final(copy, empty[0], &len, 16) && len == 16);
    CHECK(EVP_MAC_init(copy, NULL, 0, NULL) && EVP_MAC_update(copy, one_key, 0));
    CHECK(EVP_MAC_final(copy, empty[1], &len, 16) && memcmp(empty[0], empty[1], 16) == 0);
    EVP_MAC_CTX_free(copy);
    EVP_MAC_free(mac);
}

int main(int argc, char **argv)
{
    size_t passed = 0, failed = 0;
    CHECK(argc > 1);
    every_mac_is_there();
    refusals();
    keys_and_beginnings();
    known_answers(argv + 1, &passed, &failed);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
