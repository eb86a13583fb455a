/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenSSL 3 provider: the schemes of libsealwire as EVP AEAD ciphers; its MACs are in mac.c. Guide: docs/openssl.md. Interface: provider(7),
 * provider-cipher(7).
 *
 * EVP hands plaintext out in EVP_DecryptUpdate, before EVP_DecryptFinal_ex has seen the tag. This provider never does: as
 * with OpenSSL's own CCM and SIV, a message comes in one Update, the tag is set before, and the Update fails if it is wrong.
 */
#include "context.h"
#include "provider.h"

#include <openssl/crypto.h>
#include <stdarg.h>

static const OSSL_ITEM REASONS[] = {
    {NO_KEY, "no key is set"},
    {NO_NONCE, "no nonce is set, or it has served: give a new one with every message"},
    {NO_TAG, "the tag must be set before the ciphertext is given"},
    {ONE_UPDATE, "a message must be given in one Update call"},
    {WRONG_LENGTH, "a length is not the scheme's"},
    {AD_AFTER_MESSAGE, "associated data must be given before the message"},
    {FAILED_BEFORE, "there is no result: no message was finished, or an earlier call failed"},
    {REFUSED, "the library refused"},
    {NO_MEMORY, "out of memory"},
    {0, NULL},
};

void sealwire_raise(const struct provider *provider, const char *file, int line, enum reason reason, const char *format,
                    ...)
{
    va_list arguments;
    if (!provider->new_error || !provider->set_error_debug || !provider->vset_error)
        return;
    provider->new_error(provider->handle);
    provider->set_error_debug(provider->handle, file, line, "sealwire");
    va_start(arguments, format);
    provider->vset_error(provider->handle, (uint32_t)reason, format, arguments);
    va_end(arguments);
}

/* ---- one context ------------------------------------------------------------------------------------------------ */

static void *context_new(const struct provider *provider, const char *name)
{
    struct context *context = OPENSSL_zalloc(sizeof *context);
    if (!context)
        return NULL;
    context->provider = provider;
    if (sealwire_scheme_find(name, &context->scheme) != SEALWIRE_OK) {
        OPENSSL_free(context);
        return NULL;
    }
    return context;
}

static void forget_ad(struct context *context)
{
    OPENSSL_clear_free(context->ad, context->ad_room);
    context->ad = NULL;
    context->ad_len = context->ad_room = 0;
}

static void context_free(void *vcontext)
{
    struct context *context = vcontext;
    if (!context)
        return;
    forget_ad(context);
    sealwire_key_free(context->key);
    OPENSSL_clear_free(context, sizeof *context);
}

static int set_params(void *vcontext, const OSSL_PARAM params[])
{
    struct context *context = vcontext;
    const sealwire_scheme *scheme = &context->scheme;
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG) : NULL;
    static const char *const fixed[] = {OSSL_CIPHER_PARAM_KEYLEN, OSSL_CIPHER_PARAM_AEAD_IVLEN};
    if (p) {
        if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != scheme->tag_len)
            return FAIL(context, WRONG_LENGTH, "wrong tag length: given %zu bytes, allowed %zu bytes", p->data_size,
                        scheme->tag_len);
        /* Without data it only states the length. */
        if (p->data) {
            if (context->sealing)
                return FAIL(context, REFUSED, "a tag can be set for decryption only");
            memcpy(context->tag, p->data, scheme->tag_len);
            context->has_tag = 1;
        }
    }
    for (int i = 0; params && i < 2; i++) {
        size_t given = 0, allowed = i == 0 ? scheme->key_len : scheme->nonce_len;
        if ((p = OSSL_PARAM_locate_const(params, fixed[i])) == NULL)
            continue;
        if (!OSSL_PARAM_get_size_t(p, &given) || given != allowed)
            return FAIL(context, WRONG_LENGTH, "wrong %s length: given %zu bytes, allowed %zu bytes",
                        i == 0 ? "key" : "nonce", given, allowed);
    }
    return 1;
}

static const OSSL_PARAM *settable_params(void *context, void *provider)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_END,
    };
    (void)context, (void)provider;
    return settable;
}

static int get_params(void *vcontext, OSSL_PARAM params[])
{
    struct context *context = vcontext;
    const sealwire_scheme *scheme = &context->scheme;
    OSSL_PARAM *p;
    if ((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_KEYLEN)) && !OSSL_PARAM_set_size_t(p, scheme->key_len))
        return 0;
    if ((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_IVLEN)) && !OSSL_PARAM_set_size_t(p, scheme->nonce_len))
        return 0;
    if ((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN)) && !OSSL_PARAM_set_size_t(p, scheme->tag_len))
        return 0;
    if ((p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAG))) {
        if (!context->sealing || context->stage != FINISHED)
            return FAIL(context, FAILED_BEFORE, NULL);
        if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != scheme->tag_len)
            return FAIL(context, WRONG_LENGTH, "wrong tag length: given %zu bytes, allowed %zu bytes", p->data_size,
                        scheme->tag_len);
        if (!OSSL_PARAM_set_octet_string(p, context->tag, scheme->tag_len))
            return 0;
    }
    return 1;
}

