// SPDX-License-Identifier: Apache-2.0
// The Verilated link with its three clocks: frames in, frames out, counters, and the time of every event.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vsealwire_link.h"
#include "end_model.hpp"

class LinkModel : public EndModel {
  public:
    static constexpr uint64_t TRUSTED_PS = 6400;    // 156.25 MHz: 64 bits of 10 Gbit/s Ethernet
    static constexpr size_t LEAST_FRAME = 0;        // bytes: of any length
    static constexpr uint64_t UNTRUSTED_PS = 6206;  // 161.13 MHz: the 10 Gbit/s PHY clock

    LinkModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted);
    ~LinkModel();

    // Resets all three clock domains: keys, sessions, counters and what is under way are gone.
    void restart();
    // Loads the pre-shared key: the handshake may begin. The initiator's hellos get numbers above `number`, which is more than all
    // that it ever had under this key. Throws when the link does not take it.
    void load_psk(const Frame& psk, uint64_t number);
    // A millisecond for the link's timers, when the simulation's own cycles do not count it.
    void tick();

    void run_core_cycles(unsigned cycles);
    void rest() { run_core_cycles(REST_CORE_CYCLES); }
    // Everything that came in is accounted for, and the streams have been still for a while.
    bool idle() const;
    // Nothing to do: time may stand still.
    bool resting() const { return idle(); }

    std::map<std::string, uint64_t> counters() const;
    std::string counters_json() const;
    void trace(bool on);
    bool session_up() const { return top_->session_up; }

  private:
    enum Domain { TRUSTED, CORE, UNTRUSTED, DOMAINS };
    // A keep-alive may wait so long for its key to enter the core.
    static constexpr uint64_t STILL_CORE_CYCLES = 1024;
    // After reset the link overwrites its packet memories (a beat a cycle) and counts what comes meanwhile as overload.
    static constexpr unsigned WIPE_CORE_CYCLES = 20000;
    static constexpr unsigned PSK_LIMIT = 20000;  // core cycles
    static constexpr unsigned TICK_CORE_CYCLES = 2;  // few: a slow simulation must keep up with the wall clock

    void reset();
    void eval();
    void rising(Domain domain);
    void edge_trusted();
    void edge_core();
    void edge_untrusted();
    void note_counters();

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vsealwire_link> top_;
    std::array<uint64_t, DOMAINS> next_ps_{};
    std::array<bool, DOMAINS> settled_{};  // evaluated since this domain's clock went low and its inputs changed
    std::vector<uint64_t> counters_before_;
    bool noting_ = false;
};
