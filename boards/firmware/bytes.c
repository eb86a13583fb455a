/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes.h"

void bytes_wipe(void *memory, size_t count) {
  volatile uint8_t *byte = (volatile uint8_t *)memory;
  while (count--) *byte++ = 0;
}

bool bytes_equal(const uint8_t *a, const uint8_t *b, size_t count) {
  unsigned different = 0;
  for (size_t i = 0; i < count; i++) different |= a[i] ^ b[i];
  return different == 0;
}

bool bytes_all(const uint8_t *a, uint8_t value, size_t count) {
  unsigned different = 0;
  for (size_t i = 0; i < count; i++) different |= a[i] ^ value;
  return different == 0;
}

uint32_t get32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void put32(uint8_t *at, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) at[i] = (uint8_t)(value >> 8 * i);
}

uint32_t crc32(const uint8_t *data, size_t count) {
  uint32_t crc = ~0u;
  while (count--) {
    crc ^= *data++;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}
