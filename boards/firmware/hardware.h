/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the firmware asks of the machine it runs on. hardware.c answers on the board, a model on the host in the tests: everything
 * else is one code on both.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

uint32_t hw_milliseconds(void); /* since reset; wraps */
uint32_t hw_ms_cycles(void);    /* cycles of core_clk in a millisecond */

int hw_uart_get(void); /* a byte, or -1 */
void hw_uart_put(uint8_t byte);

void hw_flash_select(bool on);
uint8_t hw_flash_byte(uint8_t byte); /* exchanges a byte while selected */

void hw_mdio_write(unsigned bus, unsigned phy, unsigned reg, uint16_t value);
bool hw_mdio_read(unsigned bus, unsigned phy, unsigned reg, uint16_t *value); /* false: nobody answered */
void hw_phy_reset(bool on);

bool hw_button(void); /* pressed */
void hw_leds(bool runs, bool refuses);
bool hw_bus_fault(void); /* the processor accessed nothing, or what the link refused; ever since reset */

uint32_t hw_line_count(unsigned index); /* frames that ended on the trusted line, underruns there, the untrusted line likewise */

bool hw_noise_word(uint32_t *word); /* 32 raw bits, if there are any */
unsigned hw_noise_alarm(void);      /* a bit for each test that failed; stays until cleared */
bool hw_noise_lost(void);           /* words were overwritten untaken since the last call */
void hw_noise_clear(void);

bool hw_random_waits(void); /* the link has not taken the last R */
void hw_random_give(const uint8_t value[32]);
void hw_zeroise(void); /* what the board holds besides memory and link: an R that waits */

uint32_t hw_link_read(unsigned address); /* registers of the link, docs/control.md */
void hw_link_write(unsigned address, uint32_t word);

#endif
