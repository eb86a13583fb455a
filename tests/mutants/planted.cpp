// SPDX-License-Identifier: Apache-2.0
// Prints what tests/mutants/planted.sv does with a few inputs: one line for each cycle, sum, high and odd.
#include <cstdio>

#include "Vplanted.h"

double sc_time_stamp() { return 0; }

int main() {
  Vplanted top;
  const int inputs[][4] = {{1, 0, 0, 3}, {0, 1, 0, 3}, {0, 1, 1, 8}, {0, 0, 0, 9}, {0, 1, 0, 9}, {0, 0, 0, 2}};
  for (const auto& [rst, go, stay, a] : inputs) {
    top.clk = 0;
    top.rst = rst;
    top.go = go;
    top.stay = stay;
    top.a = a;
    top.eval();
    const int high = top.high, odd = top.odd;
    top.clk = 1;
    top.eval();
    std::printf("%d%d%d ", top.sum, high, odd);
  }
  std::printf("\n");
}
