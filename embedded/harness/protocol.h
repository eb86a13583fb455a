/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A runner reads one call a line and answers with one line:
 *
 *   seal KEY NONCE AD PT        ->  ok CIPHERTEXT TAG COST
 *   open KEY NONCE AD CT TAG    ->  ok PLAINTEXT - COST   or   forged BUFFER - COST
 *
 * Fields are hexadecimal, `-` if empty. COST is `cycles,key_cycles,stack` on a simulator and 0,0,0 elsewhere; stack is in bytes,
 * return address of the call included. An answer that starts with `error` says why there is none.
 * With every key that was refused, and with every one after its use and clearing, both calls are made too: they must
 * refuse it and write nothing.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint8_t open;
  const uint8_t *key, *nonce, *ad;
  size_t key_len, ad_len, len;
  uint8_t *msg;
  uint8_t *tag;
} call;

typedef struct {
  unsigned long cycles, key_cycles, stack;
} cost;

#define REFUSED "the key has a length that the build does not take"
#define TAKEN "a call took a key that was refused or cleared"

/* Runs the call in place; the library's result, or 1 with `why`. */
int run_call(const call *c, cost *spent, const char **why);

/* Whatever the runner needs: its arguments after the name. 0 if it is ready. */
int start_runner(int argc, char **argv);

#endif
