/* SPDX-License-Identifier: Apache-2.0 */
/* What the C tests share: a check that says where it failed, and buffers that end where their memory ends. */
#ifndef CHECK_H
#define CHECK_H

#include <sealwire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #condition,                    \
                    sealwire_last_error());                                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A copy on the heap, so that the sanitizer sees one byte read or written too far. NULL for no bytes. */
static inline uint8_t *own(const void *bytes, size_t len)
{
    if (len == 0)
        return NULL;
    uint8_t *copy = malloc(len);
    CHECK(copy != NULL);
    if (bytes)
        memcpy(copy, bytes, len);
    else
        memset(copy, 0xa5, len);
    return copy;
}

static inline int all(const uint8_t *bytes, size_t len, uint8_t value)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != value)
            return 0;
    return 1;
}

#endif
