// SPDX-License-Identifier: Apache-2.0
// The Verilated link with its three clocks: frames in, frames out, counters, and the time of every event.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vsealwire_link.h"
#include "event.hpp"
#include "streams.hpp"

class LinkModel {
  public:
    struct Settings {
        Frame local_mac, peer_mac;  // of the outer Ethernet header, 6 bytes
        Frame local_id, peer_id;    // of the link, 8 bytes
        uint32_t ms_cycles;         // core cycles a millisecond of the link's timers; 0: only `tick` moves them
        uint32_t t_rekey_ms = 120000, t_max_ms = 180000;
    };
    using Deliver = std::function<void(Frame&&)>;
    using Random = std::function<Frame()>;  // 32 fresh bytes

    static constexpr uint64_t TRUSTED_PS = 6400;    // 156.25 MHz: 64 bits of 10 Gbit/s Ethernet
    static constexpr uint64_t CORE_PS = 10000;      // 100 MHz
    static constexpr size_t LEAST_FRAME = 0;        // bytes: of any length
    static constexpr uint64_t UNTRUSTED_PS = 6206;  // 161.13 MHz: the 10 Gbit/s PHY clock

    LinkModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted);
    ~LinkModel();
    LinkModel(const LinkModel&) = delete;
    LinkModel& operator=(const LinkModel&) = delete;

    // Resets all three clock domains: keys, sessions, counters and what is under way are gone.
    void restart();
    // Loads the pre-shared key: the handshake may begin. The initiator's hellos get numbers above `number`, which is more than all
    // that it ever had under this key. Throws when the link does not take it.
    void load_psk(const Frame& psk, uint64_t number);
    // A millisecond for the link's timers, when the simulation's own cycles do not count it.
    void tick();

    void feed_trusted(Frame&& frame);
    void feed_untrusted(Frame&& frame);
    // Room for one more frame, so that nothing is dropped at the entrance for want of it.
    bool trusted_has_room() const { return trusted_flight_.bytes < WINDOW_BYTES; }
    bool untrusted_has_room() const { return !handshake_in_flight_ && untrusted_flight_.bytes < WINDOW_BYTES; }

    void run_core_cycles(unsigned cycles);
    // Long enough at rest for the link's own assertions on its totals to speak.
    void rest() { run_core_cycles(REST_CORE_CYCLES); }
    // Everything that came in has left or was dropped, and the streams have been still for a while.
    bool idle() const;
    // Nothing to do: time may stand still.
    bool resting() const { return idle(); }

    std::map<std::string, uint64_t> counters() const;
    std::string counters_json() const;
    void trace(bool on);
    const std::vector<Event>& events() const { return events_; }
    uint64_t core_cycles() const { return core_cycles_; }
    uint64_t enc_busy_cycles() const { return enc_busy_cycles_; }
    uint64_t dec_busy_cycles() const { return dec_busy_cycles_; }
    uint64_t now_ps() const { return now_ps_; }
    bool session_up() const { return top_->session_up; }
    const StreamIn& trusted_in() const { return trusted_in_; }
    const StreamIn& untrusted_in() const { return untrusted_in_; }
    const StreamOut& trusted_out() const { return trusted_out_; }
    const StreamOut& untrusted_out() const { return untrusted_out_; }

  private:
    enum Domain { TRUSTED, CORE, UNTRUSTED, DOMAINS };
    // With one more frame of 9600 bytes this still fits in the 32 KiB entrance FIFO.
    static constexpr size_t WINDOW_BYTES = 12 * 1024;
    // A keep-alive may wait so long for its key to enter the core.
    static constexpr uint64_t STILL_CORE_CYCLES = 1024;
    // After reset the link overwrites its packet memories (a beat a cycle) and counts what comes meanwhile as overload.
    static constexpr unsigned WIPE_CORE_CYCLES = 20000;
    static constexpr unsigned REST_CORE_CYCLES = 6000;
    static constexpr unsigned PSK_LIMIT = 20000;  // core cycles
    static constexpr unsigned TICK_CORE_CYCLES = 2;  // few: a slow simulation must keep up with the wall clock

    void eval();
    void rising(Domain domain);
    void edge_trusted();
    void edge_core();
    void edge_untrusted();
    void event(const char* what);
    void note_counters();
    uint64_t trusted_finished() const;
    uint64_t untrusted_finished() const;

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vsealwire_link> top_;
    Random random_;
    Deliver on_trusted_, on_untrusted_;
    std::array<uint64_t, DOMAINS> next_ps_{};
    std::array<bool, DOMAINS> settled_{};  // evaluated since this domain's clock went low and its inputs changed
    uint64_t now_ps_ = 0, core_cycles_ = 0, last_activity_ = 0;
    uint64_t enc_busy_cycles_ = 0, dec_busy_cycles_ = 0;
    StreamIn trusted_in_, untrusted_in_;
    StreamOut trusted_out_, untrusted_out_;
    Flight trusted_flight_, untrusted_flight_;
    bool handshake_in_flight_ = false;  // their queue has four places: one at a time
    bool tracing_ = false, enc_was_busy_ = false, dec_was_busy_ = false;
    std::vector<uint64_t> counters_before_;
    std::vector<Event> events_;
};
