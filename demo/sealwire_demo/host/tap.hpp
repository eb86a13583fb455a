// SPDX-License-Identifier: Apache-2.0
// A TAP interface in a network namespace of this process's own. Both vanish with the process, however it ends.
#pragma once

#include <string>

#include "frame.hpp"

struct TapSettings {
    std::string name;     // interface name inside the namespace
    std::string address;  // IPv4 address, the mask is /24
    Frame mac;            // 6 bytes
    int mtu = 1500;       // bytes
};

// Leaves the caller's network namespace for a new one. Without the privilege it takes a user namespace with it.
void enter_own_namespace();

// Returns the file descriptor of the interface, up and with its address.
int open_tap(const TapSettings& settings);
