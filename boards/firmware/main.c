/* SPDX-License-Identifier: Apache-2.0 */
#include "console.h"
#include "device.h"
#include "hardware.h"

int main(void) {
  device_start();
  for (;;) {
    device_step();
    for (int byte; (byte = hw_uart_get()) >= 0;) console_byte((uint8_t)byte);
  }
}
