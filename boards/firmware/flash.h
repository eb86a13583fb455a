/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of a W25Q64 and its like: read, page program, erase of a sector. False: the flash did not get ready in time. */
#ifndef FLASH_H
#define FLASH_H

#include <stdbool.h>
#include <stdint.h>

#define FLASH_SECTOR 4096u
#define FLASH_PAGE 256u

void flash_read(uint32_t address, uint8_t *data, unsigned count);
bool flash_program(uint32_t address, const uint8_t *data, unsigned count); /* within a page; turns ones into zeros only */
bool flash_erase(uint32_t address);                                        /* of a sector: all ones */

#endif
