/* SPDX-License-Identifier: Apache-2.0 */
/* A program that holds the library and does nothing: simavr.c calls the functions in it. */
#include "sealwire_otr.h"

typedef void (*entry)(void);
volatile entry keep[4];

int main(void) {
  keep[0] = (entry)sealwire_otr_set_key;
  keep[1] = (entry)sealwire_otr_seal;
  keep[2] = (entry)sealwire_otr_open;
  keep[3] = (entry)sealwire_otr_clear;
  for (;;) {
  }
}
