// SPDX-License-Identifier: Apache-2.0
// Hash of every register, memory and wire of a model, as Verilator's waveforms show them: variables of functions, which
// keep what they held in the last call, are no part of the hardware and of no waveform.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

#include "verilated_vcd_c.h"

/// Hashes the waveform that Verilator writes, instead of keeping it.
class HashedFile : public VerilatedVcdFile {
  public:
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t length) override {
        for (ssize_t i = 0; i < length; ++i) value = (value ^ static_cast<uint8_t>(text[i])) * 0x100000001b3ull;
        return length;
    }
    uint64_t value = 0xcbf29ce484222325ull;
};

/// A waveform of this one moment; the model's context must trace from before the model is made.
template <class Model>
std::string state_hash(Model& model) {
    HashedFile file;
    VerilatedVcdC trace{&file};
    model.trace(&trace, 99);
    trace.open("none");
    trace.dump(uint64_t{1});
    trace.close();
    std::ostringstream text;
    text << std::hex << file.value;
    return text.str();
}
