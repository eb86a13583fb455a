/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2s with a key of 32 bytes or none, and a digest of 32 (RFC 7693). */
#ifndef BLAKE2S_H
#define BLAKE2S_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLAKE2S_BYTES 32

typedef struct {
  uint32_t h[8];
  uint64_t taken; /* bytes that were compressed */
  uint8_t block[64];
  unsigned filled;
} blake2s;

void blake2s_begin(blake2s *state, const uint8_t *key); /* key: 32 bytes, or NULL for none */
void blake2s_take(blake2s *state, const uint8_t *data, size_t count);
void blake2s_end(blake2s *state, uint8_t digest[BLAKE2S_BYTES]); /* and wipes the state */

#endif
