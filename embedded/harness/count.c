/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does one call some times, with key, nonce, associated data and message drawn from the seed: what it executes for two times,
 * less what it executes for one, is one call. Before each opening, the ciphertext is put back.
 *
 *   count-... seal|open|key KEY_BYTES AD_BYTES BYTES TIMES SEED
 */
#include "sealwire_otr.h"

#include <stdlib.h>
#include <string.h>

static uint8_t ad[1 << 16], message[1 << 16], sealed[1 << 16];

/* xorshift32 (Marsaglia 2003) */
static void draw(uint8_t *bytes, size_t len, uint32_t *state) {
  for (size_t i = 0; i < len; i++) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    bytes[i] = (uint8_t)(*state >> 24);
  }
}

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  size_t number[5];
  for (int i = 0; i < 5; i++) number[i] = (size_t)strtoul(argv[2 + i], NULL, 10);
  const size_t key_len = number[0], ad_len = number[1], len = number[2], times = number[3];
  uint32_t state = 0x9e3779b9U * (uint32_t)(number[4] + 1);
  uint8_t key_bytes[32], nonce[SEALWIRE_OTR_NONCE], tag[SEALWIRE_OTR_TAG];
  sealwire_otr_key key;
  if (key_len > sizeof key_bytes || ad_len > sizeof ad || len > sizeof message || state == 0) return 2;
  draw(key_bytes, key_len, &state);
  draw(nonce, sizeof nonce, &state);
  draw(ad, ad_len, &state);
  draw(message, len, &state);
  int bad = sealwire_otr_set_key(&key, key_bytes, (uint8_t)key_len);
  memcpy(sealed, message, len);
  bad |= sealwire_otr_seal(&key, nonce, ad, ad_len, sealed, len, tag);
  for (size_t i = 0; i < times; i++) {
    switch (argv[1][0]) {
    case 's':
      bad |= sealwire_otr_seal(&key, nonce, ad, ad_len, message, len, tag);
      break;
    case 'o':
      memcpy(message, sealed, len);
      bad |= sealwire_otr_open(&key, nonce, ad, ad_len, message, len, tag);
      break;
    default:
      bad |= sealwire_otr_set_key(&key, key_bytes, (uint8_t)key_len);
    }
  }
  return bad != 0;
}
