// SPDX-License-Identifier: Apache-2.0
// cocotb's main program, whose one call that writes coverage saves the counts beside those of the other simulators.
#include "save_coverage.hpp"

#if VM_COVERAGE
struct SavedCoverage {
    static void write() { save_coverage(*Verilated::threadContextp()); }
};
#define VerilatedCov SavedCoverage
#endif

#include "verilator.cpp"