static const OSSL_PARAM *gettable_params(void *context, void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context, (void)provider;
    return gettable;
}

/* A new message; what is NULL stays as it was, but a nonce that has served is gone. */
static int init(struct context *context, int sealing, const unsigned char *key, size_t key_len,
                const unsigned char *nonce, size_t nonce_len, const OSSL_PARAM params[])
{
    forget_ad(context);
    if (context->stage != FRESH || context->sealing != sealing)
        context->has_tag = 0;
    context->stage = FRESH;
    context->sealing = sealing;
    if (key) {
        sealwire_key_free(context->key);
        context->key = NULL;
        if (sealwire_key_new(context->scheme.name, key, key_len, &context->key) != SEALWIRE_OK)
            return FAIL(context, WRONG_LENGTH, "%s", sealwire_last_error());
    }
    if (nonce) {
        context->has_nonce = 0;
        if (nonce_len != context->scheme.nonce_len)
            return FAIL(context, WRONG_LENGTH, "wrong nonce length: given %zu bytes, allowed %zu bytes", nonce_len,
                        context->scheme.nonce_len);
        memcpy(context->nonce, nonce, nonce_len);
        context->has_nonce = 1;
    }
    return set_params(context, params);
}

static int encrypt_init(void *context, const unsigned char *key, size_t key_len, const unsigned char *nonce,
                        size_t nonce_len, const OSSL_PARAM params[])
{
    return init(context, 1, key, key_len, nonce, nonce_len, params);
}

static int decrypt_init(void *context, const unsigned char *key, size_t key_len, const unsigned char *nonce,
                        size_t nonce_len, const OSSL_PARAM params[])
{
    return init(context, 0, key, key_len, nonce, nonce_len, params);
}

static int add_ad(struct context *context, const unsigned char *in, size_t len)
{
    if (context->stage > AD)
        return FAIL(context, context->stage == FAILED ? FAILED_BEFORE : AD_AFTER_MESSAGE, NULL);
    context->stage = AD;
    if (len > context->ad_room - context->ad_len) {
        /* At least doubled, so that many small pieces stay cheap; a sum that wraps is refused. */
        size_t room = context->ad_len + len + context->ad_room;
        unsigned char *ad;
        if (room < len || room < context->ad_room || !(ad = OPENSSL_clear_realloc(context->ad, context->ad_room, room))) {
            context->stage = FAILED;
            return FAIL(context, NO_MEMORY, NULL);
        }
        context->ad = ad;
        context->ad_room = room;
    }
    if (len > 0)
        memcpy(context->ad + context->ad_len, in, len);
    context->ad_len += len;
    return 1;
}

/* The whole message at once. */
static int message(struct context *context, unsigned char *out, const unsigned char *in, size_t len)
{
    const sealwire_scheme *scheme = &context->scheme;
    sealwire_status status;
    enum stage before = context->stage;
    context->stage = FAILED;
    if (before > AD)
        return FAIL(context, before == FAILED ? FAILED_BEFORE : ONE_UPDATE, NULL);
    if (!context->key)
        return FAIL(context, NO_KEY, NULL);
    if (!context->has_nonce)
        return FAIL(context, NO_NONCE, NULL);
    if (!context->sealing && !context->has_tag)
        return FAIL(context, NO_TAG, NULL);
    context->has_nonce = 0;
    if (context->sealing)
        status = sealwire_seal_detached(context->key, context->nonce, scheme->nonce_len, context->ad, context->ad_len,
                                        in, len, out, context->tag, scheme->tag_len);
    else
        status = sealwire_open_detached(context->key, context->nonce, scheme->nonce_len, context->ad, context->ad_len,
                                        in, len, context->tag, scheme->tag_len, out);
    if (status != SEALWIRE_OK)
        return FAIL(context, REFUSED, "%s", sealwire_last_error());
    context->stage = DONE;
    return 1;
}

static int update(void *vcontext, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in,
                  size_t len)
{
    struct context *context = vcontext;
    *out_len = 0;
    if (out && len == 0)
        return context->stage != FAILED; /* an empty message is what it is if nothing follows */
    if (out && out_size < len)
        return FAIL(context, WRONG_LENGTH, "the output buffer is too short");
    if (!(out ? message(context, out, in, len) : add_ad(context, in, len)))
        return 0;
    *out_len = len;
    return 1;
}

static int final(void *vcontext, unsigned char *out, size_t *out_len, size_t out_size)
{
    struct context *context = vcontext;
    (void)out, (void)out_size;
    *out_len = 0;
    if (context->stage <= AD && !message(context, NULL, NULL, 0))
        return 0;
    if (context->stage != DONE)
        return FAIL(context, FAILED_BEFORE, NULL);
    context->stage = FINISHED;
    return 1;
}

