/* SPDX-License-Identifier: Apache-2.0 */
/*
 * R of the link's handshakes: BLAKE2s with the seed as key, of "sealwire board R" || boot counter (4) || call counter (4) || noise (128),
 * numbers low byte first. Boot counter and call counter never stand together twice, so neither does R, whatever the noise is.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_NOISE_WORDS 32u
#define RANDOM_NOISE_MS 200u /* how long noise is waited for; without it R is unpredictable to those who lack the seed only */

typedef struct {
  uint8_t seed[32];
  uint32_t boot, calls;
} random_state;

bool random_next(random_state *state, uint8_t r[32]); /* false: all values of this boot are spent */

#endif
