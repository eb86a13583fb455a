// SPDX-License-Identifier: Apache-2.0
// A Verilated board with its firmware as an end: host.hpp says how it is used.
#include "board_model.hpp"
#include "host.hpp"

int main(int argc, char** argv) { return host_main<BoardModel>(argc, argv); }
