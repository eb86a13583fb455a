// SPDX-License-Identifier: Apache-2.0
// A Verilated core with its ports for the bench.

#include "Vcore.h"
#include "device.hpp"
#include "save_coverage.hpp"
#include "state_hash.hpp"

#ifndef MAX_MSG_BYTES
#define MAX_MSG_BYTES 0
#endif
#ifndef SHARES
#define SHARES 1
#endif
#ifndef COMMANDS
#define COMMANDS 1
#endif
#ifdef CONTEXTS
const Sizes SIZES{true, CONTEXTS, DATA_BITS, KEY_BITS, NONCE_BITS, TAG_BITS, MAX_MSG_BYTES, SHARES, COMMANDS};
#else
const Sizes SIZES{false, 1, DATA_BITS, KEY_BITS, 0, TAG_BITS, MAX_MSG_BYTES, SHARES, COMMANDS};
#endif

/// Verilator asks for the time of day of the simulation; nothing here depends on it.
double sc_time_stamp() { return 0; }

namespace {

class Model : public Device {
  public:
    Model(uint64_t seed, int argc, char** argv) {
        context_.commandArgs(argc, argv);
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
        context_.traceEverOn(true);   // for its state
        core_ = std::make_unique<Vcore>(&context_, "core");
#define PORT(name) name = Port{core_->name}
        PORT(clk), PORT(rst), PORT(clear), PORT(busy);
        PORT(key_valid), PORT(key_ready), PORT(key_data);
        PORT(cmd_valid), PORT(cmd_ready);
        PORT(msg_valid), PORT(msg_ready), PORT(msg_data), PORT(msg_bytes), PORT(msg_last);
        PORT(tag_in_valid), PORT(tag_in_ready), PORT(tag_in_data);
        PORT(result_valid), PORT(result_ready), PORT(result_ok), PORT(result_tag);
#ifdef CONTEXTS
        PORT(cmd_ctx), PORT(cmd_op), PORT(cmd_cached_ad), PORT(cmd_nonce);
        PORT(ad_valid), PORT(ad_ready), PORT(ad_ctx), PORT(ad_data), PORT(ad_bytes), PORT(ad_last);
        PORT(msg_ctx), PORT(tag_in_ctx), PORT(result_ctx);
        PORT(out_valid), PORT(out_ready), PORT(out_ctx), PORT(out_data), PORT(out_bytes), PORT(out_last);
#else
        PORT(cmd_verify);
#endif
#if SHARES > 1
        PORT(seed_valid), PORT(seed_ready), PORT(seed_data);
#endif
#undef PORT
    }
    ~Model() override { save_coverage(context_); }

    void eval() override { core_->eval(); }
    std::string state() override { return state_hash(*core_); }

  private:
    VerilatedContext context_;
    std::unique_ptr<Vcore> core_;
};

}   // namespace

std::unique_ptr<Device> make_device(uint64_t seed, int argc, char** argv) {
    return std::make_unique<Model>(seed, argc, argv);
}
