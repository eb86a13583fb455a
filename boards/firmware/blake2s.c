/* SPDX-License-Identifier: Apache-2.0 */
/* Names follow RFC 7693: F compresses, G mixes, v is the working vector. The words of messages are low byte first. */
#include "blake2s.h"

#include "bytes.h"

static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint8_t SIGMA[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static uint32_t rotated(uint32_t x, unsigned right) {
  return x >> right | x << (32 - right);
}

static void mix(uint32_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint32_t x, uint32_t y) {
  v[a] += v[b] + x;
  v[d] = rotated(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotated(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = rotated(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotated(v[b] ^ v[c], 7);
}

static void compress(blake2s *state, bool last) {
  uint32_t v[16], m[16];
  for (unsigned i = 0; i < 8; i++) {
    v[i] = state->h[i];
    v[i + 8] = IV[i];
  }
  for (unsigned i = 0; i < 16; i++) m[i] = get32(state->block + 4 * i);
  v[12] ^= (uint32_t)state->taken;
  v[13] ^= (uint32_t)(state->taken >> 32);
  if (last) v[14] = ~v[14];
  for (unsigned round = 0; round < 10; round++) {
    const uint8_t *s = SIGMA[round];
    for (unsigned i = 0; i < 8; i++) { /* four columns, then four diagonals */
      unsigned turn = i >> 2;
      mix(v, i & 3, 4 + ((i + turn) & 3), 8 + ((i + 2 * turn) & 3), 12 + ((i + 3 * turn) & 3), m[s[2 * i]], m[s[2 * i + 1]]);
    }
  }
  for (unsigned i = 0; i < 8; i++) state->h[i] ^= v[i] ^ v[i + 8];
  bytes_wipe(v, sizeof v);
  bytes_wipe(m, sizeof m);
}

void blake2s_begin(blake2s *state, const uint8_t *key) {
  memset(state, 0, sizeof *state);
  for (unsigned i = 0; i < 8; i++) state->h[i] = IV[i];
  state->h[0] ^= 0x01010000u ^ (key ? 32u << 8 : 0) ^ BLAKE2S_BYTES;
  if (key) {
    memcpy(state->block, key, 32);
    state->filled = 64;
  }
}

void blake2s_take(blake2s *state, const uint8_t *data, size_t count) {
  while (count--) {
    if (state->filled == 64) { /* not the last block, since more follows */
      state->taken += 64;
      compress(state, false);
      state->filled = 0;
    }
    state->block[state->filled++] = *data++;
  }
}

void blake2s_end(blake2s *state, uint8_t digest[BLAKE2S_BYTES]) {
  state->taken += state->filled;
  memset(state->block + state->filled, 0, 64 - state->filled);
  compress(state, true);
  for (unsigned i = 0; i < 8; i++) put32(digest + 4 * i, state->h[i]);
  bytes_wipe(state, sizeof *state);
}
