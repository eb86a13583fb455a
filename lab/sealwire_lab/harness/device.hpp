// SPDX-License-Identifier: Apache-2.0
// A core as the bench sees it: its sizes and its flat ports. The bench is compiled once for all cores, model.cpp for each.
#pragma once

#include <memory>
#include <string>

#include "ports.hpp"

/// Parameters of the core, in bits and bytes.
struct Sizes {
    bool aead;   ///< else a MAC core, which has neither contexts nor AD nor out
    unsigned contexts, data_bits, key_bits, nonce_bits, tag_bits, max_msg_bytes;
    unsigned shares;   ///< that a key comes in; of more than one the core takes a seed too
    unsigned commands;   ///< in flight at most, if more than one
};
extern const Sizes SIZES;

struct Device {
    virtual ~Device() = default;
    virtual void eval() = 0;
    virtual std::string state() = 0;   ///< hash of every register and memory

    Port clk, rst, clear, busy;
    Port key_valid, key_ready, key_data;
    Port cmd_valid, cmd_ready, cmd_ctx, cmd_op, cmd_cached_ad, cmd_nonce, cmd_verify;
    Port ad_valid, ad_ready, ad_ctx, ad_data, ad_bytes, ad_last;
    Port msg_valid, msg_ready, msg_ctx, msg_data, msg_bytes, msg_last;
    Port tag_in_valid, tag_in_ready, tag_in_ctx, tag_in_data;
    Port out_valid, out_ready, out_ctx, out_data, out_bytes, out_last;
    Port result_valid, result_ready, result_ctx, result_ok, result_tag;
    Port seed_valid, seed_ready, seed_data;
};

/// The core, with random values in its registers: nothing may rely on initial ones.
std::unique_ptr<Device> make_device(uint64_t seed, int argc, char** argv);
