/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one EVP_CIPHER_CTX. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "schemes.h"

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <sealwire.h>
#include <string.h>

/* How far a message is. */
enum stage {
    FRESH,    /* Init was called */
    AD,       /* associated data has come */
    DONE,     /* the message has been worked on, authentic if it was opened */
    FINISHED, /* Final was called: a tag can be taken */
    FAILED,   /* nothing more can come of it */
};

struct provider;

struct context {
    const struct provider *provider;
    sealwire_scheme scheme;
    sealwire_key *key;
    int sealing;
    enum stage stage;
    int has_nonce, has_tag;
    unsigned char nonce[64], tag[64];
    /* Associated data, collected until the message comes. */
    unsigned char *ad;
    size_t ad_len, ad_room;
};

#endif
