/* SPDX-License-Identifier: Apache-2.0 */
#include "phy.h"

#include "hardware.h"

/* Registers and bits of IEEE 802.3, clauses 22 and 40. */
enum { CONTROL = 0, STATUS = 1, IDENTIFIER = 2, ADVERTISEMENT = 4, GIGABIT_CONTROL = 9 };
#define CONTROL_NEGOTIATE 0x1200u      /* auto-negotiation on, and begun anew */
#define ADVERTISEMENT_NOTHING 0x0001u  /* IEEE 802.3, no speed below 1000, no PAUSE */
#define GIGABIT_FULL 0x0200u
#define STATUS_LINK 0x0004u            /* falls with the cable's link, and stays so until it was read */

#define RESET_MS 20u
#define WAKE_MS 50u

static uint32_t there[2]; /* PHYs that took the settings: a bit for each address of a bus */

static void wait(uint32_t ms) {
  uint32_t start = hw_milliseconds();
  while (hw_milliseconds() - start < ms) {}
}

static bool set_up(unsigned bus, unsigned phy) {
  uint16_t value;
  if (!hw_mdio_read(bus, phy, IDENTIFIER, &value) || value == 0xffff) return false;
  hw_mdio_write(bus, phy, ADVERTISEMENT, ADVERTISEMENT_NOTHING);
  hw_mdio_write(bus, phy, GIGABIT_CONTROL, GIGABIT_FULL);
  if (!hw_mdio_read(bus, phy, GIGABIT_CONTROL, &value) || (value & 0x0300u) != GIGABIT_FULL) return false;
  hw_mdio_write(bus, phy, CONTROL, CONTROL_NEGOTIATE);
  return true;
}

unsigned phy_set_up(void) {
  unsigned found = 0;
  hw_phy_reset(true);
  wait(RESET_MS);
  hw_phy_reset(false);
  wait(WAKE_MS);
  for (unsigned bus = 0; bus < 2; bus++)
    for (unsigned phy = 0; phy < 32; phy++)
      if (set_up(bus, phy)) {
        there[bus] |= 1u << phy;
        found++;
      }
  return found;
}

unsigned phy_cables(void) {
  unsigned up = 0;
  for (unsigned bus = 0; bus < 2; bus++)
    for (unsigned phy = 0; phy < 32; phy++) {
      uint16_t value;
      if (!(there[bus] >> phy & 1)) continue;
      hw_mdio_read(bus, phy, STATUS, &value); /* of the time since it was last read */
      up += hw_mdio_read(bus, phy, STATUS, &value) && value != 0xffff && value & STATUS_LINK;
    }
  return up;
}
