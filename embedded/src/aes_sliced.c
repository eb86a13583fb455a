/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES encryption, bit-sliced: bit i of every byte of the blocks lies in plane i, and the S-box is a circuit, so that
 * neither a branch nor an address depends on a secret. For processors with caches, where a table would tell.
 *
 * Two forms of one code. With eight lanes, plane i is a vector: its byte k holds bit i of byte k of the eight blocks, one bit a
 * block. With two lanes, plane i is a word of 32 bits: its byte r holds bit i of row r, two bits a column.
 */
#include "cipher.h"

#include <string.h>

#if OTR_LANES == 8
typedef uint8_t plane __attribute__((vector_size(16)));
typedef uint32_t columns __attribute__((vector_size(16)));
#elif OTR_LANES == 2
typedef uint32_t plane;
#else
#error "OTR_LANES is 2 or 8"
#endif

#define ROUNDS_MAX 14

/* Wipes planes and the block that went into them or came out: a whole plane or word at a time, since every call does it. */
static inline void forget(plane q[8], uint32_t block[OTR_BLOCK / 4]) {
  const plane zero = {0};
  volatile plane *planes = q;
  volatile uint32_t *words = block;
  for (int i = 0; i < 8; i++) planes[i] = zero;
  for (int i = 0; i < OTR_BLOCK / 4; i++) words[i] = 0;
}

/* Exchanges the bits of x under mask << shift with those of y under mask. */
#define EXCHANGE(x, y, shift, mask)                \
  do {                                             \
    const plane d = ((x) >> (shift) ^ (y)) & (mask); \
    (y) ^= d;                                      \
    (x) ^= d << (shift);                           \
  } while (0)

/* Bits to planes and back: in every byte position, the 8 x 8 bits of the eight words are transposed. */
static inline void transpose(plane q[8]) {
#if OTR_LANES == 8
  const plane m1 = (plane){0} + 0x55, m2 = (plane){0} + 0x33, m4 = (plane){0} + 0x0f;
#else
  const plane m1 = 0x55555555, m2 = 0x33333333, m4 = 0x0f0f0f0f;
#endif
  for (int i = 0; i < 8; i += 2) EXCHANGE(q[i], q[i + 1], 1, m1);
  for (int i = 0; i < 8; i += 4) {
    EXCHANGE(q[i], q[i + 2], 2, m2);
    EXCHANGE(q[i + 1], q[i + 3], 2, m2);
  }
  for (int i = 0; i < 4; i++) EXCHANGE(q[i], q[i + 4], 4, m4);
}

