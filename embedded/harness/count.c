/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does one call some times: what it executes for two times, less what it executes for one, is one call.
 *
 *   count-... seal|key BYTES TIMES SEED
 */
#include "sealwire_otr.h"

#include <stdlib.h>
#include <string.h>

static uint8_t message[1 << 16];

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const size_t len = (size_t)strtoul(argv[2], NULL, 10);
  const unsigned long times = strtoul(argv[3], NULL, 10);
  uint8_t key_bytes[16], nonce[SEALWIRE_OTR_NONCE] = {0}, tag[SEALWIRE_OTR_TAG] = {0};
  sealwire_otr_key key;
  if (len > sizeof message) return 2;
  memset(key_bytes, (int)strtoul(argv[4], NULL, 10), sizeof key_bytes);
  memset(message, key_bytes[0], sizeof message);
  int bad = sealwire_otr_set_key(&key, key_bytes, sizeof key_bytes);
  for (unsigned long i = 0; i < times; i++) {
    if (argv[1][0] == 's') bad |= sealwire_otr_seal(&key, nonce, NULL, 0, message, len, tag);
    if (argv[1][0] == 'k') bad |= sealwire_otr_set_key(&key, key_bytes, sizeof key_bytes);
  }
  return bad != 0;
}
