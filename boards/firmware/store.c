/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include "bytes.h"
#include "flash.h"

#define RECORD_MAGIC 0x44525753u /* "SWRD" */
#define RECORD_FORMAT 1u
#define ENTRY_MAGIC 0x54435753u /* "SWCT" */
#define COUNTER_LIMIT 0x7fffffffu /* the link's hellos have the counter in the upper half of 63 bits */

typedef struct {
  uint8_t magic[4], format[4];
  uint8_t sequence[4]; /* grows with every provisioning */
  uint8_t floor[4];    /* the boot counter then */
  settings body;
  uint8_t crc[4]; /* of everything before it */
} record;
_Static_assert(sizeof(record) == 152, "the record is as docs/firmware.md has it");

typedef struct {
  uint8_t magic[4], counter[4], zero[4];
  uint8_t crc[4];
} entry;
_Static_assert(sizeof(entry) == 16, "the entry is as docs/firmware.md has it");

/* ---- both copies of the record ---- */

static uint32_t copy_address(unsigned copy) {
  return STORE_BASE + copy * FLASH_SECTOR;
}

static bool record_whole(const record *r) {
  return get32(r->magic) == RECORD_MAGIC && get32(r->format) == RECORD_FORMAT &&
         get32(r->crc) == crc32((const uint8_t *)r, sizeof *r - sizeof r->crc) && settings_sound(&r->body);
}

static bool copy_write(unsigned copy, const record *r) {
  record back;
  bool same = flash_erase(copy_address(copy)) && flash_program(copy_address(copy), (const uint8_t *)r, sizeof *r);
  if (same) {
    flash_read(copy_address(copy), (uint8_t *)&back, sizeof back);
    same = bytes_equal((const uint8_t *)&back, (const uint8_t *)r, sizeof back);
  }
  bytes_wipe(&back, sizeof back);
  return same;
}

/* Reads both copies; returns the one that counts, -1 if none does. `blank`: neither was ever written. */
static int newest(record both[2], bool *blank) {
  bool whole[2];
  *blank = true;
  for (unsigned i = 0; i < 2; i++) {
    flash_read(copy_address(i), (uint8_t *)&both[i], sizeof both[i]);
    whole[i] = record_whole(&both[i]);
    *blank = *blank && bytes_all((const uint8_t *)&both[i], 0xff, sizeof both[i]);
  }
  if (whole[0] && whole[1]) return get32(both[1].sequence) > get32(both[0].sequence);
  return whole[0] ? 0 : whole[1] ? 1 : -1;
}

bool settings_sound(const settings *given) {
  uint32_t t_rekey = get32(given->t_rekey), t_max = get32(given->t_max);
  return !bytes_all(given->local_id, 0, 8) && !bytes_all(given->peer_id, 0, 8) &&
         !bytes_equal(given->local_id, given->peer_id, 8) && !((given->local_mac[0] | given->peer_mac[0]) & 1) &&
         t_rekey >= 4000 && t_max >= 8000 && t_max - 4000 >= t_rekey &&
         !(settings_keyed(given) && bytes_all(given->psk, given->psk[0], sizeof given->psk)) &&
         !bytes_all(given->seed, given->seed[0], sizeof given->seed);
}

bool settings_keyed(const settings *given) { return !bytes_all(given->psk, 0, sizeof given->psk); }

store_result store_load(settings *found, uint32_t *floor) {
  record both[2];
  bool blank;
  int chosen = newest(both, &blank);
  store_result result = blank ? STORE_EMPTY : STORE_BROKEN;
  if (chosen >= 0) {
    const record *r = &both[chosen];
    *found = r->body;
    *floor = get32(r->floor);
    result = STORE_OK;
    /* An old copy would be an old key, and a broken one no spare. */
    if (!bytes_equal((const uint8_t *)&both[0], (const uint8_t *)&both[1], sizeof both[0]) && !copy_write((unsigned)!chosen, r))
      result = STORE_WRITE_FAILED;
  }
  bytes_wipe(both, sizeof both);
  return result;
}

store_result store_erase(void) {
  uint8_t zeros[FLASH_PAGE], back[FLASH_PAGE];
  bool gone = true;
  memset(zeros, 0, sizeof zeros);
  /* Programming takes a millisecond, erasing up to 400: zeros first make both copies worthless at once. */
  for (unsigned i = 0; i < 2; i++) gone = flash_program(copy_address(i), zeros, sizeof zeros) && gone;
  for (unsigned i = 0; i < 2; i++) {
    gone = flash_erase(copy_address(i)) && gone;
    flash_read(copy_address(i), back, sizeof back);
    gone = bytes_all(back, 0xff, sizeof back) && gone;
  }
  bytes_wipe(back, sizeof back);
  return gone ? STORE_OK : STORE_WRITE_FAILED;
}

/* ---- the boot counter ---- */

