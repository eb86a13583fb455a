// SPDX-License-Identifier: Apache-2.0
// Counts the bits of a signal that have changed, in place of functions of Verilator 5.048 whose one for signals of more
// than 64 bits counts a change of the lowest words in the words above too, and whose others go over every bit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "verilated_cov.h"

namespace coverage {

// Bit i has two counts: of its changes to 0, then of those to 1.
[[gnu::optimize("O2")]] inline void count_changes(int width, uint32_t* counts, uint64_t changed, uint64_t now) {
    for (changed &= ~uint64_t{0} >> (64 - width); changed; changed &= changed - 1) {
        const int bit = __builtin_ctzll(changed);
        ++counts[2 * bit + (now >> bit & 1)];
    }
}

[[gnu::optimize("O2")]] inline void count_changes_of_words(
    int width, uint32_t* counts, const EData* now, const EData* before) {
    for (int first = 0, word = 0; first < width; first += VL_EDATASIZE, ++word) {
        const int bits = std::min(width - first, VL_EDATASIZE);
        count_changes(bits, counts + 2 * first, now[word] ^ before[word], now[word]);
    }
}

}  // namespace coverage

// The model is compiled with these names, so that what it calls is above.
#define VL_COV_TOGGLE_CHG_ST_I(width, counts, now, before) coverage::count_changes(width, counts, (now) ^ (before), now)
#define VL_COV_TOGGLE_CHG_ST_Q(width, counts, now, before) coverage::count_changes(width, counts, (now) ^ (before), now)
#define VL_COV_TOGGLE_CHG_ST_W(width, counts, now, before) \
    coverage::count_changes_of_words(width, counts, now, before)
