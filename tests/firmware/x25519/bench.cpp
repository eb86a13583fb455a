// SPDX-License-Identifier: Apache-2.0
//
// Runs a program on board_cpu: counts the cycles that LED 0 is lit, and says them with the bytes that the console gave, in
// hexadecimal.  Arguments: bytes to wait for, cycles of clk a bit of the console, cycles after which to give up.

#include "Vboard.h"
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char** words) {
  if (count != 4) return 2;
  const unsigned wanted = std::atoi(words[1]), bit_cycles = std::atoi(words[2]);
  const uint64_t patience = std::strtoull(words[3], nullptr, 10);
  VerilatedContext context;
  context.commandArgs(count, words);
  Vboard board{&context};
  board.uart_rxd = board.flash_miso = 1;
  board.mdio_in = 3;
  board.rst = 1;

  uint64_t lit = 0, since_start = 0;
  bool receiving = false;
  unsigned byte = 0, got = 0;
  std::string said;
  for (uint64_t cycle = 0; cycle < patience && got < wanted; cycle++) {
    if (cycle == 8) board.rst = 0;
    board.clk = 1;
    board.eval();
    board.clk = 0;
    board.eval();
    if (cycle < 8) continue;
    if (board.trap) {
      std::fprintf(stderr, "the processor stopped in cycle %llu\n", static_cast<unsigned long long>(cycle));
      return 1;
    }
    lit += board.leds & 1;
    if (!receiving) {
      receiving = !board.uart_txd;
      since_start = byte = 0;
      continue;
    }
    since_start++;
    const uint64_t place = since_start / bit_cycles;  // 0: the start bit
    if (since_start % bit_cycles != bit_cycles / 2 || place == 0) continue;
    if (place <= 8) {
      byte |= static_cast<unsigned>(board.uart_txd) << (place - 1);
      continue;
    }
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    said += digits;
    got++;
    receiving = false;
  }
  std::printf("%llu %s\n", static_cast<unsigned long long>(lit), said.c_str());
  return got < wanted;
}
