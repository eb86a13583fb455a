/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MACs of libsealwire as EVP_MAC. Interface: provider-mac(7). Guide: docs/openssl.md.
 *
 * The length of the tag is set before the message begins: Ascon-PRF's depends on it from the first block.
 */
#include "macs.h"
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <sealwire.h>
#include <string.h>

struct mac_context {
    const struct provider *provider;
    sealwire_mac_scheme scheme;
    size_t tag_len;
    int has_key;
    uint8_t key[64];
    /* NULL before the first piece, and after the tag. */
    sealwire_mac_message *message;
    int has_ended;
};

static void *context_new(const struct provider *provider, const char *name)
{
    struct mac_context *context = OPENSSL_zalloc(sizeof *context);
    if (!context)
        return NULL;
    context->provider = provider;
    if (sealwire_mac_scheme_find(name, &context->scheme) != SEALWIRE_OK
        || context->scheme.key_len > sizeof context->key) {
        OPENSSL_free(context);
        return NULL;
    }
    context->tag_len = context->scheme.tag_len;
    context->has_ended = 1;
    return context;
}

static void context_free(void *vcontext)
{
    struct mac_context *context = vcontext;
    if (!context)
        return;
    sealwire_mac_message_free(context->message);
    OPENSSL_clear_free(context, sizeof *context);
}

static void *context_copy(void *vcontext)
{
    const struct mac_context *context = vcontext;
    struct mac_context *copy = OPENSSL_memdup(context, sizeof *context);
    if (!copy)
        return NULL;
    copy->message = NULL;
    if (context->message && sealwire_mac_message_copy(context->message, &copy->message) != SEALWIRE_OK) {
        context_free(copy);
        return NULL;
    }
    return copy;
}

static int set_key(struct mac_context *context, const void *key, size_t key_len)
{
    if (key_len != context->scheme.key_len)
        return FAIL(context, WRONG_LENGTH, "wrong key length: given %zu bytes, allowed %zu bytes", key_len,
                    context->scheme.key_len);
    memcpy(context->key, key, key_len);
    context->has_key = 1;
    return 1;
}

static int set_params(void *vcontext, const OSSL_PARAM params[])
{
    struct mac_context *context = vcontext;
    const OSSL_PARAM *p;
    size_t len = 0;
    if (!params)
        return 1;
    if ((p = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_SIZE)) != NULL) {
        if (!OSSL_PARAM_get_size_t(p, &len) || len < context->scheme.min_tag_len || len > context->scheme.max_tag_len)
            return FAIL(context, WRONG_LENGTH, "wrong tag length: given %zu bytes, allowed %zu to %zu bytes", len,
                        context->scheme.min_tag_len, context->scheme.max_tag_len);
        if (context->message && len != context->tag_len)
            return FAIL(context, REFUSED, "the length of the tag must be set before the message begins");
        context->tag_len = len;
    }
    if ((p = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY)) != NULL) {
        if (p->data_type != OSSL_PARAM_OCTET_STRING)
            return FAIL(context, WRONG_LENGTH, "a key is an octet string");
        if (context->message)
            return FAIL(context, REFUSED, "the key must be set before the message begins");
        return set_key(context, p->data, p->data_size);
    }
    return 1;
}

static const OSSL_PARAM *settable_params(void *context, void *provider)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context, (void)provider;
    return settable;
}

static int get_params(void *vcontext, OSSL_PARAM params[])
{
    const struct mac_context *context = vcontext;
    OSSL_PARAM *p;
    if ((p = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_SIZE)) && !OSSL_PARAM_set_size_t(p, context->tag_len))
        return 0;
    return !(p = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_BLOCK_SIZE))
           || OSSL_PARAM_set_size_t(p, context->scheme.block_len);
}

static const OSSL_PARAM *gettable_params(void *context, void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_END,
    };
    (void)context, (void)provider;
    return gettable;
}

/* A new message, with the key of before if none is given. */
static int init(void *vcontext, const unsigned char *key, size_t key_len, const OSSL_PARAM params[])
{
    struct mac_context *context = vcontext;
    sealwire_mac_message_free(context->message);
    context->message = NULL;
    context->has_ended = 1;
    if (!set_params(context, params) || (key && !set_key(context, key, key_len)))
        return 0;
    if (!context->has_key)
        return FAIL(context, NO_KEY, NULL);
    context->has_ended = 0;
    return 1;
}

/* Begins the message if nothing came before. */
static int begin(struct mac_context *context)
{
    sealwire_mac *mac = NULL;
    int good;
    if (context->has_ended)
        return FAIL(context, FAILED_BEFORE, NULL);
    if (context->message)
        return 1;
    good = sealwire_mac_new(context->scheme.name, context->key, context->scheme.key_len, context->tag_len, &mac)
               == SEALWIRE_OK
           && sealwire_mac_begin(mac, &context->message) == SEALWIRE_OK;
    sealwire_mac_free(mac);
    return good ? 1 : FAIL(context, REFUSED, "%s", sealwire_last_error());
}

static int update(void *vcontext, const unsigned char *in, size_t len)
{
    struct mac_context *context = vcontext;
    if (!begin(context))
        return 0;
    if (sealwire_mac_update(context->message, in, len) != SEALWIRE_OK)
        return FAIL(context, REFUSED, "%s", sealwire_last_error());
    return 1;
}

static int final(void *vcontext, unsigned char *out, size_t *out_len, size_t out_size)
{
    struct mac_context *context = vcontext;
    sealwire_status status;
    *out_len = 0;
    if (out_size < context->tag_len)
        return FAIL(context, WRONG_LENGTH, "the output buffer is too short");
    if (!begin(context))
        return 0;
    status = sealwire_mac_finish(context->message, out, context->tag_len);
    sealwire_mac_message_free(context->message);
    context->message = NULL;
    context->has_ended = 1;
    if (status != SEALWIRE_OK)
        return FAIL(context, REFUSED, "%s", sealwire_last_error());
    *out_len = context->tag_len;
    return 1;
}

#define FUNCTIONS(name, evp, experimental)                                                                             \
    static void *name##_new(void *provider)                                                                            \
    {                                                                                                                  \
        return context_new(provider, #name);                                                                           \
    }                                                                                                                  \
    static const OSSL_DISPATCH name##_functions[] = {                                                                  \
        {OSSL_FUNC_MAC_NEWCTX, (void (*)(void))name##_new},                                                            \
        {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))context_copy},                                                          \
        {OSSL_FUNC_MAC_FREECTX, (void (*)(void))context_free},                                                         \
        {OSSL_FUNC_MAC_INIT, (void (*)(void))init},                                                                    \
        {OSSL_FUNC_MAC_UPDATE, (void (*)(void))update},                                                                \
        {OSSL_FUNC_MAC_FINAL, (void (*)(void))final},                                                                  \
        {OSSL_FUNC_MAC_GET_CTX_PARAMS, (void (*)(void))get_params},                                                    \
        {OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params},                                          \
        {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))set_params},                                                    \
        {OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},                                          \
        {0, NULL},                                                                                                     \
    };
MACS(FUNCTIONS)

#define ALGORITHM(name, evp, experimental)                                                                             \
    {evp, "provider=sealwire,sealwire.experimental=" experimental, name##_functions, "Sealwire " #name},
const OSSL_ALGORITHM sealwire_macs[] = {MACS(ALGORITHM){NULL, NULL, NULL, NULL}};
