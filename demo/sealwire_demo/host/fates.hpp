// SPDX-License-Identifier: Apache-2.0
// What a counter of the link says of frames that came in, by its name: a new cause of a drop is among them.
#pragma once

#include <string_view>

// Of which side's frames a counter says that they have left or were dropped.
enum Fate { OF_NONE, OF_TRUSTED, OF_UNTRUSTED, FATES };
constexpr Fate fate(std::string_view name) {
    if (name == "sealed" || name.substr(0, 13) == "drop_trusted_") return OF_TRUSTED;
    const bool ends = name == "delivered" || name == "keepalives_in" || name == "handshakes_in";
    return ends || name.substr(0, 5) == "drop_" ? OF_UNTRUSTED : OF_NONE;
}
