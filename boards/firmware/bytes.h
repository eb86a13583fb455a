/* SPDX-License-Identifier: Apache-2.0 */
/* Memory without a C library, and numbers in it, low byte first. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The compiler may call these two by itself. */
void *memcpy(void *restrict dst, const void *restrict src, size_t count);
void *memset(void *dst, int byte, size_t count);

void bytes_wipe(void *memory, size_t count); /* zeros that no compiler leaves out */
bool bytes_equal(const uint8_t *a, const uint8_t *b, size_t count);
bool bytes_all(const uint8_t *a, uint8_t value, size_t count);
uint32_t get32(const uint8_t *at);
void put32(uint8_t *at, uint32_t value);
uint32_t crc32(const uint8_t *data, size_t count); /* of IEEE 802.3: of "123456789" it is cbf43926 */

#endif
