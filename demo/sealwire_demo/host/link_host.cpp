// SPDX-License-Identifier: Apache-2.0
// A Verilated link as an end: host.hpp says how it is used.
#include "host.hpp"
#include "link_model.hpp"

int main(int argc, char** argv) { return host_main<LinkModel>(argc, argv); }
