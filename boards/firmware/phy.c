/* SPDX-License-Identifier: Apache-2.0 */
#include "phy.h"

#include "hardware.h"

/* Registers and bits of IEEE 802.3, clauses 22 and 40. */
enum { CONTROL = 0, IDENTIFIER = 2, ADVERTISEMENT = 4, GIGABIT_CONTROL = 9 };
#define CONTROL_NEGOTIATE 0x1200u      /* auto-negotiation on, and begun anew */
#define ADVERTISEMENT_NOTHING 0x0001u  /* IEEE 802.3, no speed below 1000, no PAUSE */
#define GIGABIT_FULL 0x0200u

#define RESET_MS 20u
#define WAKE_MS 50u

static void wait(uint32_t ms) {
  uint32_t start = hw_milliseconds();
  while (hw_milliseconds() - start < ms) {}
}

static unsigned set_up_one(unsigned bus, unsigned phy) {
  uint16_t value;
  if (!hw_mdio_read(bus, phy, IDENTIFIER, &value) || value == 0xffff) return 0;
  hw_mdio_write(bus, phy, ADVERTISEMENT, ADVERTISEMENT_NOTHING);
  hw_mdio_write(bus, phy, GIGABIT_CONTROL, GIGABIT_FULL);
  if (!hw_mdio_read(bus, phy, GIGABIT_CONTROL, &value) || (value & 0x0300u) != GIGABIT_FULL) return 0;
  hw_mdio_write(bus, phy, CONTROL, CONTROL_NEGOTIATE);
  return 1;
}

unsigned phy_set_up(void) {
  unsigned found = 0;
  hw_phy_reset(true);
  wait(RESET_MS);
  hw_phy_reset(false);
  wait(WAKE_MS);
  for (unsigned bus = 0; bus < 2; bus++)
    for (unsigned phy = 0; phy < 32; phy++) found += set_up_one(bus, phy);
  return found;
}
