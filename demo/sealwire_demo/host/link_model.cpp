// SPDX-License-Identifier: Apache-2.0
// See link_model.hpp. Outputs are sampled just before a rising edge, inputs change just after it.
#include "link_model.hpp"

#include <type_traits>

#include "fates.hpp"
#include "save_coverage.hpp"

namespace {

constexpr std::array<uint64_t, 3> PERIOD_PS = {LinkModel::TRUSTED_PS, LinkModel::CORE_PS, LinkModel::UNTRUSTED_PS};

const char* const COUNTER_NAMES[] = {
#define COUNTER(name) #name,
#include "counters.def"
#undef COUNTER
};

std::vector<uint64_t> read_counters(const Vsealwire_link& top) {
    return {
#define COUNTER(name) top.count_##name,
#include "counters.def"
#undef COUNTER
    };
}

template <size_t WORDS>
void set_wide(VlWide<WORDS>& port, const Frame& bytes) {
    for (size_t w = 0; w < WORDS; ++w) {
        port[w] = 0;
        for (size_t i = 0; i < 4 && 4 * w + i < bytes.size(); ++i)
            port[w] |= static_cast<uint32_t>(bytes[4 * w + i]) << (8 * i);
    }
}

template <size_t WORDS>
void clear_wide(VlWide<WORDS>& port) {
    for (size_t w = 0; w < WORDS; ++w) port[w] = 0;
}

}  // namespace

LinkModel::LinkModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted)
    : EndModel(std::move(random), std::move(on_trusted), std::move(on_untrusted)),
      context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(2);  // registers wake up with random values: nothing may rely on power-on zeros
    context_->randSeed(static_cast<int>(settings.local_id.back()) + 1);
    top_ = std::make_unique<Vsealwire_link>(context_.get());
    top_->cfg_local_mac = low_byte_first(settings.local_mac);
    top_->cfg_peer_mac = low_byte_first(settings.peer_mac);
    top_->cfg_local_id = low_byte_first(settings.local_id);
    top_->cfg_peer_id = low_byte_first(settings.peer_id);
    top_->cfg_handshake = 1;
    top_->cfg_ms_cycles = settings.ms_cycles;
    top_->cfg_t_rekey_ms = settings.t_rekey_ms;
    top_->cfg_t_max_ms = settings.t_max_ms;
    top_->trusted_clk = top_->core_clk = top_->untrusted_clk = 0;
    top_->s_axis_trusted_tvalid = top_->s_axis_untrusted_tvalid = 0;
    top_->s_axis_trusted_tuser = top_->s_axis_untrusted_tuser = 0;  // nothing arrives damaged here
    top_->m_axis_trusted_tready = top_->m_axis_untrusted_tready = 1;
    top_->psk_valid = top_->load_write = top_->load_commit = top_->zeroise = 0;
    set_wide(top_->random_data, random_());
    top_->random_valid = 1;
    for (size_t d = 0; d < DOMAINS; ++d) next_ps_[d] = PERIOD_PS[d];
    context_->assertOn(false);  // registers have random values until the first reset
    reset();
    context_->assertOn(true);
    restart();
}

void LinkModel::reset() {
    top_->trusted_rst = top_->core_rst = top_->untrusted_rst = 1;
    settled_.fill(false);
    run_core_cycles(32);
}

void LinkModel::restart() {
    forget_frames();
    top_->s_axis_trusted_tvalid = top_->s_axis_untrusted_tvalid = 0;
    reset();
    top_->trusted_rst = top_->core_rst = top_->untrusted_rst = 0;
    settled_.fill(false);
    run_core_cycles(WIPE_CORE_CYCLES);
}

LinkModel::~LinkModel() {
    top_->final();
    save_coverage(*context_);
}

void LinkModel::eval() {
    top_->eval();
    settled_.fill(true);
}

void LinkModel::rising(Domain domain) {
    if (!settled_[domain]) eval();
    switch (domain) {
        case TRUSTED: edge_trusted(); break;
        case CORE: edge_core(); break;
        default: edge_untrusted(); break;
    }
    // The clock is low again and this domain's inputs are new; the next evaluation sees both.
    settled_[domain] = false;
}

void LinkModel::run_core_cycles(unsigned cycles) {
    const uint64_t end = core_cycles_ + cycles;
    while (core_cycles_ < end) {
        size_t first = TRUSTED;
        for (size_t d = CORE; d < DOMAINS; ++d)
            if (next_ps_[d] < next_ps_[first]) first = d;
        now_ps_ = next_ps_[first];
        next_ps_[first] += PERIOD_PS[first];
        rising(static_cast<Domain>(first));
    }
}

