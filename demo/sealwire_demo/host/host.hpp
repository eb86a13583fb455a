// SPDX-License-Identifier: Apache-2.0
// The program around a model of an end: between a TAP interface (or a socket that plays one) and a wire: one end of the demonstration, or
// one end of a link with the software gateway.
//
// The wire is a SOCK_SEQPACKET socket that carries whole outer Ethernet frames. Standard input brings the key as
// its first line (never the command line), then one command a line; standard output answers with one JSON object a
// line. End of input ends the process. While the link has nothing to do, its clocks stand still and the process sleeps:
// the link's timers count simulated milliseconds, of which a job has few.
//
// With --listen and --peer (ADDRESS:PORT), or with --device, the wire is UDP or an Ethernet card, the TAP interface
// lies in the namespace that the program was started in, and the link's timers follow the wall clock.
#pragma once

#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include <chrono>
#include <iostream>
#include <map>

#include "end_model.hpp"
#include "network.hpp"
#include "pcap_writer.hpp"
#include "tap.hpp"

constexpr unsigned CYCLES_A_TURN = 32;  // core cycles between two looks at the file descriptors
constexpr size_t MAX_FRAME = 32768;     // bytes; longer than any that the link takes
constexpr size_t OUTER_BYTES = 14;      // outer Ethernet header
constexpr size_t PSK_BYTES = 64;        // of every suite here
constexpr size_t RANDOM_BYTES = 32;     // of one R
constexpr uint32_t CORE_MS_CYCLES = 100000;  // at 100 MHz

using Options = std::map<std::string, std::string>;

inline Options read_options(int argc, char** argv) {
    static const char* const NAMES[] = {"mac", "peer-mac", "id",      "peer-id", "wire-fd", "trusted-fd",
                                        "tap", "address",  "tap-mac", "mtu",     "pcap-in", "pcap-out",
                                        "listen", "peer", "device", "rekey-ms", "console-fd"};
    std::vector<option> table;
    for (const char* name : NAMES) table.push_back({name, required_argument, nullptr, 0});
    table.push_back({nullptr, 0, nullptr, 0});
    Options options;
    int index = 0;
    for (int c = getopt_long(argc, argv, "", table.data(), &index); c != -1;
         c = getopt_long(argc, argv, "", table.data(), &index)) {
        if (c != 0) throw std::runtime_error("unknown option");
        options[table[static_cast<size_t>(index)].name] = optarg;
    }
    return options;
}

inline void say(const std::string& json) { std::cout << json << std::endl; }

// One line from standard input, byte by byte, so that later lines stay in the pipe for poll.
inline bool read_line(std::string& line) {
    line.clear();
    for (char c = 0; read(STDIN_FILENO, &c, 1) == 1; line.push_back(c))
        if (c == '\n') return true;
    return false;
}

inline Frame fresh_random() {
    Frame bytes(RANDOM_BYTES);
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw failed("getrandom");
    return bytes;
}

// `Model` is the end: what goes in, what comes out, and its time.
template <class Model>
class Host {
  public:
    explicit Host(Options options)
        : options_(std::move(options)),
          udp_(options_.count("listen") != 0),
          real_(options_.count("wire-fd") == 0),
          wire_(!real_ ? std::stoi(options_.at("wire-fd"))
                : udp_ ? open_udp(options_.at("listen"), options_.at("peer"))
                       : open_ethernet(options_.at("device"))),
          seen_in_(options_.at("pcap-in")),
          seen_out_(options_.at("pcap-out")),
          trusted_(open_trusted()),
          link_(
              settings(), fresh_random, [this](Frame&& frame) { to_trusted(frame); },
              [this](Frame&& frame) { to_wire(frame); }) {}

    void take_key() {
        std::string line;
        if (!read_line(line)) throw std::runtime_error("no key on standard input");
        Frame psk = from_hex(line, PSK_BYTES, "the pre-shared key");
        explicit_bzero(line.data(), line.size());
        // Nanoseconds since 1970: more than every number that a hello had before, over restarts too.
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        link_.load_psk(psk, static_cast<uint64_t>(std::chrono::nanoseconds(now).count()));
        explicit_bzero(psk.data(), psk.size());
    }

    void serve() {
        std::string line;
        while (true) {
            const bool resting = link_.resting();
            // The trusted side is only read while the link has room: what waits, waits in the kernel's queue.
            pollfd fds[3] = {{STDIN_FILENO, POLLIN, 0},
                             {wire_, static_cast<short>(link_.untrusted_has_room() ? POLLIN : 0), 0},
                             {trusted_, static_cast<short>(!held_ && link_.trusted_has_room() ? POLLIN : 0), 0}};
            if (poll(fds, 3, !resting ? 0 : real_ ? 1 : -1) < 0 && errno != EINTR) throw failed("poll");
            if (fds[0].revents) {
                if (!read_line(line)) return link_.rest();
                command(line);
            }
            if (!real_ && fds[1].revents & (POLLHUP | POLLERR)) return;
            if (fds[1].revents) {
                Frame frame = from_wire();
                if (!frame.empty()) link_.feed_untrusted(std::move(frame));
            }
            if (fds[2].revents & POLLIN) {
                Frame frame = receive(trusted_, tap_ < 0);
                if (!frame.empty()) {
                    frame.resize(std::max(frame.size(), Model::LEAST_FRAME));
                    seen_in_.write(frame);
                    link_.feed_trusted(std::move(frame));
                }
            }
            if (real_) keep_time();
            if (resting && link_.resting()) continue;
            const auto start = std::chrono::steady_clock::now();
            link_.run_core_cycles(CYCLES_A_TURN);
            simulating_ += std::chrono::steady_clock::now() - start;
        }
    }

