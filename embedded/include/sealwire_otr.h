/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES-OTR v3 with parallel associated data (aes128otrpv3, aes256otrpv3) for small machines: no heap, no static data
 * that changes, one call a message, in place.
 *
 * All lengths are in bytes. A nonce must never serve twice under one key. No call may share its buffers with another
 * one that runs; `msg`, `ad`, `nonce` and `tag` must not overlap each other.
 * `msg` and `ad` may be NULL if their length is 0.
 */
#ifndef SEALWIRE_OTR_H
#define SEALWIRE_OTR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEALWIRE_OTR_NONCE 12
#define SEALWIRE_OTR_TAG 16

/* Results of the calls. */
#define SEALWIRE_OTR_OK 0
#define SEALWIRE_OTR_FORGED (-1) /* what was to be opened is not authentic */
#define SEALWIRE_OTR_KEY (-2)    /* the key has a length that this build does not take, or was not made ready */

/* An ignored result can send plaintext or take a forgery: compilers that can, warn of it. */
#ifdef __GNUC__
#define SEALWIRE_OTR_CHECK __attribute__((warn_unused_result))
#else
#define SEALWIRE_OTR_CHECK
#endif

/* A key made ready. Only the calls below look into it; it is as secret as the key. */
typedef struct {
#ifdef __AVR__
  uint8_t schedule[56]; /* the key, then the first word of each round key */
  uint8_t ready;
#else
  uint32_t schedule[15][8]; /* round keys, in the form of the cipher that was built */
  uint8_t rounds;
#endif
} sealwire_otr_key;

/*
 * Makes a key ready. 16 bytes are AES-128; 32 bytes are AES-256, not on AVR. Returns SEALWIRE_OTR_OK or
 * SEALWIRE_OTR_KEY, and `key` is zeros then: such a key, like a cleared one, is refused by the calls below.
 */
SEALWIRE_OTR_CHECK
int sealwire_otr_set_key(sealwire_otr_key *key, const uint8_t *bytes, uint8_t len);

/*
 * Encrypts msg[0, len) in place, writes the tag and returns SEALWIRE_OTR_OK. With a key that is not ready it returns
 * SEALWIRE_OTR_KEY, and msg (still plaintext) and tag are as they were.
 */
SEALWIRE_OTR_CHECK
int sealwire_otr_seal(const sealwire_otr_key *key, const uint8_t nonce[SEALWIRE_OTR_NONCE], const uint8_t *ad,
                      size_t ad_len, uint8_t *msg, size_t len, uint8_t tag[SEALWIRE_OTR_TAG]);

/*
 * Decrypts msg[0, len) in place if the tag is right, and returns SEALWIRE_OTR_OK. Otherwise msg[0, len) is zeros and
 * the result is SEALWIRE_OTR_FORGED. With a key that is not ready it returns SEALWIRE_OTR_KEY, and msg (still
 * ciphertext) is as it was.
 *
 * OTR finds the tag by decrypting, so that `msg` holds unverified plaintext while the call runs: it must be memory that
 * nobody else reads meanwhile, neither an interrupt nor a DMA channel nor another thread.
 */
SEALWIRE_OTR_CHECK
int sealwire_otr_open(const sealwire_otr_key *key, const uint8_t nonce[SEALWIRE_OTR_NONCE], const uint8_t *ad,
                      size_t ad_len, uint8_t *msg, size_t len, const uint8_t tag[SEALWIRE_OTR_TAG]);

/* Wipes a key that is no longer needed. */
void sealwire_otr_clear(sealwire_otr_key *key);

#ifdef __cplusplus
}
#endif

#endif
