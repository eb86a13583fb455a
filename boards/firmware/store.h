/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the flash keeps over power cycles, in its last four sectors: two copies of the record, and the boot counter in a log of two
 * sectors. The counter lies apart from the record so that it grows over provisioning and zeroise too. Layout: docs/firmware.md.
 *
 * No write is trusted: each is read back. Power may fail in any of them. The record is then the old or the new one, whole; the counter
 * passes over every value that may have been written.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

#define STORE_BASE 0x7fc000u /* of an 8 MiB flash */

/* What somebody provisions, as it stands in the record and in the console's command. */
typedef struct {
  uint8_t local_id[8], peer_id[8], local_mac[6], peer_mac[6];
  uint8_t t_rekey[4], t_max[4]; /* ms, low byte first */
  uint8_t psk[64];
  uint8_t seed[32];
} settings;

typedef enum { STORE_OK, STORE_EMPTY, STORE_BROKEN, STORE_WRITE_FAILED, STORE_COUNTER_LOST, STORE_COUNTER_SPENT } store_result;

bool settings_sound(const settings *given); /* ids differ and are not 0, timers in range, keys not blank, MACs of one station */
bool settings_keyed(const settings *given); /* there is a pre-shared key: it is not all zeros */

/* The newest whole record, of which both copies are made one. */
store_result store_load(settings *found, uint32_t *floor);
/* The boot counter at this time goes into the record as its floor: a log that holds less has been lost. Without a log one begins,
   unless the record has this seed already: STORE_COUNTER_LOST. */
store_result store_save(const settings *given);
/* Overwrites both copies, then erases them. */
store_result store_erase(void);
/* The next value of the boot counter, above `floor` and every earlier one, which stands in the flash when this returns STORE_OK. */
store_result store_count(uint32_t floor, uint32_t *counter);

#endif