void LinkModel::edge_trusted() {
    const bool running = !top_->trusted_rst;  // in reset, outputs mean nothing yet
    const bool taken = running && top_->s_axis_trusted_tvalid && top_->s_axis_trusted_tready;
    if (taken) take(trusted_in_, "trusted_in first beat", "trusted_in last beat");
    Frame out;
    if (running && top_->m_axis_trusted_tvalid)
        out = give(trusted_out_, top_->m_axis_trusted_tdata, top_->m_axis_trusted_tkeep, top_->m_axis_trusted_tlast,
                   "trusted_out first beat", "trusted_out last beat");
    top_->trusted_clk = 1;
    eval();
    top_->trusted_clk = 0;
    if (taken || !top_->s_axis_trusted_tvalid)
        show_beat(trusted_in_, top_->s_axis_trusted_tdata, top_->s_axis_trusted_tkeep, top_->s_axis_trusted_tvalid,
                  top_->s_axis_trusted_tlast);
    if (!out.empty()) on_trusted_(std::move(out));
}

void LinkModel::edge_untrusted() {
    const bool running = !top_->untrusted_rst;
    const bool taken = running && top_->s_axis_untrusted_tvalid && top_->s_axis_untrusted_tready;
    if (taken) take(untrusted_in_, "untrusted_in first beat", "untrusted_in last beat");
    Frame out;
    if (running && top_->m_axis_untrusted_tvalid)
        out = give(untrusted_out_, top_->m_axis_untrusted_tdata, top_->m_axis_untrusted_tkeep, top_->m_axis_untrusted_tlast,
                   "untrusted_out first beat", "untrusted_out last beat");
    top_->untrusted_clk = 1;
    eval();
    top_->untrusted_clk = 0;
    if (taken || !top_->s_axis_untrusted_tvalid)
        show_beat(untrusted_in_, top_->s_axis_untrusted_tdata, top_->s_axis_untrusted_tkeep,
                  top_->s_axis_untrusted_tvalid, top_->s_axis_untrusted_tlast);
    if (!out.empty()) on_untrusted_(std::move(out));
}

void LinkModel::edge_core() {
    const bool psk_taken = top_->psk_valid && top_->psk_ready;
    const bool random_taken = top_->random_valid && top_->random_ready;
    const bool running = !top_->core_rst;
    watch_core(running, top_->busy, top_->mon_enc_busy, top_->mon_dec_busy);
    if (noting_) note_counters();
    if (running) {
        uint64_t finished[FATES] = {};
#define COUNTER(name) finished[std::integral_constant<Fate, fate(#name)>()] += top_->count_##name;
#include "counters.def"
#undef COUNTER
        retire(finished[OF_TRUSTED], finished[OF_UNTRUSTED]);
    }
    ++core_cycles_;
    top_->core_clk = 1;
    eval();
    top_->core_clk = 0;
    if (psk_taken) top_->psk_valid = 0;
    if (random_taken) set_wide(top_->random_data, random_());
}

void LinkModel::load_psk(const Frame& psk, uint64_t number) {
    set_wide(top_->psk_data, psk);
    top_->psk_number = number;
    top_->psk_valid = 1;
    settled_.fill(false);
    for (unsigned cycle = 0; top_->psk_valid; ++cycle) {
        if (cycle > PSK_LIMIT) throw std::runtime_error("the link does not take the pre-shared key");
        run_core_cycles(1);
    }
    clear_wide(top_->psk_data);
    last_activity_ = core_cycles_;  // the handshake may begin
}

void LinkModel::tick() {
    // The counter of the link's clock rests at 0 while a millisecond has none; one cycle with 1 lets it expire once.
    top_->cfg_ms_cycles = 1;
    settled_.fill(false);
    run_core_cycles(1);
    top_->cfg_ms_cycles = 0;
    settled_.fill(false);
    run_core_cycles(TICK_CORE_CYCLES);
}

bool LinkModel::idle() const {
    return is_still(top_->count_delivered, top_->count_untrusted_out, STILL_CORE_CYCLES);
}

void LinkModel::trace(bool on) {
    EndModel::trace(on);
    noting_ = on;
    if (on) counters_before_ = read_counters(*top_);
}

void LinkModel::note_counters() {
    const std::vector<uint64_t> counters = read_counters(*top_);
    for (size_t i = 0; i < counters.size(); ++i)
        if (counters[i] != counters_before_[i]) event((std::string("count ") + COUNTER_NAMES[i]).c_str());
    counters_before_ = counters;
}

std::map<std::string, uint64_t> LinkModel::counters() const {
    const std::vector<uint64_t> values = read_counters(*top_);
    std::map<std::string, uint64_t> out;
    for (size_t i = 0; i < values.size(); ++i) out[COUNTER_NAMES[i]] = values[i];
    return out;
}

std::string LinkModel::counters_json() const {
    std::string out;
    for (const auto& [name, value] : counters())
        out += (out.empty() ? "{\"" : ", \"") + name + "\": " + std::to_string(value);
    return out + "}";
}
