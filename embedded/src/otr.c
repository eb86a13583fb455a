/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mode: two rounds of a Feistel network over chunks of two blocks, encryption direction of AES only. Names follow
 * AES-OTR v3: a = 2^(i-1) L and b = 2^(i-1) 3L mask the two calls of chunk i. Associated data (PMAC) is taken in after
 * the message, so that its masks use the same memory.
 */
#include "cipher.h"

#include <string.h>

#define CHUNK (2 * OTR_BLOCK)

typedef struct {
  uint8_t a[OTR_LANES][OTR_BLOCK];
  uint8_t b[OTR_LANES][OTR_BLOCK];
  uint8_t sum[OTR_BLOCK];
} work;

void otr_wipe(void *memory, size_t len) {
  volatile uint8_t *byte = (volatile uint8_t *)memory;
  while (len--) *byte++ = 0;
}

/* E on one block. */
static void cipher(const sealwire_otr_key *key, uint8_t *dst, const uint8_t *src, const uint8_t *mask) {
  otr_cipher(key, 1, dst, 0, src, 0, mask);
}

/* masks[i] = 2^i masks[0] */
static void spread(uint8_t (*masks)[OTR_BLOCK], uint8_t n) {
  for (uint8_t i = 1; i < n; i++) otr_double(masks[i], masks[i - 1]);
}

/* masks[0] = 2^n masks[0] */
static void advance(uint8_t (*masks)[OTR_BLOCK], uint8_t n) {
  otr_double(masks[0], masks[n - 1]);
}

/* block = src[0, len) || 10*, len <= 16 */
static void pad(uint8_t *block, const uint8_t *src, uint8_t len) {
  memset(block, 0, OTR_BLOCK);
  if (len) memcpy(block, src, len); /* src may be NULL without bytes */
  if (len < OTR_BLOCK) block[len] = 0x80;
}

/* dst ^= E(sum ^ factor mask); the mask is lost. */
static void finish(const sealwire_otr_key *key, uint8_t *dst, uint8_t *sum, uint8_t *mask, uint8_t factor) {
  for (; factor > 1; factor >>= 1) {
    if (factor & 1) otr_xor(sum, mask);
    otr_double(mask, mask);
  }
  cipher(key, dst, sum, mask);
}

/* `count` chunks, all but the last of a message. */
static void chunks(const sealwire_otr_key *key, work *w, uint8_t *msg, size_t count, uint8_t open) {
  uint8_t n = OTR_LANES;
  for (; count; count -= n, msg += (size_t)CHUNK * n) {
    if (OTR_LANES > 1 && count < OTR_LANES) n = (uint8_t)count;
    spread(w->a, n);
    spread(w->b, n);
    if (!open) {
      for (uint8_t i = 0; i < n; i++) otr_xor(w->sum, msg + CHUNK * i + OTR_BLOCK);
    }
    otr_cipher(key, n, msg + OTR_BLOCK, CHUNK, msg, CHUNK, open ? w->b[0] : w->a[0]);
    otr_cipher(key, n, msg, CHUNK, msg + OTR_BLOCK, CHUNK, open ? w->a[0] : w->b[0]);
    for (uint8_t i = 0; i < n; i++) {
      otr_swap(msg + CHUNK * i);
      if (open) otr_xor(w->sum, msg + CHUNK * i + OTR_BLOCK);
    }
    advance(w->a, n);
    advance(w->b, n);
  }
}

/* len = 0..16 bytes; z is memory to work in. */
static void last_odd(const sealwire_otr_key *key, work *w, uint8_t *msg, uint8_t len, uint8_t *z, uint8_t open) {
  if (!open) {
    pad(z, msg, len);
    otr_xor(w->sum, z);
  }
  memset(z, 0, OTR_BLOCK);
  cipher(key, z, z, w->a[0]);
  for (uint8_t i = 0; i < len; i++) msg[i] = (uint8_t)(msg[i] ^ z[i]);
  if (open) {
    pad(z, msg, len);
    otr_xor(w->sum, z);
  }
}

/* A whole block and 1..16 bytes more. */
static void last_even(const sealwire_otr_key *key, work *w, uint8_t *msg, uint8_t len, uint8_t *z, uint8_t open) {
  uint8_t *right = msg + OTR_BLOCK;
  /* Sealing makes the right side first, from the left plaintext; opening the left side, from the right ciphertext. */
  for (uint8_t half = 0; half < 2; half++) {
    if (half == open) {
      memset(z, 0, OTR_BLOCK);
      cipher(key, z, msg, w->a[0]);
      otr_xor(w->sum, z);
      for (uint8_t i = 0; i < len; i++) right[i] = (uint8_t)(right[i] ^ z[i]);
    } else {
      pad(z, right, len);
      otr_xor(w->sum, z);
      cipher(key, msg, z, w->b[0]);
    }
  }
}

