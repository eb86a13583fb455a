/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the provider share: errors, and the list of MACs. */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

enum reason {
    NO_KEY = 1,
    NO_NONCE,
    NO_TAG,
    ONE_UPDATE,
    WRONG_LENGTH,
    AD_AFTER_MESSAGE,
    FAILED_BEFORE,
    REFUSED,
    NO_MEMORY,
};

struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
};

/* Puts an error into OpenSSL's queue; `format` may be NULL. */
void sealwire_raise(const struct provider *provider, const char *file, int line, enum reason reason, const char *format,
                    ...);

/* Keeps the error and gives EVP's 0. */
#define FAIL(context, ...) (sealwire_raise((context)->provider, __FILE__, __LINE__, __VA_ARGS__), 0)

extern const OSSL_ALGORITHM sealwire_macs[];

#endif
