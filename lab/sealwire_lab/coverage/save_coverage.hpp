// SPDX-License-Identifier: Apache-2.0
// Adds the counts of a model to those of earlier runs of the same program: one file a program, in the folder that
// SEALWIRE_COVERAGE names. The model must still exist. Without coverage this does nothing.
#pragma once

#include "verilated.h"

#if VM_COVERAGE
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "verilated_cov.h"

namespace coverage {

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "coverage: %s\n", what.c_str());
    std::_Exit(3);
}

// A line is what is counted, a space, and the count; the same program writes the same lines in the same order.
inline void add(const std::string& earlier, const std::string& fresh, const std::string& sum) {
    std::ifstream a{earlier}, b{fresh};
    std::ofstream out{sum};
    std::string left, right;
    while (std::getline(a, left)) {
        const size_t end = left.rfind(' ') + 1;
        if (!std::getline(b, right) || left.compare(0, end, right, 0, end) != 0) {
            fail(earlier + " is of another program; remove it");
        }
        if (left[0] != 'C') {
            out << left << '\n';
            continue;
        }
        out.write(left.data(), static_cast<std::streamsize>(end));
        out << std::stoull(left.substr(end)) + std::stoull(right.substr(end)) << '\n';
    }
    if (std::getline(b, right)) fail(earlier + " is of another program; remove it");
    if (!out.flush()) fail("cannot write " + sum + "; is the disk full?");
}

}  // namespace coverage

inline void save_coverage(VerilatedContext& context) {
    namespace fs = std::filesystem;
    const char* const folder = std::getenv("SEALWIRE_COVERAGE");
    if (!folder || !*folder) coverage::fail("this simulator counts; set SEALWIRE_COVERAGE to the folder for its counts");
    std::error_code error;
    fs::create_directories(folder, error);
    const std::string total = std::string{folder} + "/" COVERAGE_NAME ".dat";
    const int lock = open((total + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) coverage::fail("cannot write to the folder " + std::string{folder});
    const std::string fresh = total + ".new", sum = total + ".sum";
    context.coveragep()->write(fresh);
    if (fs::exists(total)) {
        coverage::add(total, fresh, sum);
        fs::remove(fresh);
        fs::rename(sum, total);
    } else {
        fs::rename(fresh, total);
    }
    close(lock);
}
#else
inline void save_coverage(VerilatedContext&) {}
#endif
