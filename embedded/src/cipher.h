/* SPDX-License-Identifier: Apache-2.0 */
/* What the mode asks of a machine: AES on OTR_LANES independent blocks, and three operations on blocks. */
#ifndef OTR_CIPHER_H
#define OTR_CIPHER_H

#include "sealwire_otr.h"

#include <string.h>

#define OTR_BLOCK 16

void otr_wipe(void *memory, size_t len);

/*
 * Eight blocks in vectors of 16 bytes where these are fast, or two in words of 32 bits. The vectors are written with GCC's
 * __builtin_shuffle, which clang lacks, and their rotation of columns is for little-endian machines.
 */
#if defined(__GNUC__) && !defined(__clang__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OTR_VECTORS 1
#else
#define OTR_VECTORS 0
#endif
#ifndef OTR_LANES
#if OTR_VECTORS && (defined(__ARM_NEON) || defined(__SSE2__))
#define OTR_LANES 8
#else
#define OTR_LANES 2
#endif
#endif
#if OTR_LANES == 8 && !OTR_VECTORS
#error "eight lanes need GCC and a little-endian machine: build with OTR_LANES=2"
#endif

/* Whether the key was made ready, and is neither refused nor cleared. */
uint8_t otr_ready(const sealwire_otr_key *key);

/*
 * dst[i] ^= E(src[i] ^ mask[i]) for i < n <= OTR_LANES, where block i of dst is at dst + i dst_step and so on; masks lie one
 * after the other. All is read before anything is written; dst_step = 0 adds all results to one block.
 */
void otr_cipher(const sealwire_otr_key *key, uint8_t n, uint8_t *dst, size_t dst_step, const uint8_t *src,
                size_t src_step, const uint8_t *mask);

/* dst ^= src */
static inline void otr_xor(uint8_t *dst, const uint8_t *src) {
  for (uint8_t i = 0; i < OTR_BLOCK; i++) dst[i] = (uint8_t)(dst[i] ^ src[i]);
}

/* dst = 2 src in GF(2^128), first byte most significant. They may be the same. */
static inline void otr_double(uint8_t *dst, const uint8_t *src) {
  const unsigned carry = src[0] >> 7;
  for (uint8_t i = 0; i + 1 < OTR_BLOCK; i++) dst[i] = (uint8_t)(src[i] << 1 | src[i + 1] >> 7);
  dst[OTR_BLOCK - 1] = (uint8_t)((unsigned)src[OTR_BLOCK - 1] << 1 ^ (0x87 & (0U - carry)));
}

/* Exchanges the two blocks of a chunk, a word at a time: no copy of a block is left in memory. */
static inline void otr_swap(uint8_t *chunk) {
  for (uint8_t i = 0; i < OTR_BLOCK; i = (uint8_t)(i + 4)) {
    uint32_t left, right;
    memcpy(&left, chunk + i, 4);
    memcpy(&right, chunk + OTR_BLOCK + i, 4);
    memcpy(chunk + i, &right, 4);
    memcpy(chunk + OTR_BLOCK + i, &left, 4);
  }
}

#endif
