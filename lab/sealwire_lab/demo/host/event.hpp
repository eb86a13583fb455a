// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// One event of a packet's life, for the picture.
struct Event {
    std::string what;
    uint64_t ps;          // simulated time, picoseconds
    uint64_t core_cycle;  // core clock edges so far
};
