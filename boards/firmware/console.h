/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console: lines of text, one command each, answered by lines of which the last is "ok" or begins with "error". Nothing is echoed,
 * and no secret is ever said. Only a whole command changes anything. Commands: docs/firmware.md.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include <stdint.h>

void console_byte(uint8_t byte); /* a byte that came */

#endif