  private:
    int open_trusted() {
        if (!options_.count("tap")) return std::stoi(options_.at("trusted-fd"));
        if (!real_) enter_own_namespace();
        // Only now: a change of user namespace would have cancelled it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        tap_ = open_tap({options_.at("tap"), options_.at("address"), from_hex(options_.at("tap-mac"), 6, "tap-mac"),
                         std::stoi(options_.at("mtu"))});
        return tap_;
    }

    typename Model::Settings settings() const {
        typename Model::Settings settings = {from_hex(options_.at("mac"), 6, "mac"),
                                        from_hex(options_.at("peer-mac"), 6, "peer-mac"),
                                        from_hex(options_.at("id"), 8, "id"),
                                        from_hex(options_.at("peer-id"), 8, "peer-id"), real_ ? 0 : CORE_MS_CYCLES};
        if (options_.count("rekey-ms"))
            settings.t_rekey_ms = static_cast<uint32_t>(std::stoul(options_.at("rekey-ms")));
        if (options_.count("console-fd")) settings.console = std::stoi(options_.at("console-fd"));
        return settings;
    }

    // Gives the link the milliseconds that have passed.
    void keep_time() {
        const auto now = std::chrono::steady_clock::now();
        for (; now - time_ >= std::chrono::milliseconds(1); time_ += std::chrono::milliseconds(1)) link_.tick();
    }

    Frame receive(int fd, bool is_socket) {
        Frame frame(MAX_FRAME);
        const ssize_t size =
            is_socket ? recv(fd, frame.data(), frame.size(), MSG_DONTWAIT) : read(fd, frame.data(), frame.size());
        if (size < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED) throw failed("cannot receive");
        frame.resize(size > 0 ? static_cast<size_t>(size) : 0);
        return frame;
    }

    void to_trusted(const Frame& frame) {
        seen_out_.write(frame);
        if (write(trusted_, frame.data(), frame.size()) < 0) throw failed("cannot deliver a frame");
    }

    // A whole outer Ethernet frame; over UDP the header is put on here.
    Frame from_wire() {
        Frame packet = receive(wire_, true);
        if (!udp_ || packet.empty()) return packet;
        Frame frame = from_hex(options_.at("mac") + options_.at("peer-mac") + "88b5", OUTER_BYTES, "outer header");
        frame.insert(frame.end(), packet.begin(), packet.end());
        return frame;
    }

    void to_wire(const Frame& frame) {
        const size_t skip = udp_ ? OUTER_BYTES : 0;
        const ssize_t sent = send(wire_, frame.data() + skip, frame.size() - skip, MSG_NOSIGNAL);
        if (sent < 0 && !real_) throw failed("cannot send on the wire");  // a network may lose
    }

    void command(const std::string& line) {
        if (line == "stats") {
            say(stats());
        } else if (line == "hold") {
            held_ = true;
        } else if (line == "trace on") {
            link_.trace(true);
        } else if (line == "trace off") {
            link_.trace(false);
            say(events());
        } else if (line == "forge") {
            // Test hook: what a broken link would do. The checks of the demonstration must notice.
            to_trusted(Frame(60, 0xee));
        } else {
            throw std::runtime_error("unknown command: " + line);
        }
    }

    std::string stats() const {
        const auto number = [](const char* name, uint64_t value) {
            return std::string(", \"") + name + "\": " + std::to_string(value);
        };
        const double seconds = std::chrono::duration<double>(simulating_).count();
        return std::string("{\"idle\": ") + (link_.idle() ? "true" : "false") +
               ", \"session_up\": " + (link_.session_up() ? "true" : "false") +
               number("core_cycles", link_.core_cycles()) +
               number("enc_busy_cycles", link_.enc_busy_cycles()) + number("dec_busy_cycles", link_.dec_busy_cycles()) +
               number("simulated_ps", link_.now_ps()) + number("frames_in", link_.trusted_in().frames_taken) +
               number("bytes_in", link_.trusted_in().bytes_taken) +
               number("packets_in", link_.untrusted_in().frames_taken) +
               number("frames_out", link_.trusted_out().frames) + number("bytes_out", link_.trusted_out().bytes) +
               number("packets_out", link_.untrusted_out().frames) +
               ", \"simulating_seconds\": " + std::to_string(seconds) + ", \"counters\": " + link_.counters_json() +
               "}";
    }

    std::string events() const {
        std::string out = "{\"core_ps\": " + std::to_string(Model::CORE_PS) + ", \"events\": [";
        for (const Event& event : link_.events())
            out += std::string(&event == link_.events().data() ? "" : ", ") + "[\"" + event.what + "\", " +
                   std::to_string(event.ps) + ", " + std::to_string(event.core_cycle) + "]";
        return out + "]}";
    }

    Options options_;
    bool udp_;
    bool real_;  // wire, and so time
    int wire_;
    int tap_ = -1;
    PcapWriter seen_in_, seen_out_;
    int trusted_;
    bool held_ = false;
    Model link_;
    std::chrono::steady_clock::duration simulating_{};
    std::chrono::steady_clock::time_point time_ = std::chrono::steady_clock::now();
};

inline std::string json_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "\"";
}

template <class Model>
int host_main(int argc, char** argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);  // the parent, which gets it too, ends us in its own order
    try {
        Host<Model> host(read_options(argc, argv));
        say("{\"ready\": true}");
        host.take_key();
        say("{\"key\": true}");
        host.serve();
        return 0;
    } catch (const std::exception& error) {
        say("{\"error\": " + json_text(error.what()) + "}");
        return 1;
    }
}
