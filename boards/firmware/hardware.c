/* SPDX-License-Identifier: Apache-2.0 */
/* The board: registers of board_registers.sv, which documents their bits, and the window onto those of the link. */
#include "hardware.h"

#include "bytes.h"

#define REGISTER(block, index) (*(volatile uint32_t *)(0x20000000u + 256 * (block) + 4 * (index)))
#define UART_DATA REGISTER(0, 0)
#define UART_STATUS REGISTER(0, 1)
#define FLASH_DATA REGISTER(1, 0)
#define FLASH_SELECT REGISTER(1, 1)
#define MDIO REGISTER(2, 0)
#define PINS REGISTER(3, 0)
#define TIME_MS REGISTER(4, 0)
#define TIME_CYCLES REGISTER(4, 1)
#define NOISE_WORD REGISTER(5, 0)
#define NOISE_STATUS REGISTER(5, 1)
#define RANDOM_WORD(i) REGISTER(6, i)
#define RANDOM_COMMAND REGISTER(6, 8)
#define LINE_COUNT(i) REGISTER(7, i)
#define LINK(address) (*(volatile uint32_t *)(0x10000000u + (address)))

static uint32_t pins; /* what stands in PINS: LEDs and reset of the PHYs */

uint32_t hw_milliseconds(void) { return TIME_MS; }
uint32_t hw_ms_cycles(void) { return TIME_CYCLES; }

int hw_uart_get(void) {
  uint32_t got = UART_DATA;
  return got & 0x100 ? (int)(got & 0xff) : -1;
}

void hw_uart_put(uint8_t byte) {
  while (!(UART_STATUS & 1)) {}
  UART_DATA = byte;
}

void hw_flash_select(bool on) { FLASH_SELECT = on; }

uint8_t hw_flash_byte(uint8_t byte) {
  uint32_t got;
  FLASH_DATA = byte;
  do got = FLASH_DATA;
  while (got & 0x100);
  return (uint8_t)got;
}

static uint32_t mdio(uint32_t frame) {
  uint32_t got;
  MDIO = frame;
  do got = MDIO;
  while (got >> 31);
  return got;
}

void hw_mdio_write(unsigned bus, unsigned phy, unsigned reg, uint16_t value) {
  mdio(bus << 31 | 1u << 30 | phy << 21 | reg << 16 | value);
}

bool hw_mdio_read(unsigned bus, unsigned phy, unsigned reg, uint16_t *value) {
  uint32_t got = mdio(bus << 31 | phy << 21 | reg << 16);
  *value = (uint16_t)got;
  return got >> 30 & 1;
}

void hw_phy_reset(bool on) {
  pins = (pins & ~0x10u) | (on ? 0x10u : 0);
  PINS = pins;
}

bool hw_button(void) { return PINS & 1; }
bool hw_bus_fault(void) { return PINS >> 1 & 1; }

void hw_leds(bool runs, bool refuses) {
  pins = (pins & ~0xcu) | (runs ? 4u : 0) | (refuses ? 8u : 0);
  PINS = pins;
}

uint32_t hw_line_count(unsigned index) { return LINE_COUNT(index); }

bool hw_noise_word(uint32_t *word) {
  if (!(NOISE_STATUS & 1)) return false;
  *word = NOISE_WORD;
  return true;
}

unsigned hw_noise_alarm(void) { return NOISE_STATUS >> 8 & 7; }
void hw_noise_clear(void) { NOISE_STATUS = 0x700; }

bool hw_noise_lost(void) {
  bool lost = NOISE_STATUS & 2;
  NOISE_STATUS = 2;
  return lost;
}

bool hw_random_waits(void) { return RANDOM_COMMAND & 1; }

void hw_random_give(const uint8_t value[32]) {
  for (unsigned i = 0; i < 8; i++) RANDOM_WORD(i) = get32(value + 4 * i);
  RANDOM_COMMAND = 1;
}

void hw_zeroise(void) { RANDOM_COMMAND = 2; }

uint32_t hw_link_read(unsigned address) { return LINK(address); }
void hw_link_write(unsigned address, uint32_t word) { LINK(address) = word; }
