// SPDX-License-Identifier: Apache-2.0
// Sockets of a real wire. Errors are thrown, with one line that says why.
#pragma once

#include <string>

// UDP between two fixed places, ADDRESS:PORT, IPv4. Packets from elsewhere are not received.
int open_udp(const std::string& listen, const std::string& peer);

// Frames of the link's EtherType on a network card, with their headers.
int open_ethernet(const std::string& device);
