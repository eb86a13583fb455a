/* SPDX-License-Identifier: Apache-2.0 */
/* Seals a message and opens it again. After `make install-c`:
 *
 *     cc seal.c $(pkg-config --cflags --libs sealwire) -o seal && ./seal
 */
#include <sealwire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C99 has no call that is sure to wipe: a compiler may leave memset out, but not writes through volatile. */
static void wipe(volatile uint8_t *bytes, size_t len)
{
    while (len--)
        *bytes++ = 0;
}

static void must(sealwire_status status)
{
    if (status != SEALWIRE_OK) {
        fprintf(stderr, "sealwire: %s\n", sealwire_last_error());
        exit(1);
    }
}

int main(void)
{
    const char message[] = "attack at dawn";
    const uint8_t header[] = "to: field";
    uint8_t secret[64], nonce[32];
    uint8_t sealed[sizeof message + 32], opened[sizeof message];
    size_t sealed_len, opened_len;

    if (sealwire_abi_version() != SEALWIRE_ABI_VERSION) {
        fprintf(stderr, "libsealwire has another ABI version than sealwire.h\n");
        return 1;
    }
    /* A random nonce of 32 bytes does not repeat in practice; a counter is as good, and must not start anew. */
    must(sealwire_random(secret, sizeof secret));
    must(sealwire_random(nonce, sizeof nonce));

    sealwire_key *key;
    must(sealwire_key_new("omd-sha512", secret, sizeof secret, &key));
    wipe(secret, sizeof secret); /* the library keeps its own copy */

    must(sealwire_seal(key, nonce, sizeof nonce, header, sizeof header, (const uint8_t *)message, sizeof message, sealed,
                       sizeof sealed, &sealed_len));
    must(sealwire_open(key, nonce, sizeof nonce, header, sizeof header, sealed, sealed_len, opened, sizeof opened,
                       &opened_len));
    printf("%zu bytes sealed, opened again: %s\n", sealed_len, (char *)opened);

    sealed[3] ^= 1;
    if (sealwire_open(key, nonce, sizeof nonce, header, sizeof header, sealed, sealed_len, opened, sizeof opened,
                      &opened_len)
        == SEALWIRE_INVALID_TAG)
        printf("changed on the way: %s\n", sealwire_last_error());
    sealwire_key_free(key);
    return 0;
}
