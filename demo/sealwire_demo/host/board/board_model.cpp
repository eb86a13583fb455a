// SPDX-License-Identifier: Apache-2.0
// See board_model.hpp. Everything moves on a grid of 2 ns: lines at 125 MHz, both edges, and as a PHY delays them; streams at
// 62.5 MHz, core at 100 MHz. Outputs are sampled just before a rising edge, inputs change just after it.
#include "board_model.hpp"

#include <array>
#include <string_view>

#include "fates.hpp"
#include "save_coverage.hpp"

namespace {

constexpr uint64_t STEP_NS = 2;
constexpr size_t RECORD = 0, SECOND_RECORD = 4096, COUNTER_LOG = 8192;  // in the flash's last 16 KiB: docs/firmware.md
constexpr size_t OUTER_BYTES = 14, HEADER_BYTES = 16;
constexpr unsigned RUNS = 1;  // the LEDs

constexpr const char* COUNTERS[] = {
#include "counter_names.inc"
};
constexpr size_t COUNTER_COUNT = sizeof COUNTERS / sizeof *COUNTERS;

constexpr size_t place_of(const char* name) {
    for (size_t i = 0; i < COUNTER_COUNT; ++i)
        if (std::string_view(COUNTERS[i]) == name) return i;
    throw std::logic_error("no such counter");
}
constexpr size_t DELIVERED = place_of("delivered"), UNTRUSTED_OUT = place_of("untrusted_out");

constexpr auto FATE = [] {
    std::array<Fate, COUNTER_COUNT> fates{};
    for (size_t i = 0; i < COUNTER_COUNT; ++i) fates[i] = fate(COUNTERS[i]);
    return fates;
}();

void append(Frame& to, const Frame& more) { to.insert(to.end(), more.begin(), more.end()); }

Frame number(uint32_t value) {
    return {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value >> 16),
            static_cast<uint8_t>(value >> 24)};
}

// Closes a record or an entry of the log.
void append_crc(Frame& body) {
    uint32_t crc = ~0U;
    for (const uint8_t byte : body) {
        crc ^= byte;
        for (unsigned bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
    }
    append(body, number(~crc));
}

// A link packet without what the line's least length added to it.
void strip_padding(Frame& frame) {
    if (frame.size() < OUTER_BYTES + HEADER_BYTES) return;
    const size_t length = static_cast<size_t>(frame[OUTER_BYTES + 2]) << 8 | frame[OUTER_BYTES + 3];
    frame.resize(std::min(frame.size(), OUTER_BYTES + HEADER_BYTES + length));
}

}  // namespace

BoardModel::BoardModel(const Settings& settings, Random random, Deliver on_trusted, Deliver on_untrusted)
    : EndModel(std::move(random), std::move(on_trusted), std::move(on_untrusted)),
      context_(std::make_unique<VerilatedContext>()),
      settings_(settings),
      console_(settings.console),
      paced_(settings.ms_cycles == 0) {
    context_->randReset(2);  // registers wake up with random values: nothing may rely on power-on zeros
    context_->randSeed(static_cast<int>(settings.local_id.back()) + 1);
    const char* name = "board";  // the processor looks for options of the simulation
    context_->commandArgs(1, &name);
    top_ = std::make_unique<Vboard_end>(context_.get());
    top_->s_axis_trusted_tvalid = top_->s_axis_untrusted_tvalid = 0;
    top_->flash_poke = 0;
    top_->uart_rxd = 1;
    top_->line_clk = top_->late_clk = top_->stream_clk = top_->core_clk = 0;
    for (const bool reset : {false, true}) {  // asynchronous: an edge begins it
        top_->rst = reset;
        top_->eval();
    }
    context_->assertOn(false);  // what wakes up in the middle of something is in no state yet
    run(100);
    context_->assertOn(true);
}

BoardModel::~BoardModel() {
    top_->final();
    save_coverage(*context_);
}

void BoardModel::write_flash(size_t address, const Frame& bytes) {
    top_->flash_poke = 1;
    for (size_t i = 0; i < bytes.size(); ++i) {
        top_->flash_addr = static_cast<SData>(address + i);
        top_->flash_poke_data = bytes[i];
        run(1);
    }
    top_->flash_poke = 0;
}

