// SPDX-License-Identifier: Apache-2.0
// See network.hpp.
#include "network.hpp"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "frame.hpp"

namespace {

constexpr uint16_t ETHERTYPE = 0x88b5;

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
    if (bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof here) < 0)
        throw failed("cannot listen at " + listen);
    if (connect(made, reinterpret_cast<const sockaddr*>(&there), sizeof there) < 0)
        throw failed("cannot send to " + peer);
    return made;
}

int open_ethernet(const std::string& device) {
    const int made = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHERTYPE));
    if (made < 0) throw failed("cannot open a packet socket");
    sockaddr_ll place{};
    place.sll_family = AF_PACKET;
    place.sll_protocol = htons(ETHERTYPE);
    place.sll_ifindex = static_cast<int>(if_nametoindex(device.c_str()));
    if (place.sll_ifindex == 0) throw failed("no network card " + device);
    if (bind(made, reinterpret_cast<const sockaddr*>(&place), sizeof place) < 0)
        throw failed("cannot take frames from " + device);
    return made;
}