/* tag ^= TA */
static void associated(const sealwire_otr_key *key, work *w, const uint8_t *ad, size_t len, uint8_t *tag) {
  memset(w, 0, sizeof *w);
  cipher(key, w->a[0], w->sum, w->sum);
  for (uint8_t n = OTR_LANES; len > OTR_BLOCK; len -= (size_t)OTR_BLOCK * n, ad += OTR_BLOCK * n) {
    if (OTR_LANES > 1 && (len - 1) / OTR_BLOCK < OTR_LANES) n = (uint8_t)((len - 1) / OTR_BLOCK);
    spread(w->a, n);
    otr_cipher(key, n, w->sum, 0, ad, OTR_BLOCK, w->a[0]);
    advance(w->a, n);
  }
  pad(w->b[0], ad, (uint8_t)len);
  otr_xor(w->sum, w->b[0]);
  finish(key, tag, w->sum, w->a[0], len == OTR_BLOCK ? 5 : 3);
}

/* Seals or opens the message. z becomes the tag, added to `expected` if there is one. */
static void crypt(const sealwire_otr_key *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_len, uint8_t *msg,
                  size_t len, uint8_t *z, const uint8_t *expected) {
  work w;
  const uint8_t open = expected != NULL;
  memset(&w, 0, sizeof w);
  w.b[0][3] = 1; /* a tag of 128 bits (0 mod 128), and the bit before the nonce */
  memcpy(w.b[0] + 4, nonce, SEALWIRE_OTR_NONCE);
  cipher(key, w.a[0], w.b[0], w.sum);
  otr_double(w.b[0], w.a[0]);
  otr_xor(w.b[0], w.a[0]);

  const size_t whole = len ? (len - 1) / CHUNK : 0;
  const uint8_t rest = (uint8_t)(len - whole * CHUNK);
  if (whole) {
    chunks(key, &w, msg, whole, open);
    msg += whole * CHUNK;
  }
  uint8_t *mask = w.a[0];
  if (rest <= OTR_BLOCK) {
    last_odd(key, &w, msg, rest, z, open);
  } else {
    last_even(key, &w, msg, (uint8_t)(rest - OTR_BLOCK), z, open);
    mask = w.b[0];
  }
  if (open) {
    memcpy(z, expected, OTR_BLOCK);
  } else {
    memset(z, 0, OTR_BLOCK);
  }
  finish(key, z, w.sum, mask, rest == OTR_BLOCK || rest == CHUNK ? 7 : 5);
  if (ad_len) associated(key, &w, ad, ad_len, z);
  otr_wipe(&w, sizeof w);
}

int sealwire_otr_seal(const sealwire_otr_key *key, const uint8_t nonce[SEALWIRE_OTR_NONCE], const uint8_t *ad,
                      size_t ad_len, uint8_t *msg, size_t len, uint8_t tag[SEALWIRE_OTR_TAG]) {
  if (!otr_ready(key)) return SEALWIRE_OTR_KEY;
  crypt(key, nonce, ad, ad_len, msg, len, tag, NULL);
  return SEALWIRE_OTR_OK;
}

int sealwire_otr_open(const sealwire_otr_key *key, const uint8_t nonce[SEALWIRE_OTR_NONCE], const uint8_t *ad,
                      size_t ad_len, uint8_t *msg, size_t len, const uint8_t tag[SEALWIRE_OTR_TAG]) {
  uint8_t difference[OTR_BLOCK];
  if (!otr_ready(key)) return SEALWIRE_OTR_KEY;
  crypt(key, nonce, ad, ad_len, msg, len, difference, tag);
  uint8_t any = 0;
  for (uint8_t i = 0; i < OTR_BLOCK; i++) any = (uint8_t)(any | difference[i]);
  otr_wipe(difference, sizeof difference);
  if (any == 0) return SEALWIRE_OTR_OK;
  otr_wipe(msg, len);
  return SEALWIRE_OTR_FORGED;
}

void sealwire_otr_clear(sealwire_otr_key *key) { otr_wipe(key, sizeof *key); }
