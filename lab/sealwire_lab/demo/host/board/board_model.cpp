// SPDX-License-Identifier: Apache-2.0
// See board_model.hpp. Everything moves on a grid of 2 ns: lines at 125 MHz, both edges, and as a PHY delays them; streams at
// 62.5 MHz, core at 100 MHz. Outputs are sampled just before a rising edge, inputs change just after it.
#include "board_model.hpp"

#include <cstring>
#include <string_view>

#include "save_coverage.hpp"

namespace {

constexpr uint64_t STEP_NS = 2;
constexpr size_t RECORD = 0, SECOND_RECORD = 4096, COUNTER_LOG = 8192;  // in the flash's last 16 KiB: docs/firmware.md
constexpr size_t OUTER_BYTES = 14, HEADER_BYTES = 16;
constexpr unsigned RUNS = 1;  // the LEDs
constexpr size_t EVENT_LIMIT = 4096;

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

bool begins(const char* text, const char* with) { return std::strncmp(text, with, std::strlen(with)) == 0; }

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
    : context_(std::make_unique<VerilatedContext>()),
      settings_(settings),
      random_(std::move(random)),
      on_trusted_(std::move(on_trusted)),
      on_untrusted_(std::move(on_untrusted)),
      paced_(settings.ms_cycles == 0) {
    context_->randReset(2);  // registers wake up with random values: nothing may rely on power-on zeros
    context_->randSeed(static_cast<int>(settings.local_id.back()) + 1);
    const char* name = "board";  // the processor looks for options of the simulation
    context_->commandArgs(1, &name);
    top_ = std::make_unique<Vboard_end>(context_.get());
    top_->s_axis_trusted_tvalid = top_->s_axis_untrusted_tvalid = 0;
    top_->flash_poke = 0;
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
        if (trusted_taken) beat(trusted_in_, "trusted_in first beat", "trusted_in last beat");
        if (untrusted_taken) beat(untrusted_in_, "untrusted_in first beat", "untrusted_in last beat");
        if (top_->m_axis_trusted_tvalid)
            trusted = beat(trusted_out_, top_->m_axis_trusted_tdata, top_->m_axis_trusted_tkeep,
                           top_->m_axis_trusted_tlast, "trusted_out first beat", "trusted_out last beat");
        if (top_->m_axis_untrusted_tvalid)
            untrusted = beat(untrusted_out_, top_->m_axis_untrusted_tdata, top_->m_axis_untrusted_tkeep,
                             top_->m_axis_untrusted_tlast, "untrusted_out first beat", "untrusted_out last beat");
        if (trusted_taken || untrusted_taken || top_->m_axis_trusted_tvalid || top_->m_axis_untrusted_tvalid ||
            top_->busy || top_->sealing || top_->opening)
            last_activity_ = core_cycles_;
        account();
    }
    if (core) watch_core();
    top_->line_clk = ns % 8 < 4;
    top_->late_clk = (ns + 6) % 8 < 4;
    top_->stream_clk = ns % 16 < 8;
    top_->core_clk = ns % 10 < 6;
    top_->eval();
    if (core) ++core_cycles_;
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

void BoardModel::watch_core() {
    if (static_cast<bool>(top_->sealing) != was_sealing_) event(was_sealing_ ? "seal end" : "seal begin");
    if (static_cast<bool>(top_->opening) != was_opening_) event(was_opening_ ? "open end" : "open begin");
    was_sealing_ = top_->sealing;
    was_opening_ = top_->opening;
    sealing_cycles_ += was_sealing_;
    opening_cycles_ += was_opening_;
}

void BoardModel::trace(bool on) {
    tracing_ = on;
    if (on) events_.clear();
}

void BoardModel::event(const char* what) {
    if (tracing_ && events_.size() < EVENT_LIMIT) events_.push_back({what, now_ps_, core_cycles_});
}

void BoardModel::beat(StreamIn& stream, const char* first, const char* last) {
    if (stream.offset == 0) event(first);
    if (beat_taken(stream)) event(last);
}

Frame BoardModel::beat(StreamOut& stream, uint64_t data, unsigned keep, bool ends, const char* first, const char* last) {
    if (stream.partial.empty()) event(first);
    collect_beat(stream, data, keep);
    if (!ends) return {};
    event(last);
    return finish_frame(stream);
}

// Looks at the counters now and then, while something is inside.
void BoardModel::account() {
    if (trusted_flight_.sizes.empty() && untrusted_flight_.sizes.empty()) return;
    if (core_cycles_ < counted_ + COUNT_CORE_CYCLES) return;
    counted_ = core_cycles_;
    uint64_t sealed = 0, opened = 0;
    for (size_t i = 0; i < COUNTER_COUNT; ++i) {
        const char* name = COUNTERS[i];
        const bool drop = begins(name, "drop_"), here = begins(name, "drop_trusted_");
        if (here || !std::strcmp(name, "sealed")) sealed += count(i);
        if ((drop && !here) || !std::strcmp(name, "delivered") || !std::strcmp(name, "keepalives_in") ||
            !std::strcmp(name, "handshakes_in"))
            opened += count(i);
    }
    trusted_flight_.retire(sealed);
    untrusted_flight_.retire(opened);
    if (untrusted_flight_.sizes.empty()) handshake_in_flight_ = false;
}

uint64_t BoardModel::count(size_t index) const {
    return static_cast<uint64_t>(top_->counts[2 * index + 1]) << 32 | top_->counts[2 * index];
}

void BoardModel::feed_trusted(Frame&& frame) {
    trusted_flight_.add(frame.size());
    trusted_in_.frames.push_back(std::move(frame));
}

void BoardModel::feed_untrusted(Frame&& frame) {
    untrusted_flight_.add(frame.size());
    handshake_in_flight_ = handshake_in_flight_ || is_handshake(frame);
    untrusted_in_.frames.push_back(std::move(frame));
}

bool BoardModel::idle() const {
    return trusted_flight_.sizes.empty() && untrusted_flight_.sizes.empty() && trusted_out_.partial.empty() &&
           untrusted_out_.partial.empty() && trusted_out_.frames == count(DELIVERED) &&
           untrusted_out_.frames == count(UNTRUSTED_OUT) && core_cycles_ - last_activity_ >= STILL_CORE_CYCLES;
}

std::string BoardModel::counters_json() const {
    std::string out;
    for (size_t i = 0; i < COUNTER_COUNT; ++i)
        out += (out.empty() ? "{\"" : ", \"") + std::string(COUNTERS[i]) + "\": " + std::to_string(count(i));
    return out + "}";
}
