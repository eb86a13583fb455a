// SPDX-License-Identifier: Apache-2.0
// Counts how often the nets of a MAC core's netlist change while it computes the tag of one message.
// Arguments: bytes of the message, seed.  Answer: nets, toggles, cycles.  A net counts once a cycle, as it is before the
// clock edge: without delays there are no glitches.  The clock's net is left out.

#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "Vcore.h"
#include "ports.hpp"
#include "verilated_vcd_c.h"

namespace {

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
    uint64_t toggles = 0;
    uint64_t nets() const { return nets_; }

  private:
    void read(const std::string& line) {
        std::istringstream words{line};
        std::string first, kind, width, code, name;
        words >> first;
        if (first == "$var") {
            words >> kind >> width >> code >> name;
            if (name == "clk") {
                clock_ = code;
            } else if (name == "result_tag") {   // the port: a second name for the nets of its register
                left_out_ = code;
            } else if (known_.emplace(code, "").second) {
                nets_ += std::stoul(width);
            }
        } else if (!first.empty() && (first[0] == '0' || first[0] == '1')) {
            change(first.substr(1), first.substr(0, 1));
        } else if (!first.empty() && first[0] == 'b') {
            words >> code;
            change(code, first.substr(1));
        }
    }
    void change(const std::string& code, std::string value) {
        if (code == clock_ || code == left_out_) return;
        std::string& before = known_[code];
        const size_t bits = std::max(value.size(), before.size());
        value.insert(0, bits - value.size(), '0');
        before.insert(0, bits - before.size(), '0');
        for (size_t i = 0; i < bits; ++i) toggles += value[i] != before[i];
        before = value;
    }
    std::string line_, clock_, left_out_;
    std::map<std::string, std::string> known_;
    uint64_t nets_ = 0;
};

}   // namespace

double sc_time_stamp() { return 0; }

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
    size_t at = 0;
    bool taking = false;
    const auto offer = [&] {   // what follows the last byte is nothing: inputs hold still
        if (!taking || at > size) return;
        Bytes beat;
        for (size_t i = at; i < size && i < at + DATA_BITS / 8; ++i) beat.push_back(static_cast<uint8_t>(random.next()));
        for (unsigned i = 0; 64 * i < DATA_BITS; ++i) put_word(Port{core.msg_data}, DATA_BITS, i, 0);
        for (size_t i = 0; i < beat.size(); i += 8) {
            uint64_t word = 0;
            for (size_t j = i; j < beat.size() && j < i + 8; ++j) word |= uint64_t{beat[j]} << 8 * (j - i);
            put_word(Port{core.msg_data}, DATA_BITS, i / 8, word);
        }
        core.msg_bytes = beat.size();
        core.msg_last = at + DATA_BITS / 8 >= size;
        core.msg_valid = 1;
    };
    const auto cycle = [&] {
        core.clk = 0;
        core.eval();
        trace.dump(++time);
        core.clk = 1;
        core.eval();
    };
    core.result_ready = core.clear = core.cmd_valid = core.key_valid = core.msg_valid = core.tag_in_valid = 0;
    core.cmd_verify = 0;
    core.rst = 1;
    cycle();
    cycle();
    core.rst = 0;
    for (unsigned i = 0; i < 2; ++i) put_word(Port{core.key_data}, KEY_BITS, i, random.next());
    core.key_valid = 1;
    cycle();
    core.key_valid = 0;
    for (unsigned i = 0; i < 20; ++i) cycle();
    taking = true;
    offer();
    core.cmd_valid = 1;
    cycle();
    core.cmd_valid = 0;
    trace.flush();
    counter.toggles = 0;
    unsigned cycles = 0;
    while (!core.result_valid && cycles < 1000000) {
        core.clk = 0;
        core.eval();
        const bool moves = core.msg_ready && core.msg_valid, last = core.msg_last;
        cycle();
        ++cycles;
        if (moves) {
            at += DATA_BITS / 8;
            if (last) {
                core.msg_valid = 0;
                taking = false;
            } else {
                offer();
            }
        }
    }
    trace.flush();
    std::cout << counter.nets() << ' ' << counter.toggles << ' ' << cycles << std::endl;
    return 0;
}
