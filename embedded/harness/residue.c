/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes each call on a stack of its own and looks there for secrets afterwards: words of the key, of its round keys and of
 * E(0), the mask that associated data starts from. Prints a line for every kind that it finds, and fails then.
 */
#define _XOPEN_SOURCE 700
#include "cipher.h"

#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#define MESSAGE 300

static uint8_t stack[1 << 16];
static ucontext_t here, there;
static sealwire_otr_key key;
static uint8_t key_bytes[32], nonce[SEALWIRE_OTR_NONCE], ad[150], msg[MESSAGE], tag[SEALWIRE_OTR_TAG];
static int status;

static void set_key(void) { status = sealwire_otr_set_key(&key, key_bytes, sizeof key_bytes); }
static void seal(void) { status = sealwire_otr_seal(&key, nonce, ad, sizeof ad, msg, sizeof msg, tag); }
static void open(void) { status = sealwire_otr_open(&key, nonce, ad, sizeof ad, msg, sizeof msg, tag); }

static int run(void (*call)(void)) {
  memset(stack, 0xc5, sizeof stack);
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, call, 0);
  swapcontext(&here, &there);
  return status;
}

/* Whether a word of the secret lies on the stack; words that say nothing are left out. */
static int found(const char *call, const char *name, const void *secret, size_t len) {
  for (size_t i = 0; i + 4 <= len; i += 4) {
    const uint8_t *word = (const uint8_t *)secret + i;
    if (word[0] == word[1] && word[1] == word[2] && word[2] == word[3]) continue;
    for (size_t at = 0; at + 4 <= sizeof stack; at++) {
      if (memcmp(stack + at, word, 4)) continue;
      printf("%s leaves a word of %s, 4 bytes of it from byte %zu\n", call, name, i);
      return 1;
    }
  }
  return 0;
}

int main(void) {
  void (*const calls[])(void) = {set_key, seal, open};
  const char *const names[] = {"set_key", "seal", "open"};
  uint8_t mask[OTR_BLOCK] = {0};
  int any = 0;
  for (unsigned i = 0; i < sizeof key_bytes; i++) key_bytes[i] = (uint8_t)(i * i * 29 + i * 7 + 101);
  for (unsigned i = 0; i < sizeof msg; i++) msg[i] = (uint8_t)(i * 13 + 5);
  if (sealwire_otr_set_key(&key, key_bytes, sizeof key_bytes)) return 2;
  otr_cipher(&key, 1, mask, 0, mask, 0, mask);
  for (int i = 0; i < 3; i++) {
    if (run(calls[i])) return 2;
    any |= found(names[i], "the key", key_bytes, sizeof key_bytes);
    any |= found(names[i], "a round key", key.schedule, sizeof key.schedule);
    any |= found(names[i], "E(0)", mask, sizeof mask);
  }
  return any;
}
