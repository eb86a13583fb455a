/* SPDX-License-Identifier: Apache-2.0 */
/* PHYs over MDIO: 1000BASE-T full duplex is all that they offer, since the board's ports know no other speed. */
#ifndef PHY_H
#define PHY_H

/* Takes the PHYs out of reset and sets up each that answers, at any address of either bus; returns how many took the settings. */
unsigned phy_set_up(void);
unsigned phy_cables(void); /* how many of those have a cable with a running port at its other end */

#endif
