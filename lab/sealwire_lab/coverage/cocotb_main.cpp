// SPDX-License-Identifier: Apache-2.0
// Runs a Verilated model under cocotb. The model is evaluated only when one of its signals was written: an evaluation
// works out all logic behind its inputs, changed or not, and most moments of a simulation need one, not two.
#include "Vtop.h"
#include "save_coverage.hpp"
#include "verilated_vpi.h"

extern "C" void vlog_startup_routines_bootstrap(void);

namespace {

// A callback of a changed value may write other signals, whose callbacks are due as well.
void settle() {
    while (VerilatedVpi::callValueCbs()) {
    }
}

void write_late_values() {
    VerilatedVpi::doInertialPuts();
    settle();
}

// All that happens at one moment of the simulation, but for what its timers have written.
void run_moment(Vtop& top) {
    do {
        do {
            if (VerilatedVpi::evalNeeded()) {
                VerilatedVpi::clearEvalNeeded();
                top.eval_step();
            }
            write_late_values();
        } while (VerilatedVpi::evalNeeded());
        VerilatedVpi::callCbs(cbReadWriteSynch);
        write_late_values();
    } while (VerilatedVpi::evalNeeded());
    VerilatedVpi::callCbs(cbReadOnlySynch);
}

}  // namespace

int main(int argc, char** argv) {
    VerilatedContext& context = *Verilated::threadContextp();
    context.commandArgs(argc, argv);
    Vtop top{&context, ""};
    context.fatalOnVpiError(false);  // cocotb asks whether something exists by trying to use it
    const auto end = [](void*) {
        VerilatedVpi::callCbs(cbEndOfSimulation);
        save_coverage(*Verilated::threadContextp());
    };
    Verilated::addExitCb(end, nullptr);

    vlog_startup_routines_bootstrap();
    VerilatedVpi::callCbs(cbStartOfSimulation);
    settle();
    top.eval_step();
    while (!context.gotFinish()) {
        run_moment(top);
        const uint64_t next = VerilatedVpi::cbNextDeadline();
        if (next == ~uint64_t{0}) break;  // nothing waits for a time: cocotb has ended
        context.time(next);
        VerilatedVpi::callCbs(cbNextSimTime);
        settle();
        VerilatedVpi::callTimedCbs();
        settle();
    }
    top.final();
    end(nullptr);
    return context.errorCount() > 0;
}
