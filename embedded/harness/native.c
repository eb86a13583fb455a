/* SPDX-License-Identifier: Apache-2.0 */
/* The library where it was compiled for: this machine, or one that qemu plays. */
#include "protocol.h"
#include "sealwire_otr.h"

int start_runner(int argc, char **argv) {
  (void)argc;
  (void)argv;
  return 0;
}

int run_call(const call *c, cost *spent, const char **why) {
  sealwire_otr_key key;
  int result = sealwire_otr_set_key(&key, c->key, (uint8_t)c->key_len);
  (void)spent;
  if (result) {
    *why = "the key has a length that the build does not take";
    return 1;
  }
  if (c->open) {
    result = sealwire_otr_open(&key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag);
  } else {
    sealwire_otr_seal(&key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag);
  }
  sealwire_otr_clear(&key);
  return result;
}