/* EVP_Cipher: an Update, or without input a Final. */
static int cipher(void *context, unsigned char *out, size_t *out_len, size_t out_size, const unsigned char *in,
                  size_t len)
{
    return in ? update(context, out, out_len, out_size, in, len) : final(context, out, out_len, out_size);
}

/* ---- every scheme ------------------------------------------------------------------------------------------------ */

static int scheme_params(const char *name, OSSL_PARAM params[])
{
    sealwire_scheme scheme;
    OSSL_PARAM *p;
    if (sealwire_scheme_find(name, &scheme) != SEALWIRE_OK)
        return 0;
    const struct {
        const char *key;
        size_t value;
    } sizes[] = {
        {OSSL_CIPHER_PARAM_KEYLEN, scheme.key_len},
        {OSSL_CIPHER_PARAM_IVLEN, scheme.nonce_len},
        {OSSL_CIPHER_PARAM_BLOCK_SIZE, 1},
    };
    static const char *const flags[] = {OSSL_CIPHER_PARAM_AEAD, OSSL_CIPHER_PARAM_CUSTOM_IV};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if ((p = OSSL_PARAM_locate(params, sizes[i].key)) && !OSSL_PARAM_set_size_t(p, sizes[i].value))
            return 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if ((p = OSSL_PARAM_locate(params, flags[i])) && !OSSL_PARAM_set_int(p, 1))
            return 0;
    /* 0 is EVP_CIPH_STREAM_CIPHER: EVP knows no number for these modes. */
    return !(p = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_MODE)) || OSSL_PARAM_set_uint(p, 0);
}

static const OSSL_PARAM *scheme_gettable_params(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),       OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return gettable;
}

/* No DUPCTX: a copied context could seal a second message with the nonce of the first. */
#define FUNCTIONS(name, evp, experimental)                                                                             \
    static void *name##_new(void *provider)                                                                            \
    {                                                                                                                  \
        return context_new(provider, #name);                                                                           \
    }                                                                                                                  \
    static int name##_params(OSSL_PARAM params[])                                                                      \
    {                                                                                                                  \
        return scheme_params(#name, params);                                                                           \
    }                                                                                                                  \
    static const OSSL_DISPATCH name##_functions[] = {                                                                  \
        {OSSL_FUNC_CIPHER_NEWCTX, (void (*)(void))name##_new},                                                         \
        {OSSL_FUNC_CIPHER_GET_PARAMS, (void (*)(void))name##_params},                                                  \
        {OSSL_FUNC_CIPHER_GETTABLE_PARAMS, (void (*)(void))scheme_gettable_params},                                    \
        {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))context_free},                                                      \
        {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},                                                 \
        {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},                                                 \
        {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},                                                             \
        {OSSL_FUNC_CIPHER_FINAL, (void (*)(void))final},                                                               \
        {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))cipher},                                                             \
        {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_params},                                                 \
        {OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params},                                       \
        {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_params},                                                 \
        {OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},                                       \
        {0, NULL},                                                                                                     \
    };
SCHEMES(FUNCTIONS)

#define ALGORITHM(name, evp, experimental)                                                                             \
    {evp, "provider=sealwire,sealwire.experimental=" experimental, name##_functions, "Sealwire " #name},
static const OSSL_ALGORITHM CIPHERS[] = {SCHEMES(ALGORITHM){NULL, NULL, NULL, NULL}};

/* ---- the provider ------------------------------------------------------------------------------------------------ */

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache)
{
    (void)provider;
    *no_cache = 0;
    if (operation == OSSL_OP_MAC)
        return sealwire_macs;
    return operation == OSSL_OP_CIPHER ? CIPHERS : NULL;
}

static const OSSL_ITEM *reasons(void *provider)
{
    (void)provider;
    return REASONS;
}

static const OSSL_PARAM *provider_gettable(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return gettable;
}

static int provider_get(void *provider, OSSL_PARAM params[])
{
    OSSL_PARAM *p;
    (void)provider;
    if ((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME)) && !OSSL_PARAM_set_utf8_ptr(p, "Sealwire provider"))
        return 0;
    if ((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION)) && !OSSL_PARAM_set_utf8_ptr(p, sealwire_version()))
        return 0;
    return !(p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS)) || OSSL_PARAM_set_int(p, 1);
}

static void teardown(void *provider)
{
    OPENSSL_free(provider);
}

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context)
{
    static const OSSL_DISPATCH functions[] = {
        {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
        {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))reasons},
        {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))provider_gettable},
        {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))provider_get},
        {0, NULL},
    };
    struct provider *provider = OPENSSL_zalloc(sizeof *provider);
    if (!provider)
        return 0;
    provider->handle = handle;
    for (; in->function_id; in++) {
        switch (in->function_id) {
        case OSSL_FUNC_CORE_NEW_ERROR:
            provider->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            provider->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        }
    }
    *out = functions;
    *context = provider;
    return 1;
}
