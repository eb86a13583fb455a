/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler expects of every machine, and a host has of its own. */
#include "bytes.h"

void *memcpy(void *restrict dst, const void *restrict src, size_t count) {
  uint8_t *to = dst;
  const uint8_t *from = src;
  while (count--) *to++ = *from++;
  return dst;
}

void *memset(void *dst, int byte, size_t count) {
  uint8_t *to = dst;
  while (count--) *to++ = (uint8_t)byte;
  return dst;
}
