/* SPDX-License-Identifier: Apache-2.0 */
/* Known answers through the C interface: known_answers FILE.rsp...; each record is sealed and opened in every way there
 * is, and opened again with one bit wrong. The last line is `N passed, N failed`. */
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

/* With zeros behind it, up to `len` bytes. */
static struct bytes filled(struct bytes old, size_t len)
{
    struct bytes result = {own(NULL, len), len};
    CHECK(old.len <= len);
    memset(result.data, 0, len);
    if (old.len > 0)
        memcpy(result.data, old.data, old.len);
    free(old.data);
    return result;
}

/* What must not be let out when a bit is wrong. */
static int refused(const sealwire_key *key, struct bytes nonce, struct bytes ad, struct bytes ct, size_t msg_len)
{
    uint8_t *out = own(NULL, msg_len);
    size_t written = 99;
    int good = sealwire_open(key, nonce.data, nonce.len, ad.data, ad.len, ct.data, ct.len, out, msg_len, &written)
                   == SEALWIRE_INVALID_TAG
               && written == 0 && all(out, msg_len, 0);
    free(out);
    return good;
}

static int flipped(const sealwire_key *key, struct bytes nonce, struct bytes ad, struct bytes ct, size_t msg_len,
                   struct bytes part, size_t record)
{
    if (part.len == 0)
        return 1;
    part.data[record % part.len] ^= (uint8_t)(1u << (record % 8));
    int good = refused(key, nonce, ad, ct, msg_len);
    part.data[record % part.len] ^= (uint8_t)(1u << (record % 8));
    return good;
}

static int right(const sealwire_key *key, struct bytes nonce, struct bytes ad, struct bytes pt, struct bytes ct,
                 size_t record)
{
    size_t tag_len = ct.len - pt.len, written = 0;
    int good = 1;

    uint8_t *sealed = own(NULL, ct.len);
    good &= sealwire_seal(key, nonce.data, nonce.len, ad.data, ad.len, pt.data, pt.len, sealed, ct.len, &written)
            == SEALWIRE_OK;
    good &= written == ct.len && memcmp(sealed, ct.data, ct.len) == 0;
    uint8_t *opened = own(NULL, pt.len);
    good &= sealwire_open(key, nonce.data, nonce.len, ad.data, ad.len, ct.data, ct.len, opened, pt.len, &written)
            == SEALWIRE_OK;
    good &= written == pt.len && (pt.len == 0 || memcmp(opened, pt.data, pt.len) == 0);

    /* apart, and in place */
    uint8_t *tag = own(NULL, tag_len);
    good &= sealwire_seal_detached(key, nonce.data, nonce.len, ad.data, ad.len, opened, pt.len, opened, tag, tag_len)
            == SEALWIRE_OK;
    good &= memcmp(tag, ct.data + pt.len, tag_len) == 0 && (pt.len == 0 || memcmp(opened, ct.data, pt.len) == 0);
    good &= sealwire_open_detached(key, nonce.data, nonce.len, ad.data, ad.len, opened, pt.len, tag, tag_len, opened)
            == SEALWIRE_OK;
    good &= pt.len == 0 || memcmp(opened, pt.data, pt.len) == 0;

    good &= flipped(key, nonce, ad, ct, pt.len, ct, record) && flipped(key, nonce, ad, ct, pt.len, nonce, record)
            && flipped(key, nonce, ad, ct, pt.len, ad, record);
    struct bytes shorter = {ct.data, ct.len - 1};
    good &= refused(key, nonce, ad, shorter, shorter.len >= tag_len ? shorter.len - tag_len : 0);
    free(sealed);
    free(opened);
    free(tag);
    return good;
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    size_t passed = 0, failed = 0;
    CHECK(argc > 1);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        CHECK(file != NULL);
        char scheme[64] = "";
        struct bytes field[5] = {{NULL, 0}};
        static const char *const names[5] = {"Key = ", "Nonce = ", "AD = ", "PT = ", "CT = "};
        while (fgets(line, sizeof line, file)) {
            sscanf(line, "# Scheme = %63s", scheme);
            for (int f = 0; f < 5; f++) {
                if (strncmp(line, names[f], strlen(names[f])) != 0)
                    continue;
                free(field[f].data);
                field[f] = unhex(line + strlen(names[f]));
                if (f == 4) {
                    sealwire_key *key = NULL;
                    /* Zeros fill the tags of AES-COPA and Minalpher up. */
                    if (strcmp(scheme, "aescopav2") == 0)
                        field[4] = filled(field[4], field[3].len + 33);
                    if (strcmp(scheme, "minalpherv11") == 0)
                        field[4] = filled(field[4], field[3].len + 48);
                    CHECK(sealwire_key_new(scheme, field[0].data, field[0].len, &key) == SEALWIRE_OK);
                    int good = right(key, field[1], field[2], field[3], field[4], passed + failed);
                    *(good ? &passed : &failed) += 1;
                    sealwire_key_free(key);
                }
            }
        }
        for (int f = 0; f < 5; f++)
            free(field[f].data);
        fclose(file);
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
