// SPDX-License-Identifier: Apache-2.0
// A Verilated board with its firmware, between two cables: frames in, frames out, and the link's counters.
#pragma once

#include <memory>
#include <string>

#include "Vboard_end.h"
#include "end_model.hpp"
#include "serial_line.hpp"

class BoardModel : public EndModel {
  public:
    static constexpr size_t LEAST_FRAME = 60;  // bytes, without FCS: shorter ones are padded on a line

    BoardModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted);
    ~BoardModel();

    // Puts a record with this key into the flash, switches the power on and waits until the firmware runs. The boot counter of
    // the record is of the time, so that hellos have greater numbers than in earlier lives of this end.
    void load_psk(const Frame& psk, uint64_t number);
    // A millisecond for the board.
    void tick();

    void run_core_cycles(unsigned cycles);
    void rest() { run(REST_CORE_CYCLES); }
    bool idle() const;
    bool resting() const { return paced_ ? budget_ == 0 : idle(); }

    std::string counters_json() const;
    bool session_up() const { return top_->session_up; }

  private:
    static constexpr uint64_t STILL_CORE_CYCLES = 512;
    static constexpr uint64_t BOOT_CORE_CYCLES = 20'000'000;  // at most
    static constexpr uint64_t COUNT_CORE_CYCLES = 64;
    static constexpr uint64_t BUDGET_MS = 100;                // a simulation that is slower than time loses the rest

    void run(uint64_t cycles);
    void step();
    void account();
    void write_flash(size_t address, const Frame& bytes);
    uint64_t count(size_t index) const;

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vboard_end> top_;
    Settings settings_;
    SerialLine console_;
    bool paced_;
    uint64_t budget_ = 0;  // core cycles
    uint64_t counted_ = 0;  // when the counters were looked at
};
