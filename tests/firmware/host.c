/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware on the host: a model of the board that answers hardware.h, with a flash (commands of the W25Q64) whose power fails
 * after any byte that it writes. host.py drives it.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "blake2s.h"
#include "bytes.h"
#include "console.h"
#include "device.h"
#include "hardware.h"
#include "sealwire_link_regs.h"
#include "store.h"

#define KEPT (4 * 4096)
#define VALUES 4096
#define OUTPUT 65536

/* The variables of the firmware, which a power cycle makes zero; the build gathers them in a section of this name. */
extern char __start_firmware_bss[], __stop_firmware_bss[];

typedef struct {
  uint8_t flash[KEPT];
  long budget;    /* bytes that the flash still writes before the power fails; below 0: no end */
  int writable;   /* 0: programs and erases do nothing */
  int readable;   /* 0: reads give ff */
  int noise;      /* 0: words of zeros, 1: of a generator, 2: none ever comes, 3: 0 from the next word on */
  int button, link_takes, key_refused, link_there, link_loads;
  uint32_t strayed; /* writes below the four sectors */
  uint32_t values;
  uint8_t r[VALUES][32];
  uint32_t said;
  uint8_t output[OUTPUT];
  uint32_t link[1024];
  uint8_t psk[64]; /* that was committed */
  uint32_t psk_commits, zeroises, board_zeroises;
  uint8_t session[184]; /* that was loaded last */
  uint32_t sessions;
  uint16_t phy[2][32][32];
  uint32_t phys[2]; /* a bit for each address that answers */
  uint32_t cables[2]; /* a bit for each PHY with a link */
  uint32_t slow[2];   /* a bit for each PHY that knows no gigabit */
  uint32_t lines[4];
  int running, refusing, phy_reset, waits;
} board;

board host;

static jmp_buf power_failed;
static uint32_t ms, generator, seed = 1;

