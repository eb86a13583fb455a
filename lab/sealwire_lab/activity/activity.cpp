// SPDX-License-Identifier: Apache-2.0
// Counts how often the nets of a core's netlist change while it seals one message without associated data, or computes
// the tag of one.  Arguments: bytes of the message, seed.  Answer: the number of cycles, and a line for each bit of each
// signal, NAME INDEX TOGGLES HIGH, HIGH being the cycles in which it is one.
// A bit counts once a cycle, as it is before the clock edge: without delays there are no glitches.

#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "Vcore.h"
#include "ports.hpp"
#include "verilated_vcd_c.h"

namespace {

/// One bit of a signal: how often it changed, and how long it was one.
struct Bit {
    char value = '0';
    uint64_t toggles = 0, high = 0, since = 0;
};

/// Reads the value changes that Verilator writes, instead of keeping them.
class Counter : public VerilatedVcdFile {
  public:
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t length) override {
        for (ssize_t i = 0; i < length; ++i) {
            if (text[i] != '\n') {
                line_ += text[i];
            } else {
                read(line_);
                line_.clear();
            }
        }
        return length;
    }
    /// Counts from here on.
    void restart() {
        for (auto& [code, signal] : signals_) {
            for (Bit& bit : signal.bits) bit = {bit.value, 0, 0, time_};
        }
    }
    void save(std::ostream& file) const {
        for (const auto& [code, signal] : signals_) {
            for (const std::string& name : signal.names) {
                for (size_t i = 0; i < signal.bits.size(); ++i) {
                    const Bit& bit = signal.bits[i];
                    const uint64_t high = bit.high + (bit.value == '1' ? time_ - bit.since : 0);
                    file << name << ' ' << i << ' ' << bit.toggles << ' ' << high << '\n';
                }
            }
        }
    }

  private:
    struct Signal {
        std::vector<std::string> names;
        std::vector<Bit> bits;   // the lowest first
    };

    void read(const std::string& line) {
        std::istringstream words{line};
        std::string first, kind, width, code, name;
        words >> first;
        if (first == "$var") {
            words >> kind >> width >> code >> name;
            Signal& signal = signals_[code];
            signal.names.push_back(name);
            signal.bits.resize(std::stoul(width));
        } else if (!first.empty() && first[0] == '#') {
            time_ = std::stoull(first.substr(1));
        } else if (!first.empty() && (first[0] == '0' || first[0] == '1')) {
            change(first.substr(1), first.substr(0, 1));
        } else if (!first.empty() && first[0] == 'b') {
            words >> code;
            change(code, first.substr(1));
        }
    }
    void change(const std::string& code, const std::string& value) {
        std::vector<Bit>& bits = signals_[code].bits;
        for (size_t i = 0; i < bits.size(); ++i) {
            const char now = i < value.size() ? value[value.size() - 1 - i] : '0';
            Bit& bit = bits[i];
            if (now == bit.value) continue;
            ++bit.toggles;
            if (bit.value == '1') bit.high += time_ - bit.since;
            bit.value = now;
            bit.since = time_;
        }
    }
    std::string line_;
    std::map<std::string, Signal> signals_;
    uint64_t time_ = 0;
};

}   // namespace

double sc_time_stamp() { return 0; }

constexpr unsigned PATIENCE = 1000000, SEED_BITS = 160;
#ifndef SHARES
#define SHARES 1
#endif

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const size_t size = std::stoull(argv[1]);
    Random random{std::stoull(argv[2])};
    VerilatedContext context;
    context.traceEverOn(true);
    Vcore core{&context, "core"};
    Counter counter;
    VerilatedVcdC trace{&counter};
    core.trace(&trace, 99);
    trace.open("none");
    uint64_t time = 0;
    unsigned cycles = 0;
    size_t at = 0;
    const auto cycle = [&] {
        core.clk = 0;
        core.eval();
        trace.dump(++time);
        core.clk = 1;
        core.eval();
        ++cycles;
    };
    // Offers until it is taken: `valid` is what the port takes, `ready` what it answers.
    const auto give = [&](auto& valid, auto& ready) {
        valid = 1;
        for (bool taken = false; !taken && cycles < PATIENCE;) {
            core.clk = 0;
            core.eval();
            taken = ready & 1;
            cycle();
        }
        valid = 0;
    };
    const auto fill = [&](Port port, unsigned bits) {
        for (unsigned i = 0; 64 * i < bits; ++i) put_word(port, bits, i, random.next());
    };
    const auto offer = [&] {   // what follows the last byte is nothing: inputs hold still
        const size_t count = std::min<size_t>(size - at, DATA_BITS / 8);
        for (unsigned i = 0; 64 * i < DATA_BITS; ++i) put_word(Port{core.msg_data}, DATA_BITS, i, 0);
        for (size_t i = 0; i < count; i += 8) {
            const uint64_t bytes = low_bits(8 * static_cast<unsigned>(std::min<size_t>(8, count - i)));
            put_word(Port{core.msg_data}, DATA_BITS, i / 8, random.next() & bytes);
        }
        core.msg_bytes = count;
        core.msg_last = at + DATA_BITS / 8 >= size;
        core.msg_valid = 1;
    };
    core.result_ready = core.clear = core.cmd_valid = core.key_valid = core.msg_valid = core.tag_in_valid = 0;
    core.rst = 1;
    cycle();
    cycle();
    core.rst = 0;
#if SHARES > 1
    fill(Port{core.seed_data}, SEED_BITS);
    give(core.seed_valid, core.seed_ready);
#endif
    fill(Port{core.key_data}, SHARES * KEY_BITS);
    give(core.key_valid, core.key_ready);
    do {
        cycle();
    } while (!core.cmd_ready && cycles < PATIENCE);
    cycle();
    offer();
#ifdef CONTEXTS
    core.msg_ctx = core.ad_ctx = core.tag_in_ctx = core.cmd_ctx = 0;
    core.cmd_op = core.cmd_cached_ad = core.ad_bytes = 0;
    fill(Port{core.cmd_nonce}, NONCE_BITS);
    core.ad_valid = core.ad_last = core.out_ready = 1;
#else
    core.cmd_verify = 0;
#endif
    core.cmd_valid = 1;
    cycle();
    core.cmd_valid = 0;
    trace.flush();
    counter.restart();
    cycles = 0;
    while (!core.result_valid && cycles < PATIENCE) {
        core.clk = 0;
        core.eval();
        const bool moves = core.msg_ready & core.msg_valid;
#ifdef CONTEXTS
        const bool begins = core.ad_ready & core.ad_valid;
#endif
        cycle();
#ifdef CONTEXTS
        if (begins) core.ad_valid = 0;
#endif
        if (!moves) continue;
        at += DATA_BITS / 8;
        if (at < size) {
            offer();
        } else {
            core.msg_valid = 0;
        }
    }
    if (!core.result_valid) return 3;
    trace.flush();
    std::cout << cycles << '\n';
    counter.save(std::cout);
    return std::cout.flush() ? 0 : 4;
}
