/* SPDX-License-Identifier: Apache-2.0 */
#include "flash.h"

#include "hardware.h"

enum { PAGE_PROGRAM = 0x02, READ = 0x03, READ_STATUS = 0x05, WRITE_ENABLE = 0x06, SECTOR_ERASE = 0x20, RELEASE_POWER_DOWN = 0xab };
#define BUSY 1u
#define LONGEST_MS 1000u /* a sector takes 400 at most */

static void begin(uint8_t command) {
  hw_flash_select(true);
  hw_flash_byte(command);
}

static void address_bytes(uint32_t address) {
  for (unsigned i = 3; i-- > 0;) hw_flash_byte((uint8_t)(address >> 8 * i));
}

static bool ready(void) {
  uint32_t start = hw_milliseconds();
  do {
    begin(READ_STATUS);
    uint8_t status = hw_flash_byte(0);
    hw_flash_select(false);
    if (!(status & BUSY)) return true;
  } while (hw_milliseconds() - start < LONGEST_MS);
  return false;
}

/* What loads the bitstream may leave the flash asleep. */
static void command(uint8_t code) {
  begin(code);
  hw_flash_select(false);
}

void flash_read(uint32_t address, uint8_t *data, unsigned count) {
  command(RELEASE_POWER_DOWN);
  ready();
  begin(READ);
  address_bytes(address);
  while (count--) *data++ = hw_flash_byte(0);
  hw_flash_select(false);
}

bool flash_program(uint32_t address, const uint8_t *data, unsigned count) {
  command(WRITE_ENABLE);
  begin(PAGE_PROGRAM);
  address_bytes(address);
  while (count--) hw_flash_byte(*data++);
  hw_flash_select(false);
  return ready();
}

bool flash_erase(uint32_t address) {
  command(WRITE_ENABLE);
  begin(SECTOR_ERASE);
  address_bytes(address);
  hw_flash_select(false);
  return ready();
}
