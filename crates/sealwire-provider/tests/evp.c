/* SPDX-License-Identifier: Apache-2.0 */
/* The provider as an application meets it: through EVP, loaded by the configuration in OPENSSL_CONF. Arguments are known-answer
 * files. The last line is `N passed, N failed`. */
#include <openssl/err.h>
#include <openssl/evp.h>
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

struct bytes {
    unsigned char *data;
    int len;
};

static struct bytes room(int len)
{
    struct bytes result = {malloc((size_t)len + 1), len};
    CHECK(result.data != NULL);
    memset(result.data, 0xa5, (size_t)len + 1);
    return result;
}

static struct bytes unhex(const char *text)
{
    struct bytes result = room((int)(strcspn(text, "\r\n") / 2));
    for (int i = 0; i < result.len; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        result.data[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return result;
}

/* With zeros behind it, up to `len` bytes. */
static struct bytes filled(struct bytes old, int len)
{
    struct bytes result = room(len);
    CHECK(old.len <= len);
    memset(result.data, 0, (size_t)len);
    memcpy(result.data, old.data, (size_t)old.len);
    free(old.data);
    return result;
}

/* One record, as an application would do it; associated data in two pieces. */
static int seal(const EVP_CIPHER *cipher, const struct bytes *field, struct bytes out, unsigned char *tag)
{
    int n = 0, half = field[2].len / 2, tag_len = field[4].len - field[3].len;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int good = EVP_EncryptInit_ex2(ctx, cipher, field[0].data, field[1].data, NULL)
               && EVP_EncryptUpdate(ctx, NULL, &n, field[2].data, half)
               && EVP_EncryptUpdate(ctx, NULL, &n, field[2].data + half, field[2].len - half)
               && EVP_EncryptUpdate(ctx, out.data, &n, field[3].data, field[3].len) && n == field[3].len
               && EVP_EncryptFinal_ex(ctx, out.data + n, &n) && n == 0
               && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag_len, tag);
    EVP_CIPHER_CTX_free(ctx);
    return good;
}

static int open(const EVP_CIPHER *cipher, const struct bytes *field, struct bytes out)
{
    int n = 0, len = field[3].len;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int good = EVP_DecryptInit_ex2(ctx, cipher, NULL, NULL, NULL)
               && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, field[4].len - len, field[4].data + len)
               && EVP_DecryptInit_ex2(ctx, NULL, field[0].data, field[1].data, NULL)
               && EVP_DecryptUpdate(ctx, NULL, &n, field[2].data, field[2].len);
    CHECK(good);
    int updated = EVP_DecryptUpdate(ctx, out.data, &n, field[4].data, len), finished;
    good = updated && n == len;
    finished = EVP_DecryptFinal_ex(ctx, out.data + len, &n) && n == 0;
    /* A caller who looks at one of the two results only must learn it too. With an empty message Final alone decides. */
    CHECK(len == 0 || updated == finished);
    EVP_CIPHER_CTX_free(ctx);
    return good && finished;
}

static int right(const EVP_CIPHER *cipher, const struct bytes *field, size_t record)
{
    int len = field[3].len, tag_len = field[4].len - len, good;
    struct bytes out = room(len);
    unsigned char tag[64];
    good = seal(cipher, field, out, tag) && memcmp(out.data, field[4].data, (size_t)len) == 0
           && memcmp(tag, field[4].data + len, (size_t)tag_len) == 0;
    good &= open(cipher, field, out) && memcmp(out.data, field[3].data, (size_t)len) == 0;
    for (int f = 1; f < 5; f += f == 2 ? 2 : 1) {
        if (field[f].len == 0)
            continue;
        unsigned char *byte = field[f].data + record % (size_t)field[f].len;
        memset(out.data, 0xa5, (size_t)len);
        *byte ^= (unsigned char)(1u << (record % 8));
        good &= !open(cipher, field, out) && says("authentication failed");
        *byte ^= (unsigned char)(1u << (record % 8));
        for (int i = 0; i < len; i++)
            good &= out.data[i] == 0;
    }
    good &= out.data[len] == 0xa5;
    free(out.data);
    return good;
}

static void known_answers(char **files, size_t *passed, size_t *failed)
{
    static char line[1 << 20];
    static const char *const names[5] = {"Key = ", "Nonce = ", "AD = ", "PT = ", "CT = "};
    for (; *files; files++) {
        FILE *file = fopen(*files, "r");
        char scheme[64] = "";
        struct bytes field[5] = {{NULL, 0}};
        EVP_CIPHER *cipher = NULL;
        CHECK(file != NULL);
        while (fgets(line, sizeof line, file)) {
            if (sscanf(line, "# Scheme = %63s", scheme) == 1)
                CHECK((cipher = EVP_CIPHER_fetch(NULL, scheme, NULL)) != NULL);
            for (int f = 0; f < 5; f++) {
                if (strncmp(line, names[f], strlen(names[f])) != 0)
                    continue;
                free(field[f].data);
                field[f] = unhex(line + strlen(names[f]));
                /* Zeros fill the tags of AES-COPA and Minalpher up. */
                if (f == 4 && strcmp(scheme, "aescopav2") == 0)
                    field[f] = filled(field[f], field[3].len + 33);
                if (f == 4 && strcmp(scheme, "minalpherv11") == 0)
                    field[f] = filled(field[f], field[3].len + 48);
                if (f == 4)
                    *(right(cipher, field, *passed + *failed) ? passed : failed) += 1;
            }
        }
        for (int f = 0; f < 5; f++)
            free(field[f].data);
        EVP_CIPHER_free(cipher);
        fclose(file);
    }
}

