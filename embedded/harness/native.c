/* SPDX-License-Identifier: Apache-2.0 */
/* The library where it was compiled for: this machine, or one that qemu plays. */
#include "protocol.h"
#include "sealwire_otr.h"

#include <stdlib.h>
#include <string.h>

int start_runner(int argc, char **argv) {
  (void)argc;
  (void)argv;
  return 0;
}

/* Both calls with a key that is not ready: their result is SEALWIRE_OTR_KEY, and they write nothing. */
static int refused(const sealwire_otr_key *key, const call *c) {
  uint8_t tag[SEALWIRE_OTR_TAG], *msg = malloc(c->len + 1);
  memcpy(tag, c->tag, sizeof tag);
  if (c->len) memcpy(msg, c->msg, c->len);
  int same = sealwire_otr_seal(key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag) == SEALWIRE_OTR_KEY;
  same &= sealwire_otr_open(key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag) == SEALWIRE_OTR_KEY;
  same &= !memcmp(tag, c->tag, sizeof tag) && (c->len == 0 || !memcmp(msg, c->msg, c->len));
  free(msg);
  return same;
}

int run_call(const call *c, cost *spent, const char **why) {
  sealwire_otr_key key;
  int result = sealwire_otr_set_key(&key, c->key, (uint8_t)c->key_len);
  (void)spent;
  if (result) {
    *why = refused(&key, c) ? REFUSED : TAKEN;
    return 1;
  }
  if (c->open) {
    result = sealwire_otr_open(&key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag);
  } else {
    result = sealwire_otr_seal(&key, c->nonce, c->ad, c->ad_len, c->msg, c->len, c->tag);
  }
  sealwire_otr_clear(&key);
  if (!refused(&key, c)) {
    *why = TAKEN;
    return 1;
  }
  return result;
}
