// SPDX-License-Identifier: Apache-2.0
// See udp.hpp.
#include "udp.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "frame.hpp"

namespace {

sockaddr_in place(const std::string& text) {
    const size_t colon = text.rfind(':');
    sockaddr_in address{};
    address.sin_family = AF_INET;
    if (colon == std::string::npos || inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr) != 1)
        throw std::runtime_error("not an IPv4 address with a port: " + text);
    address.sin_port = htons(static_cast<uint16_t>(std::stoul(text.substr(colon + 1))));
    return address;
}

}  // namespace

int open_udp(const std::string& listen, const std::string& peer) {
    const int made = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (made < 0) throw failed("cannot open a socket");
    const sockaddr_in here = place(listen);
    const sockaddr_in there = place(peer);
    if (bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof here) < 0) throw failed("cannot listen at " + listen);
    if (connect(made, reinterpret_cast<const sockaddr*>(&there), sizeof there) < 0)
        throw failed("cannot send to " + peer);
    return made;
}