/* The S-box as the circuit of Boyar and Peralta (A depth-16 circuit for the AES S-box, 2011); u0 is the highest bit. */
static inline void substitute(plane q[8]) {
  const plane u0 = q[7], u1 = q[6], u2 = q[5], u3 = q[4], u4 = q[3], u5 = q[2], u6 = q[1], u7 = q[0];
  /* into the tower of fields */
  const plane y14 = u3 ^ u5, y13 = u0 ^ u6, y9 = u0 ^ u3, y8 = u0 ^ u5, e0 = u1 ^ u2, y1 = e0 ^ u7, y4 = y1 ^ u3;
  const plane y12 = y13 ^ y14, y2 = y1 ^ u0, y5 = y1 ^ u6, y3 = y5 ^ y8, e1 = u4 ^ y12, y15 = e1 ^ u5, y20 = e1 ^ u1;
  const plane y6 = y15 ^ u7, y10 = y15 ^ e0, y11 = y20 ^ y9, y7 = u7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
  const plane y16 = e0 ^ y11, y21 = y13 ^ y16, y18 = u0 ^ y16;
  /* inversion */
  const plane a2 = y12 & y15, a4 = (y3 & y6) ^ a2, a6 = (y4 & u7) ^ a2, a7 = y13 & y16, a9 = (y5 & y1) ^ a7;
  const plane a11 = (y2 & y7) ^ a7, a12 = y9 & y11, a14 = (y14 & y17) ^ a12, a16 = (y8 & y10) ^ a12;
  const plane b1 = a4 ^ a14 ^ y20, b2 = a6 ^ a16 ^ y19, b3 = a9 ^ a14 ^ y21, b4 = a11 ^ a16 ^ y18;
  const plane c1 = b1 ^ b2, c2 = b1 & b3, c3 = b4 ^ c2, c4 = (c1 & c3) ^ b2, c5 = b3 ^ b4, c6 = b2 ^ c2;
  const plane c7 = (c6 & c5) ^ b4, c8 = b3 ^ c7, c9 = c3 ^ c7, c10 = b4 & c9, c11 = c10 ^ c8, c12 = c3 ^ c10;
  const plane c13 = c1 ^ (c4 & c12), c14 = c13 ^ c11, c15 = c4 ^ c7, c16 = c4 ^ c13, c17 = c7 ^ c11, c18 = c15 ^ c14;
  const plane z0 = c17 & y15, z1 = c11 & y6, z2 = c7 & u7, z3 = c16 & y16, z4 = c13 & y1, z5 = c4 & y7;
  const plane z6 = c15 & y11, z7 = c18 & y17, z8 = c14 & y10, z9 = c17 & y12, z10 = c11 & y3, z11 = c7 & y4;
  const plane z12 = c16 & y13, z13 = c13 & y5, z14 = c4 & y2, z15 = c15 & y9, z16 = c18 & y14, z17 = c14 & y8;
  /* back, with the affine map */
  const plane d0 = z15 ^ z16, d1 = z10 ^ z11, d2 = z5 ^ z13, d3 = z9 ^ z10, d4 = z2 ^ z12, d5 = z2 ^ z5, d6 = z7 ^ z8;
  const plane d7 = z0 ^ z3, d8 = z6 ^ z7, d9 = z16 ^ z17, d10 = z12 ^ d2, d11 = d4 ^ d7, d12 = z4 ^ d0, d13 = z3 ^ d8;
  const plane d14 = d0 ^ d11, d15 = z14 ^ d11, d16 = d6 ^ d12, d17 = d3 ^ d12, d18 = z4 ^ d13, d19 = d15 ^ d16;
  const plane d20 = z1 ^ d17, d21 = d18 ^ d19, s3 = d7 ^ d20;
  q[7] = d13 ^ d17;
  q[6] = ~(d18 ^ s3);
  q[5] = ~(d9 ^ d21);
  q[4] = s3;
  q[3] = d5 ^ d20;
  q[2] = d1 ^ d19;
  q[1] = ~(d10 ^ d16);
  q[0] = ~(d2 ^ d14);
}

#if OTR_LANES == 8

static inline plane shift_rows(plane x) {
  return __builtin_shuffle(x, (plane){0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11});
}

/* Row r becomes row r + 1 (or + 2) of the same column. */
static inline plane next_row(plane x) {
  const columns c = (columns)x;
  return (plane)(c >> 8 | c << 24);
}

static inline plane opposite_row(plane x) {
  return __builtin_shuffle(x, (plane){2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13});
}

#else

static inline plane shift_rows(plane x) {
  return (x & 0x000000ff) | (x >> 2 & 0x00003f00) | (x << 6 & 0x0000c000) | (x >> 4 & 0x000f0000) |
         (x << 4 & 0x00f00000) | (x >> 6 & 0x03000000) | (x << 2 & 0xfc000000);
}

static inline plane next_row(plane x) { return x >> 8 | x << 24; }

static inline plane opposite_row(plane x) { return x >> 16 | x << 16; }

#endif

/* x becomes 2 (x + next) + next + the two rows opposite; x^8 = x^4 + x^3 + x + 1. Few planes live at a time. */
static inline void mix_columns(plane q[8]) {
  const plane top = q[7] ^ next_row(q[7]);
  plane pair = top;
  for (int i = 7; i >= 0; i--) {
    plane lower = top;
    if (i > 0) lower = q[i - 1] ^ next_row(q[i - 1]);
    q[i] ^= pair ^ opposite_row(pair) ^ lower;
    if (i == 1 || i == 3 || i == 4) q[i] ^= top;
    pair = lower;
  }
}

#if OTR_LANES == 8

/* Round keys are kept as bytes; a plane of one is where its bit is set. */
static inline void add_round_key(plane q[8], const uint32_t *key) {
  plane bytes;
  memcpy(&bytes, key, sizeof bytes);
  for (int i = 0; i < 8; i++) q[i] ^= (plane)((bytes & (uint8_t)(1 << i)) != 0);
}

static void keep_round_key(uint32_t *kept, const uint8_t *bytes) { memcpy(kept, bytes, OTR_BLOCK); }

static inline void load(plane q[8], uint8_t lane, const uint8_t *block) { memcpy(&q[lane], block, OTR_BLOCK); }

static inline void store(const plane q[8], uint8_t lane, uint8_t *block) { memcpy(block, &q[lane], OTR_BLOCK); }

