/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include "blake2s.h"
#include "bytes.h"
#include "hardware.h"

static const char LABEL[] = "sealwire board R";

bool random_next(random_state *state, uint8_t r[32]) {
  blake2s hash;
  uint8_t word[4];
  if (state->boot == 0 || state->calls == UINT32_MAX) return false;
  state->calls++; /* before the value exists */
  blake2s_begin(&hash, state->seed);
  blake2s_take(&hash, (const uint8_t *)LABEL, sizeof LABEL - 1);
  put32(word, state->boot);
  blake2s_take(&hash, word, sizeof word);
  put32(word, state->calls);
  blake2s_take(&hash, word, sizeof word);
  uint32_t start = hw_milliseconds();
  for (unsigned taken = 0; taken < RANDOM_NOISE_WORDS;) {
    uint32_t raw = 0;
    bool there = hw_noise_word(&raw);
    if (!there && hw_milliseconds() - start < RANDOM_NOISE_MS) continue;
    put32(word, raw);
    blake2s_take(&hash, word, sizeof word);
    taken++;
  }
  blake2s_end(&hash, r);
  bytes_wipe(word, sizeof word);
  return true;
}
