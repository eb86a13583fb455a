// SPDX-License-Identifier: Apache-2.0
// Loops around calls of the C interface, timed in C: what Python's calls are measured beside.

#include "sealwire.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ROOM = 64 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds of one call of `calls`; -1 if one fails. `opening` is 0 or 1; `count` above 1 takes the batch calls.
double native_seconds(const char *scheme, const uint8_t *key_bytes, size_t key_len, size_t len, size_t count,
                      int opening, size_t calls) {
    struct sealwire_key *key = NULL;
    struct sealwire_scheme info;
    if (sealwire_key_new(scheme, key_bytes, key_len, &key) || sealwire_key_scheme(key, &info)) return -1;
    size_t tag_len = info.tag_len, room = len + TAG_ROOM;
    uint8_t nonce[64] = {0};
    uint8_t *in = calloc(count, room), *out = calloc(count, room);
    struct sealwire_packet *packets = calloc(count, sizeof *packets);
    double seconds = -1;
    if (!in || !out || !packets) goto end;
    for (size_t i = 0; i < count; i++) {
        packets[i] = (struct sealwire_packet){.nonce = nonce, .nonce_len = info.nonce_len, .buffer = out + i * room,
                                              .buffer_len = len, .tag = out + i * room + len, .tag_len = tag_len};
        if (sealwire_seal(key, nonce, info.nonce_len, NULL, 0, in + i * room, len, in + i * room, room, NULL)) goto end;
    }
    double begin = 0;
    for (size_t call = 0; call <= calls; call++) {
        if (call == 1) begin = now(); // The first call gets the pages of its memory from the kernel.
        int failed;
        if (count > 1) {
            for (size_t i = 0; i < count; i++) memcpy(out + i * room, in + i * room, len + tag_len);
            failed = opening ? sealwire_open_batch(key, packets, count, NULL)
                             : sealwire_seal_batch(key, packets, count, NULL);
        } else {
            failed = opening ? sealwire_open(key, nonce, info.nonce_len, NULL, 0, in, len + tag_len, out, room, NULL)
                             : sealwire_seal(key, nonce, info.nonce_len, NULL, 0, in, len, out, room, NULL);
        }
        if (failed) goto end;
    }
    seconds = (now() - begin) / (double)calls;
end:
    sealwire_key_free(key);
    free(in);
    free(out);
    free(packets);
    return seconds;
}
