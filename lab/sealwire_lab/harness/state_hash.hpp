// SPDX-License-Identifier: Apache-2.0
// Hash of every register and memory of a model, as text. Verilator saves no model that counts coverage: its state is
// `unknown`.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

#if VM_COVERAGE
template <class Model>
std::string state_hash(const Model&) {
    return "unknown";
}
#else
#include "verilated_save.h"

/// Collects the model's state in memory, to hash it.
class StateHash : public VerilatedSerialize {
  public:
    StateHash() { m_isOpen = true; }
    ~StateHash() override { m_cp = m_bufp; }
    void flush() override {
        for (const uint8_t* at = m_bufp; at < m_cp; ++at) value = (value ^ *at) * 0x100000001b3ull;
        m_cp = m_bufp;
    }
    uint64_t value = 0xcbf29ce484222325ull;
};

template <class Model>
std::string state_hash(Model& model) {
    StateHash hash;
    hash << model;
    hash.flush();
    std::ostringstream text;
    text << std::hex << hash.value;
    return text.str();
}
#endif