#define ENTRIES 32u /* of a sector; an eighth of it, so that a boot reads 1 KiB and not 8 */

typedef struct {
  uint32_t highest; /* 0: none */
  uint32_t doubtful; /* entries that are neither whole nor blank */
  unsigned sector;   /* of the highest */
  unsigned next;     /* the entry behind the last one of that sector that is not blank */
} log_state;

static uint32_t entry_address(unsigned sector, unsigned at) {
  return STORE_BASE + (2 + sector) * FLASH_SECTOR + at * (unsigned)sizeof(entry);
}

static log_state log_read(void) {
  log_state log = {0, 0, 0, 0};
  unsigned next[2] = {0, 0};
  for (unsigned sector = 0; sector < 2; sector++)
    for (unsigned at = 0; at < ENTRIES; at++) {
      entry e;
      flash_read(entry_address(sector, at), (uint8_t *)&e, sizeof e);
      if (bytes_all((const uint8_t *)&e, 0xff, sizeof e)) continue;
      next[sector] = at + 1;
      uint32_t counter = get32(e.counter);
      if (get32(e.magic) != ENTRY_MAGIC || get32(e.zero) != 0 || counter == 0 || counter > COUNTER_LIMIT ||
          get32(e.crc) != crc32((const uint8_t *)&e, sizeof e - sizeof e.crc)) {
        log.doubtful++;
      } else if (counter > log.highest) {
        log.highest = counter;
        log.sector = sector;
      }
    }
  log.next = next[log.sector];
  return log;
}

static bool entry_write(unsigned sector, unsigned at, uint32_t counter) {
  entry e, back;
  put32(e.magic, ENTRY_MAGIC);
  put32(e.counter, counter);
  put32(e.zero, 0);
  put32(e.crc, crc32((const uint8_t *)&e, sizeof e - sizeof e.crc));
  if (!flash_program(entry_address(sector, at), (const uint8_t *)&e, sizeof e)) return false;
  flash_read(entry_address(sector, at), (uint8_t *)&back, sizeof back);
  return bytes_equal((const uint8_t *)&e, (const uint8_t *)&back, sizeof e);
}

store_result store_count(uint32_t floor, uint32_t *counter) {
  log_state log = log_read();
  if (log.highest == 0 || log.highest < floor) return STORE_COUNTER_LOST;
  /* A doubtful entry may be a value that was in use and has rotted since. */
  if (log.highest > COUNTER_LIMIT - 1 - log.doubtful) return STORE_COUNTER_SPENT;
  uint32_t value = log.highest + 1 + log.doubtful;
  unsigned sector = log.sector, at = log.next;
  if (at == ENTRIES) { /* full: on in the other sector, whose values are all lower */
    sector = !sector;
    at = 0;
    if (!flash_erase(entry_address(sector, 0))) return STORE_WRITE_FAILED;
  }
  if (!entry_write(sector, at, value)) return STORE_WRITE_FAILED;
  *counter = value;
  return STORE_OK;
}

/* The highest value of the log. One that holds none, or less than `floor`, has been lost or was never begun: it begins anew. */
static store_result log_begin(uint32_t floor, bool may_begin, uint32_t *highest) {
  log_state log = log_read();
  *highest = log.highest;
  if (log.highest != 0 && log.highest >= floor) return STORE_OK;
  *highest = floor + 1 + log.doubtful;
  if (!may_begin) return STORE_COUNTER_LOST;
  bool begun = flash_erase(entry_address(0, 0)) && flash_erase(entry_address(1, 0)) && entry_write(0, 0, *highest);
  return begun ? STORE_OK : STORE_WRITE_FAILED;
}

store_result store_save(const settings *given) {
  record both[2], r;
  bool blank;
  uint32_t floor = 0;
  int old = newest(both, &blank);
  /* Values of R follow from seed and counter: a seed that was in use needs the counter that it had. */
  bool known_seed = old >= 0 && bytes_equal(both[old].body.seed, given->seed, sizeof given->seed);
  store_result result = log_begin(old >= 0 ? get32(both[old].floor) : 0, !known_seed, &floor);
  if (result == STORE_OK) {
    put32(r.magic, RECORD_MAGIC);
    put32(r.format, RECORD_FORMAT);
    put32(r.sequence, old < 0 ? 1 : get32(both[old].sequence) + 1);
    put32(r.floor, floor);
    r.body = *given;
    put32(r.crc, crc32((const uint8_t *)&r, sizeof r - sizeof r.crc));
    unsigned first = old < 0 ? 0 : (unsigned)!old; /* the old record stays until the new one stands */
    if (!copy_write(first, &r) || !copy_write(!first, &r)) result = STORE_WRITE_FAILED;
  }
  bytes_wipe(both, sizeof both);
  bytes_wipe(&r, sizeof r);
  return result;
}