void BoardModel::load_psk(const Frame& psk, uint64_t started) {
    const auto boot = static_cast<uint32_t>(started / 1'000'000'000);
    Frame record = {'S', 'W', 'R', 'D'};
    for (const uint32_t word : {1U, 1U, boot}) append(record, number(word));
    for (const Frame* part : {&settings_.local_id, &settings_.peer_id, &settings_.local_mac, &settings_.peer_mac})
        append(record, *part);
    append(record, number(settings_.t_rekey_ms));
    append(record, number(settings_.t_max_ms));
    append(record, psk);
    append(record, random_());
    append_crc(record);
    Frame entry = {'S', 'W', 'C', 'T'};
    append(entry, number(boot));
    append(entry, number(0));
    append_crc(entry);
    write_flash(RECORD, record);
    write_flash(SECOND_RECORD, record);
    write_flash(COUNTER_LOG, entry);
    explicit_bzero(record.data(), record.size());
    top_->rst = 0;
    for (const uint64_t end = core_cycles_ + BOOT_CORE_CYCLES; top_->leds != RUNS || !top_->random_waits; run(1000))
        if (core_cycles_ > end) throw std::runtime_error("the board does not boot");
    last_activity_ = core_cycles_;  // the handshake may begin
}

void BoardModel::tick() { budget_ = std::min<uint64_t>(budget_ + MS_CYCLES, BUDGET_MS * MS_CYCLES); }

void BoardModel::run_core_cycles(unsigned cycles) {
    const uint64_t taken = paced_ ? std::min<uint64_t>(budget_, cycles) : cycles;
    if (paced_) budget_ -= taken;
    run(taken);
}

void BoardModel::run(uint64_t cycles) {
    for (const uint64_t end = core_cycles_ + cycles; core_cycles_ < end;) step();
}

void BoardModel::step() {
    now_ps_ += 1000 * STEP_NS;
    const uint64_t ns = now_ps_ / 1000;
    const bool streams = ns % 16 == 0, core = ns % 10 == 0;
    Frame trusted, untrusted;
    bool trusted_taken = false, untrusted_taken = false;
    if (streams && !top_->rst) {
        trusted_taken = top_->s_axis_trusted_tvalid && top_->s_axis_trusted_tready;
        untrusted_taken = top_->s_axis_untrusted_tvalid && top_->s_axis_untrusted_tready;
        if (trusted_taken) take(trusted_in_, "trusted_in first beat", "trusted_in last beat");
        if (untrusted_taken) take(untrusted_in_, "untrusted_in first beat", "untrusted_in last beat");
        if (top_->m_axis_trusted_tvalid)
            trusted = give(trusted_out_, top_->m_axis_trusted_tdata, top_->m_axis_trusted_tkeep,
                           top_->m_axis_trusted_tlast, "trusted_out first beat", "trusted_out last beat");
        if (top_->m_axis_untrusted_tvalid)
            untrusted = give(untrusted_out_, top_->m_axis_untrusted_tdata, top_->m_axis_untrusted_tkeep,
                             top_->m_axis_untrusted_tlast, "untrusted_out first beat", "untrusted_out last beat");
        account();
    }
    if (core) watch_core(!top_->rst, top_->busy, top_->sealing, top_->opening);
    top_->line_clk = ns % 8 < 4;
    top_->late_clk = (ns + 6) % 8 < 4;
    top_->stream_clk = ns % 16 < 8;
    top_->core_clk = ns % 10 < 6;
    top_->eval();
    if (core) {
        ++core_cycles_;
        top_->uart_rxd = console_.step(top_->uart_txd);
    }
    if (!streams) return;
    if (trusted_taken || !top_->s_axis_trusted_tvalid)
        show_beat(trusted_in_, top_->s_axis_trusted_tdata, top_->s_axis_trusted_tkeep, top_->s_axis_trusted_tvalid,
                  top_->s_axis_trusted_tlast);
    if (untrusted_taken || !top_->s_axis_untrusted_tvalid)
        show_beat(untrusted_in_, top_->s_axis_untrusted_tdata, top_->s_axis_untrusted_tkeep,
                  top_->s_axis_untrusted_tvalid, top_->s_axis_untrusted_tlast);
    if (top_->damaged) throw std::runtime_error("a damaged frame came out of the board");
    if (!trusted.empty()) on_trusted_(std::move(trusted));
    if (!untrusted.empty()) {
        strip_padding(untrusted);
        on_untrusted_(std::move(untrusted));
    }
}

// Looks at the counters now and then, while something is inside.
void BoardModel::account() {
    if (is_empty() || core_cycles_ < counted_ + COUNT_CORE_CYCLES) return;
    counted_ = core_cycles_;
    uint64_t finished[FATES] = {};
    for (size_t i = 0; i < COUNTER_COUNT; ++i) finished[FATE[i]] += count(i);
    retire(finished[OF_TRUSTED], finished[OF_UNTRUSTED]);
}

uint64_t BoardModel::count(size_t index) const {
    return static_cast<uint64_t>(top_->counts[2 * index + 1]) << 32 | top_->counts[2 * index];
}

bool BoardModel::idle() const { return is_still(count(DELIVERED), count(UNTRUSTED_OUT), STILL_CORE_CYCLES); }

std::string BoardModel::counters_json() const {
    std::string out;
    for (size_t i = 0; i < COUNTER_COUNT; ++i)
        out += (out.empty() ? "{\"" : ", \"") + std::string(COUNTERS[i]) + "\": " + std::to_string(count(i));
    return out + "}";
}
