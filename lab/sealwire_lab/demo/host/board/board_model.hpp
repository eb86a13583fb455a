// SPDX-License-Identifier: Apache-2.0
// A Verilated board with its firmware, between two cables: frames in, frames out, and the link's counters.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Vboard_end.h"
#include "event.hpp"
#include "streams.hpp"

class BoardModel {
  public:
    struct Settings {
        Frame local_mac, peer_mac;  // 6 bytes
        Frame local_id, peer_id;    // 8 bytes
        uint32_t ms_cycles;         // 0: time passes by `tick` alone
        uint32_t t_rekey_ms = 120000, t_max_ms = 180000;
    };
    using Deliver = std::function<void(Frame&&)>;
    using Random = std::function<Frame()>;  // 32 fresh bytes

    static constexpr uint64_t CORE_PS = 10000;  // 100 MHz
    static constexpr size_t LEAST_FRAME = 60;   // bytes, without FCS: shorter ones are padded on a line

    BoardModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted);
    ~BoardModel();
    BoardModel(const BoardModel&) = delete;
    BoardModel& operator=(const BoardModel&) = delete;

    // Puts a record with this key into the flash, switches the power on and waits until the firmware runs. The boot counter of
    // the record is of the time, so that hellos have greater numbers than in earlier lives of this end.
    void load_psk(const Frame& psk, uint64_t number);
    // A millisecond for the board.
    void tick();

    void feed_trusted(Frame&& frame);
    void feed_untrusted(Frame&& frame);
    bool trusted_has_room() const { return trusted_flight_.bytes < WINDOW_BYTES; }
    bool untrusted_has_room() const { return !handshake_in_flight_ && untrusted_flight_.bytes < WINDOW_BYTES; }

    void run_core_cycles(unsigned cycles);
    void rest() { run(REST_CORE_CYCLES); }
    bool idle() const;
    bool resting() const { return paced_ ? budget_ == 0 : idle(); }

    std::string counters_json() const;
    void trace(bool on);
    const std::vector<Event>& events() const { return events_; }
    uint64_t core_cycles() const { return core_cycles_; }
    uint64_t enc_busy_cycles() const { return sealing_cycles_; }
    uint64_t dec_busy_cycles() const { return opening_cycles_; }
    uint64_t now_ps() const { return now_ps_; }
    bool session_up() const { return top_->session_up; }
    const StreamIn& trusted_in() const { return trusted_in_; }
    const StreamIn& untrusted_in() const { return untrusted_in_; }
    const StreamOut& trusted_out() const { return trusted_out_; }
    const StreamOut& untrusted_out() const { return untrusted_out_; }

  private:
    static constexpr size_t WINDOW_BYTES = 12 * 1024;
    static constexpr uint64_t STILL_CORE_CYCLES = 512;
    static constexpr unsigned REST_CORE_CYCLES = 6000;
    static constexpr uint64_t BOOT_CORE_CYCLES = 20'000'000;  // at most
    static constexpr uint64_t COUNT_CORE_CYCLES = 64;
    static constexpr uint64_t BUDGET_MS = 100;                // a simulation that is slower than time loses the rest

    void run(uint64_t cycles);
    void step();
    void account();
    void watch_core();
    void event(const char* what);
    void beat(StreamIn& stream, const char* first, const char* last);
    Frame beat(StreamOut& stream, uint64_t data, unsigned keep, bool ends, const char* first, const char* last);
    void write_flash(size_t address, const Frame& bytes);
    uint64_t count(size_t index) const;

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vboard_end> top_;
    Settings settings_;
    Random random_;
    Deliver on_trusted_, on_untrusted_;
    bool paced_;
    uint64_t budget_ = 0;  // core cycles
    uint64_t sealing_cycles_ = 0, opening_cycles_ = 0;
    bool tracing_ = false, was_sealing_ = false, was_opening_ = false;
    uint64_t now_ps_ = 0, core_cycles_ = 0, last_activity_ = 0, counted_ = 0;
    StreamIn trusted_in_, untrusted_in_;
    StreamOut trusted_out_, untrusted_out_;
    Flight trusted_flight_, untrusted_flight_;
    bool handshake_in_flight_ = false;  // their queue has four places: one at a time
    std::vector<Event> events_;
};
