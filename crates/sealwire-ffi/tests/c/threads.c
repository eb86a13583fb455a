/* SPDX-License-Identifier: Apache-2.0 */
/* One key in many threads; each thread has its own last error. */
#include "check.h"
#include <pthread.h>

static sealwire_key *key;
static uint8_t expected[200 + 32];
static const uint8_t msg[200] = "the same message in every thread", nonce[32];

static void *work(void *number)
{
    for (int round = 0; round < 200; round++) {
        uint8_t out[232];
        char message[80];
        size_t len = 0, wrong = (size_t)(uintptr_t)number;
        CHECK(sealwire_seal(key, nonce, 32, NULL, 0, msg, 200, out, sizeof out, &len) == SEALWIRE_OK && len == 232);
        CHECK(memcmp(out, expected, 232) == 0);
        CHECK(sealwire_open(key, nonce, wrong, NULL, 0, out, 232, out, 200, &len) == SEALWIRE_WRONG_LENGTH);
        snprintf(message, sizeof message, "wrong nonce length: given %zu bytes, allowed 32 bytes", wrong);
        CHECK(strcmp(sealwire_last_error(), message) == 0);
    }
    return NULL;
}

int main(void)
{
    const uint8_t bytes[64] = {7};
    pthread_t threads[4];
    CHECK(sealwire_key_new("omd-blake2b", bytes, 64, &key) == SEALWIRE_OK);
    CHECK(sealwire_seal(key, nonce, 32, NULL, 0, msg, 200, expected, 232, NULL) == SEALWIRE_OK);
    for (uintptr_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(strcmp(sealwire_last_error(), "") == 0);
    sealwire_key_free(key);
    puts("threads: all agree");
    return 0;
}