/* Names, aliases and sizes are the library's, for every scheme it registers but AES-GCM, which OpenSSL has itself. */
static void every_scheme_is_there(void)
{
    sealwire_scheme scheme;
    for (size_t i = 0; sealwire_scheme_at(i, &scheme) == SEALWIRE_OK; i++) {
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, scheme.name, "provider=sealwire");
        if (strstr(scheme.name, "gcm")) {
            CHECK(cipher == NULL);
            continue;
        }
        CHECK(cipher != NULL);
        CHECK((size_t)EVP_CIPHER_get_key_length(cipher) == scheme.key_len);
        CHECK((size_t)EVP_CIPHER_get_iv_length(cipher) == scheme.nonce_len);
        CHECK(EVP_CIPHER_get_block_size(cipher) == 1);
        CHECK(EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER);
        if (scheme.alias[0])
            CHECK(EVP_CIPHER_is_a(cipher, scheme.alias));
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
        CHECK(EVP_EncryptInit_ex2(ctx, cipher, NULL, NULL, NULL));
        CHECK((size_t)EVP_CIPHER_CTX_get_tag_length(ctx) == scheme.tag_len);
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(cipher);
        cipher = EVP_CIPHER_fetch(NULL, scheme.name, "provider=sealwire,sealwire.experimental=no");
        CHECK((cipher == NULL) == scheme.experimental);
        EVP_CIPHER_free(cipher);
    }
    ERR_clear_error();
}

/* What is refused, and the reason. */
static void refusals(void)
{
    unsigned char key[64] = {1}, nonce[32] = {2}, text[100] = {3}, out[100], tag[32] = {0}, old[100];
    int n = 0;
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "OMD-SHA512", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    memset(out, 0xa5, sizeof out);
    memcpy(old, out, sizeof out);

    CHECK(EVP_EncryptInit_ex2(ctx, cipher, NULL, nonce, NULL));
    CHECK(!EVP_EncryptUpdate(ctx, out, &n, text, 100) && says("no key is set"));
    CHECK(EVP_EncryptInit_ex2(ctx, cipher, key, NULL, NULL));
    CHECK(EVP_EncryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 32, tag) && says("there is no result"));
    CHECK(!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 32, tag) && says("for decryption only"));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 32, NULL) == 1);
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) != 1);
    CHECK(says("wrong nonce length: given 12 bytes, allowed 32 bytes"));
    CHECK(!EVP_CIPHER_CTX_set_key_length(ctx, 32) && says("wrong key length: given 32 bytes, allowed 64 bytes"));

    /* A second piece of a message: an error, and no tag. */
    CHECK(EVP_EncryptUpdate(ctx, out, &n, text, 60) && n == 60);
    CHECK(!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 32, tag) && says("there is no result"));
    CHECK(!EVP_EncryptUpdate(ctx, out + 60, &n, text + 60, 40) && says("in one Update call"));
    CHECK(!EVP_EncryptFinal_ex(ctx, out, &n) && says("there is no result"));

    /* The nonce has served. */
    CHECK(EVP_EncryptInit_ex2(ctx, NULL, NULL, NULL, NULL));
    CHECK(!EVP_EncryptUpdate(ctx, out, &n, text, 100) && says("no nonce is set, or it has served"));
    CHECK(EVP_EncryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(EVP_EncryptUpdate(ctx, out, &n, text, 100) && EVP_EncryptFinal_ex(ctx, out + n, &n));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag) != 1 && says("wrong tag length: given 16 bytes"));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 32, tag) == 1);
    CHECK(!EVP_EncryptUpdate(ctx, NULL, &n, text, 1) && says("associated data must be given before the message"));

    /* A context is not copied: the copy could use its nonce again. */
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
    CHECK(!EVP_CIPHER_CTX_copy(copy, ctx));
    ERR_clear_error();
    EVP_CIPHER_CTX_free(copy);

    /* Ciphertext before the tag: nothing comes out, whatever is done next. */
    unsigned char plain[100];
    memset(plain, 0xa5, sizeof plain);
    CHECK(EVP_DecryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(!EVP_DecryptUpdate(ctx, plain, &n, out, 100) && says("the tag must be set before"));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 32, tag) == 1);
    CHECK(!EVP_DecryptFinal_ex(ctx, plain, &n) && says("there is no result"));
    CHECK(memcmp(plain, old, sizeof plain) == 0);
    CHECK(EVP_DecryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 31, tag) != 1 && says("wrong tag length: given 31 bytes"));
    CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 32, tag) == 1);
    CHECK(EVP_DecryptUpdate(ctx, plain, &n, out, 100) && EVP_DecryptFinal_ex(ctx, plain + n, &n));
    CHECK(memcmp(plain, text, sizeof plain) == 0);
    /* The tag has served too: the next message needs its own. */
    CHECK(EVP_DecryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(!EVP_DecryptFinal_ex(ctx, plain, &n) && says("the tag must be set before"));

    /* In place, and EVP_Cipher. */
    memcpy(plain, text, sizeof plain);
    CHECK(EVP_EncryptInit_ex2(ctx, NULL, NULL, nonce, NULL));
    CHECK(EVP_Cipher(ctx, plain, plain, 100) == 100 && EVP_Cipher(ctx, NULL, NULL, 0) == 0);
    CHECK(memcmp(plain, out, sizeof plain) == 0);

    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
}

int main(int argc, char **argv)
{
    size_t passed = 0, failed = 0;
    CHECK(argc > 1);
    every_scheme_is_there();
    refusals();
    known_answers(argv + 1, &passed, &failed);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