static uint32_t drawn(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

/* ---- flash ---- */

static int selected, taken, enabled, busy;
static uint8_t code;
static uint32_t address;
static uint8_t page[256];
static unsigned page_filled;

static uint8_t *cell(uint32_t at) {
  if (at < STORE_BASE || at >= STORE_BASE + KEPT) {
    host.strayed++;
    return NULL;
  }
  return &host.flash[at - STORE_BASE];
}

/* A byte on its way from `*at` to `wanted`; the power may fail within it. */
static void change(uint8_t *at, uint8_t wanted) {
  if (host.budget == 0) {
    uint8_t mixed = (uint8_t)drawn();
    *at = (uint8_t)((*at & mixed) | (wanted & ~mixed));
    longjmp(power_failed, 1);
  }
  if (host.budget > 0) host.budget--;
  *at = wanted;
}

void hw_flash_select(bool on) {
  if (!on && selected && enabled && host.writable) {
    if (code == 0x02 && taken >= 4)
      for (unsigned i = 0; i < page_filled; i++) {
        uint8_t *at = cell((address & ~255u) | ((address + i) & 255u));
        if (at) change(at, *at & page[i]);
      }
    if (code == 0x20 && taken == 4)
      for (uint32_t i = 0; i < 4096; i++) {
        uint8_t *at = cell((address & ~4095u) + i);
        if (at) change(at, 0xff);
      }
  }
  if (!on && selected) {
    if (code == 0x06) enabled = 1;
    if (code == 0x02 || code == 0x20) {
      busy = enabled ? 3 : 0;
      enabled = 0;
    }
  }
  selected = on;
  taken = 0;
  page_filled = 0;
}

uint8_t hw_flash_byte(uint8_t byte) {
  uint8_t answer = 0xff;
  if (!selected) abort();
  if (taken == 0) {
    code = byte;
    address = 0;
    if (busy && code != 0x05) abort(); /* a real one ignores it */
  } else if (code == 0x05) {
    answer = (uint8_t)((busy > 0) | enabled << 1);
    if (busy) busy--;
  } else if (taken < 4) {
    address = address << 8 | byte;
  } else if (code == 0x03) {
    uint8_t *at = cell(address++);
    if (at && host.readable) answer = *at;
  } else if (code == 0x02) {
    page[page_filled++ & 255] = byte;
  }
  taken++;
  return answer;
}

/* ---- the rest of the board ---- */

uint32_t hw_milliseconds(void) { return ms++; }
uint32_t hw_ms_cycles(void) { return 100000; }
int hw_uart_get(void) { return -1; }
void hw_uart_put(uint8_t byte) { host.output[host.said++ % OUTPUT] = byte; }
bool hw_button(void) { return host.button; }
bool hw_bus_fault(void) { return false; }
void hw_phy_reset(bool on) { host.phy_reset = on; }

void hw_leds(bool runs, bool refuses) {
  host.running = runs;
  host.refusing = refuses;
}

void hw_mdio_write(unsigned bus, unsigned phy, unsigned reg, uint16_t value) {
  if (!host.phy_reset && host.phys[bus] >> phy & 1 && !(reg == 9 && host.slow[bus] >> phy & 1)) host.phy[bus][phy][reg] = value;
}

bool hw_mdio_read(unsigned bus, unsigned phy, unsigned reg, uint16_t *value) {
  bool there = !host.phy_reset && host.phys[bus] >> phy & 1;
  *value = there ? host.phy[bus][phy][reg] : 0xffff;
  if (there && reg == 1) host.phy[bus][phy][1] = (uint16_t)(host.cables[bus] >> phy & 1) << 2; /* until it falls again */
  return there;
}

uint32_t hw_line_count(unsigned index) { return host.lines[index]; }

bool hw_noise_word(uint32_t *word) {
  if (host.noise == 3) host.noise = 0;
  generator = generator * 1664525u + 1013904223u;
  *word = host.noise == 1 ? generator : 0;
  return host.noise != 2;
}

unsigned hw_noise_alarm(void) { return host.noise != 1 && host.noise != 3; }
bool hw_noise_lost(void) { return false; }
void hw_noise_clear(void) {}

bool hw_random_waits(void) { return host.waits; }

void hw_random_give(const uint8_t value[32]) {
  memcpy(host.r[host.values++ % VALUES], value, 32);
  host.waits = !host.link_takes;
}

void hw_zeroise(void) {
  host.board_zeroises++;
  host.waits = 0;
}

#define AT(member) (offsetof(sealwire_link_regs_t, member))

/* A link that makes no handshakes takes sessions. */
static void host_ready(void) {
  uint32_t ready = SEALWIRE_LINK_REGS__STATUS__LOAD_READY_bm, *status = &host.link[AT(status) / 4];
  *status = host.link[AT(control) / 4] ? *status & ~ready : *status | ready;
}

uint32_t hw_link_read(unsigned at) {
  return host.link_there ? host.link[at / 4] : 0;
}

void hw_link_write(unsigned at, uint32_t word) {
  uint32_t *status = &host.link[AT(status) / 4];
  if (at == AT(events)) {
    host.link[at / 4] &= ~word;
  } else if (at == AT(command)) {
    if (word & SEALWIRE_LINK_REGS__COMMAND__RESTART_bm) {
      *status = 0;
      host.link[AT(events) / 4] |= SEALWIRE_LINK_REGS__EVENTS__WAS_RESET_bm;
    }
    if (word & SEALWIRE_LINK_REGS__COMMAND__ZEROISE_bm) {
      *status = 0;
      memset(host.psk, 0, sizeof host.psk);
      memset(host.session, 0, sizeof host.session);
      host.zeroises++;
    }
    if (word & SEALWIRE_LINK_REGS__COMMAND__COMMIT_PSK_bm) {
      if (host.key_refused) {
        host.link[AT(events) / 4] |= SEALWIRE_LINK_REGS__EVENTS__PSK_INCOMPLETE_bm;
      } else {
        memcpy(host.psk, &host.link[AT(psk.word) / 4], sizeof host.psk);
        *status |= SEALWIRE_LINK_REGS__STATUS__PSK_HELD_bm;
        host.psk_commits++;
      }
      memset(&host.link[AT(psk.word) / 4], 0, sizeof host.psk);
    }
    if (word & SEALWIRE_LINK_REGS__COMMAND__COMMIT_SESSION_bm) {
      const uint8_t *given = (const uint8_t *)&host.link[AT(session.word) / 4];
      /* Handshakes are off, and both keys differ. */
      int sound = !host.link[AT(control) / 4] && host.link_loads && memcmp(given, given + 64, 64) != 0;
      host.link[AT(events) / 4] |=
          sound ? SEALWIRE_LINK_REGS__EVENTS__SESSION_LOADED_bm : SEALWIRE_LINK_REGS__EVENTS__SESSION_REFUSED_bm;
      if (sound) {
        memcpy(host.session, given, sizeof host.session);
        host.sessions++;
        *status |= SEALWIRE_LINK_REGS__STATUS__SESSION_UP_bm;
      }
      memset(&host.link[AT(session.word) / 4], 0, sizeof host.session);
    }
    host_ready();
  } else {
    host.link[at / 4] = word;
  }
}

/* ---- what host.py calls; each returns 1 if the power failed in it ---- */

/* Power off and on: the flash, and what the host collects, stay. */
void host_cycle(void) {
  memset(__start_firmware_bss, 0, (size_t)(__stop_firmware_bss - __start_firmware_bss));
  memset(host.link, 0, sizeof host.link);
  memset(host.psk, 0, sizeof host.psk);
  memset(host.session, 0, sizeof host.session);
  memset(host.phy, 0, sizeof host.phy);
  host.link[AT(identity) / 4] = SEALWIRE_LINK_REGS__IDENTITY__VALUE_reset;
  host.link[AT(version) / 4] = SEALWIRE_LINK_REGS__VERSION__MAJOR_reset << SEALWIRE_LINK_REGS__VERSION__MAJOR_bp;
  for (unsigned bus = 0; bus < 2; bus++)
    for (unsigned phy = 0; phy < 32; phy++) host.phy[bus][phy][2] = 0x0141;
  selected = taken = enabled = busy = 0;
  host.waits = 0;
  host.said = 0;
  host.psk_commits = 0;
  host.phy_reset = 1;
  generator = 7;
}

int host_start(void) {
  if (setjmp(power_failed)) return 1;
  device_start();
  return 0;
}

int host_step(unsigned times) {
  if (setjmp(power_failed)) return 1;
  while (times--) device_step();
  return 0;
}

int host_bytes(const uint8_t *bytes, unsigned count) {
  if (setjmp(power_failed)) return 1;
  while (count--) console_byte(*bytes++);
  return 0;
}

void host_link_reset(void) {
  host.link[AT(status) / 4] = 0;
  host.link[AT(events) / 4] |= SEALWIRE_LINK_REGS__EVENTS__WAS_RESET_bm;
}

void host_later(uint32_t milliseconds) { ms += milliseconds; }

void host_hash(const uint8_t *key, const uint8_t *data, unsigned count, uint8_t digest[32]) {
  blake2s state;
  blake2s_begin(&state, key);
  blake2s_take(&state, data, count / 3);
  blake2s_take(&state, data + count / 3, count - count / 3);
  blake2s_end(&state, digest);
}