#else

static inline void add_round_key(plane q[8], const uint32_t *key) {
  for (int i = 0; i < 8; i++) q[i] ^= key[i];
}

static inline void load(plane q[8], uint8_t lane, const uint8_t *block) {
  for (int c = 0; c < 4; c++, block += 4)
    q[2 * c + lane] = (uint32_t)block[3] << 24 | (uint32_t)block[2] << 16 | (uint32_t)block[1] << 8 | block[0];
}

static inline void store(const plane q[8], uint8_t lane, uint8_t *block) {
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) *block++ = (uint8_t)(q[2 * c + lane] >> 8 * r);
}

static void keep_round_key(uint32_t *kept, const uint8_t *bytes) {
  plane q[8];
  load(q, 0, bytes);
  load(q, 1, bytes);
  transpose(q);
  memcpy(kept, q, sizeof q);
  otr_wipe(q, sizeof q);
}

#endif

static void encrypt(const sealwire_otr_key *key, plane q[8]) {
  transpose(q);
  add_round_key(q, key->schedule[0]);
  for (uint8_t round = 1;; round++) {
    substitute(q);
    for (int i = 0; i < 8; i++) q[i] = shift_rows(q[i]);
    if (round >= key->rounds) break; /* also if there are none: otr_ready is the caller's to ask */
    mix_columns(q);
    add_round_key(q, key->schedule[round]);
  }
  add_round_key(q, key->schedule[key->rounds]);
  transpose(q);
}

uint8_t otr_ready(const sealwire_otr_key *key) { return key->rounds == 10 || key->rounds == ROUNDS_MAX; }

void otr_cipher(const sealwire_otr_key *key, uint8_t n, uint8_t *dst, size_t dst_step, const uint8_t *src,
                size_t src_step, const uint8_t *mask) {
  plane q[8];
  uint32_t words[OTR_BLOCK / 4];
  uint8_t *block = (uint8_t *)words;
  memset(q, 0, sizeof q);
  for (uint8_t i = 0; i < n; i++) {
    memcpy(block, src + i * src_step, OTR_BLOCK);
    otr_xor(block, mask + (size_t)OTR_BLOCK * i);
    load(q, i, block);
  }
  encrypt(key, q);
  for (uint8_t i = 0; i < n; i++) {
    store(q, i, block);
    otr_xor(dst + i * dst_step, block);
  }
  forget(q, words);
}

/* The S-box on four bytes. */
static void substitute_word(uint8_t word[4]) {
  plane q[8];
  uint32_t words[OTR_BLOCK / 4] = {0};
  uint8_t *block = (uint8_t *)words;
  memcpy(block, word, 4);
  memset(q, 0, sizeof q);
  load(q, 0, block);
  transpose(q);
  substitute(q);
  transpose(q);
  store(q, 0, block);
  memcpy(word, block, 4);
  forget(q, words);
}

int sealwire_otr_set_key(sealwire_otr_key *key, const uint8_t *bytes, uint8_t len) {
  uint8_t words[OTR_BLOCK * (ROUNDS_MAX + 1)], word[4], constant = 1;
  memset(key, 0, sizeof *key);
  if (len != 16 && len != 32) return SEALWIRE_OTR_KEY;
  key->rounds = (uint8_t)(6 + len / 4);
  const size_t end = (size_t)OTR_BLOCK * (key->rounds + 1U);
  memcpy(words, bytes, len);
  uint8_t turn = 0; /* at modulo len */
  for (size_t at = len; at < end; at += 4) {
    memcpy(word, words + at - 4, 4);
    if (turn == 0) {
      const uint8_t first = word[0];
      for (int i = 0; i < 3; i++) word[i] = word[i + 1];
      word[3] = first;
      substitute_word(word);
      word[0] = (uint8_t)(word[0] ^ constant);
      constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
    } else if (len == 32 && turn == 16) {
      substitute_word(word);
    }
    turn = (uint8_t)(turn + 4 == len ? 0 : turn + 4);
    for (int i = 0; i < 4; i++) words[at + (size_t)i] = (uint8_t)(words[at + (size_t)i - len] ^ word[i]);
  }
  for (uint8_t round = 0; round <= key->rounds; round++)
    keep_round_key(key->schedule[round], words + OTR_BLOCK * round);
  otr_wipe(words, sizeof words);
  otr_wipe(word, sizeof word);
  return SEALWIRE_OTR_OK;
}
