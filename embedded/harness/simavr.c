/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library on a simulated ATmega128. Arguments are written where avr-gcc's calling convention wants them and the
 * function is entered as by `rcall`; it has returned when the program counter is back. So the cycles are those of the function
 * alone, from its first instruction to the end of its `ret`.
 *
 *   run-avr FIRMWARE SET_KEY SEAL OPEN CLEAR     (byte addresses of the functions, in hexadecimal)
 *
 * The memory is that of the ATmega128 with 60 KiB of external RAM, whose wait states are not modelled: figures are taken from
 * messages that would fit into the 4 KiB inside, and nothing in the code asks where its buffers lie.
 */
#include "protocol.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY 0x0200      /* sealwire_otr_key */
#define KEY_BYTES 0x0240
#define NONCE 0x0260
#define TAG 0x0270
#define STACK 0x0fff    /* grows down, to 0x0300 */
#define STACK_END 0x0300
#define BUFFERS 0x1100  /* AD, then message */
#define MEMORY_END 0xffff
#define RETURN 0x1fff0  /* a byte address that holds no code */
#define LIMIT 100000000UL
#define PAINT 0xc5

enum { SET_KEY, SEAL, OPEN, CLEAR, FUNCTIONS };

static avr_t *avr;
static avr_flashaddr_t function[FUNCTIONS];

/* Standard output is for answers. */
static void log_to_stderr(avr_t *from, const int level, const char *format, va_list values) {
  (void)from;
  if (level <= LOG_ERROR) vfprintf(stderr, format, values);
}

int start_runner(int argc, char **argv) {
  static elf_firmware_t firmware;
  avr_global_logger_set(log_to_stderr);
  if (argc != 2 + FUNCTIONS || elf_read_firmware(argv[1], &firmware)) {
    fprintf(stderr, "usage: run-avr FIRMWARE SET_KEY SEAL OPEN CLEAR\n");
    return 1;
  }
  for (int i = 0; i < FUNCTIONS; i++) function[i] = (avr_flashaddr_t)strtoul(argv[2 + i], NULL, 16);
  avr = avr_make_mcu_by_name("atmega128");
  if (!avr) return 1;
  avr->ramend = MEMORY_END;
  avr->log = LOG_ERROR;
  avr_init(avr);
  avr_load_firmware(avr, &firmware);
  return 0;
}

static void set_word(uint8_t reg, uint16_t value) {
  avr->data[reg] = (uint8_t)value;
  avr->data[reg + 1] = (uint8_t)(value >> 8);
}

/* Calls with `count` 16-bit arguments. 0 unless the processor stopped or ran too long. */
static int enter(int which, const uint16_t *argument, int count, unsigned long *cycles, unsigned long *stack) {
  memset(avr->data + STACK_END, PAINT, STACK + 1 - STACK_END);
  for (int i = 0; i < count; i++) set_word((uint8_t)(24 - 2 * i), argument[i]);
  avr->data[1] = 0;
  avr->data[STACK] = (RETURN / 2) & 0xff;
  avr->data[STACK - 1] = (uint8_t)(RETURN / 2 >> 8);
  set_word(0x5d, STACK - 2); /* SPL, SPH */
  avr->pc = function[which];
  avr->state = cpu_Running;
  const avr_cycle_count_t begin = avr->cycle;
  while (avr->pc != RETURN) {
    avr->pc = avr_run_one(avr);
    if (avr->state != cpu_Running || avr->cycle - begin > LIMIT) return 1;
  }
  *cycles = (unsigned long)(avr->cycle - begin);
  int low = STACK_END;
  while (low <= STACK && avr->data[low] == PAINT) low++;
  *stack = (unsigned long)(STACK + 1 - low);
  return 0;
}

static int result(void) { return (int16_t)(avr->data[24] | avr->data[25] << 8); }

/* The caller's scratch registers that held words of a round key are 0. */
static int forgotten(void) {
  const uint8_t *r = avr->data;
  return !(r[18] | r[19] | r[20] | r[22] | r[23]);
}

/* Both calls with a key that is not ready: their result is SEALWIRE_OTR_KEY, and they write nothing. */
static int refused(const uint16_t *argument, const call *c) {
  cost unused;
  uint8_t before[MEMORY_END - BUFFERS], tag[16];
  const size_t len = c->ad_len + c->len;
  memcpy(before, avr->data + BUFFERS, len);
  memcpy(tag, avr->data + TAG, 16);
  for (int which = SEAL; which <= OPEN; which++)
    if (enter(which, argument, 7, &unused.cycles, &unused.stack) || result() != -2) return 0;
  return !memcmp(before, avr->data + BUFFERS, len) && !memcmp(tag, avr->data + TAG, 16);
}

int run_call(const call *c, cost *spent, const char **why) {
  const size_t msg = BUFFERS + c->ad_len, end = msg + c->len;
  unsigned long unused;
  if (end > MEMORY_END) {
    *why = "larger than the memory";
    return 1;
  }
  if (c->key_len) memcpy(avr->data + KEY_BYTES, c->key, c->key_len);
  const uint16_t keys[] = {KEY, KEY_BYTES, (uint16_t)c->key_len};
  if (enter(SET_KEY, keys, 3, &spent->key_cycles, &unused)) goto stopped;
  const int ready = result() == 0;
  if (ready && !forgotten()) goto held;
  memcpy(avr->data + NONCE, c->nonce, 12);
  if (c->ad_len) memcpy(avr->data + BUFFERS, c->ad, c->ad_len);
  if (c->len) memcpy(avr->data + msg, c->msg, c->len);
  memcpy(avr->data + TAG, c->tag, 16);
  const uint16_t arguments[] = {KEY, NONCE, BUFFERS, (uint16_t)c->ad_len, (uint16_t)msg, (uint16_t)c->len, TAG};
  if (!ready) {
    *why = refused(arguments, c) ? REFUSED : TAKEN;
    return 1;
  }
  if (enter(c->open ? OPEN : SEAL, arguments, 7, &spent->cycles, &spent->stack)) goto stopped;
  if (!forgotten()) goto held;
  const int answer = result();
  if (c->len) memcpy(c->msg, avr->data + msg, c->len);
  memcpy(c->tag, avr->data + TAG, 16);
  if (enter(CLEAR, keys, 1, &unused, &unused)) goto stopped;
  if (!refused(arguments, c)) {
    *why = TAKEN;
    return 1;
  }
  return answer;
held:
  *why = "registers hold words of a round key";
  return 1;
stopped:
  *why = "the processor stopped or ran for a hundred million cycles";
  return 1;
}
