// SPDX-License-Identifier: Apache-2.0
// See tap.hpp. ioctls only, so that no tool has to be installed.
#include "tap.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace {

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text << std::flush;
    if (!file) throw failed("cannot write " + path);
}

// The one user that the new user namespace knows: its root is who we were.
void map_root(unsigned uid, unsigned gid) {
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1\n");
    write_text("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1\n");
}

class Request {
  public:
    explicit Request(const std::string& interface) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        if (socket_ < 0) throw failed("cannot open a socket");
        interface.copy(ifr.ifr_name, IFNAMSIZ - 1);
    }
    ~Request() { close(socket_); }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    void call(unsigned long code, const char* what) {
        if (ioctl(socket_, code, &ifr) < 0) throw failed(what);
    }
    ifreq ifr{};

  private:
    int socket_;
};

void set_address(Request& request, unsigned long code, const std::string& dotted, const char* what) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    if (inet_pton(AF_INET, dotted.c_str(), &address.sin_addr) != 1)
        throw std::runtime_error("not an IPv4 address: " + dotted);
    std::memcpy(&request.ifr.ifr_addr, &address, sizeof address);
    request.call(code, what);
}

}  // namespace

void enter_own_namespace() {
    if (unshare(CLONE_NEWNET) == 0) return;
    const unsigned uid = geteuid();
    const unsigned gid = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) throw failed("cannot make a network namespace");
    map_root(uid, gid);
}

int open_tap(const TapSettings& settings) {
    const int tap = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (tap < 0) throw failed("cannot open /dev/net/tun");
    Request request(settings.name);
    request.ifr.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (ioctl(tap, TUNSETIFF, &request.ifr) < 0) throw failed("cannot make a TAP interface");

    // Quiet interface: the only packets are the ones that the job sends (no router or multicast chatter).
    std::ofstream("/proc/sys/net/ipv6/conf/" + settings.name + "/disable_ipv6") << "1\n";

    request.ifr.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    std::copy(settings.mac.begin(), settings.mac.end(), request.ifr.ifr_hwaddr.sa_data);
    request.call(SIOCSIFHWADDR, "cannot set the TAP's MAC address");
    request.ifr.ifr_mtu = settings.mtu;
    request.call(SIOCSIFMTU, "cannot set the TAP's MTU");
    set_address(request, SIOCSIFADDR, settings.address, "cannot set the TAP's address");
    set_address(request, SIOCSIFNETMASK, "255.255.255.0", "cannot set the TAP's mask");
    request.call(SIOCGIFFLAGS, "cannot read the TAP's flags");
    request.ifr.ifr_flags = static_cast<short>(request.ifr.ifr_flags | IFF_UP | IFF_RUNNING);
    request.call(SIOCSIFFLAGS, "cannot bring the TAP up");
    return tap;
}
