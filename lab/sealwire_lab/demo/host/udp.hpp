// SPDX-License-Identifier: Apache-2.0
// A UDP socket between two fixed places.
#pragma once

#include <string>

// Places are ADDRESS:PORT, IPv4. Packets from elsewhere are not received. Throws with one line that says why.
int open_udp(const std::string& listen, const std::string& peer);
