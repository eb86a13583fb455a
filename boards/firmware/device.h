/* SPDX-License-Identifier: Apache-2.0 */
/* The device: it boots from the record, gives the link R, and forgets everything when told to. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

typedef enum {
  DEVICE_RUNS,
  DEVICE_EMPTY,          /* never provisioned, or zeroised */
  DEVICE_BROKEN,         /* neither copy of the record is whole */
  DEVICE_WRITE_FAILED,   /* the flash does not hold what was written */
  DEVICE_COUNTER_LOST,   /* the log holds no boot counter, or one below that of the record */
  DEVICE_COUNTER_SPENT,
  DEVICE_NO_LINK,        /* no link of this register map answers, or it refused the key */
  DEVICE_NOT_ERASED,     /* a zeroise left something in the flash */
} device_state;

void device_start(void); /* after reset: PHYs, and a boot */
void device_step(void);  /* again and again: R, button, resets of the link */
bool device_provision(const settings *given);
bool device_zeroise(void);
void device_noise_clear(void);

device_state device_now(void);
uint32_t device_boot(void);  /* the boot counter; 0 if nothing runs */
uint32_t device_calls(void); /* values of R that this boot has made */
unsigned device_phys(void);

#endif
