// SPDX-License-Identifier: Apache-2.0
//
// Two links with DROP_WHEN_FULL = 0 wired back to back. Frames of every length in [from, to] cross both ways at once and must come
// out unchanged and in order, under random stalls of all streams, the wire between the two ends included, with five clocks of
// unrelated periods. Arguments: from to seed stall-percent. Last line of standard output: what crossed. Exit 0 only if all did.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

#include "Vsealwire_link.h"
#include "verilated.h"

namespace {

using Frame = std::vector<uint8_t>;

struct Beat {
    uint64_t data;
    uint8_t keep;
    bool last;
};

constexpr uint32_t MS_CYCLES = 200;  // core cycles a millisecond: short, so that the ends' timers run too

std::mt19937_64 rng;  // seeded in main

[[noreturn]] void fail(const char* what) {
    std::printf("FAILED: %s\n", what);
    std::exit(1);
}

// Stalls in bursts: single cycles and long ones.
class Stall {
  public:
    explicit Stall(unsigned percent) : percent_(percent) {}
    bool now() {
        if (left_ == 0) {
            static constexpr unsigned LENGTHS[] = {1, 1, 2, 3, 9};
            left_ = LENGTHS[rng() % 5];
            stalled_ = rng() % 100 < percent_;
        }
        --left_;
        return stalled_;
    }

  private:
    unsigned percent_, left_ = 0;
    bool stalled_ = false;
};

// Pins of one AXI4-Stream port of the model.
struct Port {
    QData* data;
    CData *keep, *valid, *ready, *last;
};

// Drives beats into a port: an offered beat holds, unused lanes and idle cycles carry random bits.
class Source {
  public:
    Source(Port port, unsigned stall) : port_(port), stall_(stall) {}
    void push(Beat beat) { queue_.push_back(beat); }
    bool empty() const { return queue_.empty(); }
    size_t size() const { return queue_.size(); }
    void edge(bool taken) {
        if (taken) {
            queue_.pop_front();
            offered_ = false;
        }
        if (offered_) return;
        offered_ = !queue_.empty() && !stall_.now();
        *port_.valid = offered_;
        *port_.data = rng();
        if (!offered_) return;
        const Beat& beat = queue_.front();
        uint64_t mask = 0;
        for (int i = 0; i < 8; ++i)
            if (beat.keep >> i & 1) mask |= 0xffull << (8 * i);
        *port_.data = (beat.data & mask) | (*port_.data & ~mask);
        *port_.keep = beat.keep;
        *port_.last = beat.last;
    }
    bool taken() const { return *port_.valid && *port_.ready; }

  private:
    Port port_;
    Stall stall_;
    std::deque<Beat> queue_;
    bool offered_ = false;
};

void push_frame(Source& source, const Frame& frame) {
    for (size_t at = 0; at < frame.size(); at += 8) {
        const size_t count = std::min<size_t>(8, frame.size() - at);
        Beat beat{0, static_cast<uint8_t>((1u << count) - 1), at + count == frame.size()};
        for (size_t i = 0; i < count; ++i) beat.data |= uint64_t(frame[at + i]) << (8 * i);
        source.push(beat);
    }
}

// One direction of the trusted traffic: frames to send and to expect.
struct Flow {
    std::deque<Frame> expected;
    size_t next = 0;
    std::vector<size_t> lengths;
    Frame arriving;
};

struct End {
    std::unique_ptr<Vsealwire_link> dut = std::make_unique<Vsealwire_link>();
    Port trusted_in() { return {&dut->s_axis_trusted_tdata, &dut->s_axis_trusted_tkeep, &dut->s_axis_trusted_tvalid, &dut->s_axis_trusted_tready, &dut->s_axis_trusted_tlast}; }
    Port trusted_out() { return {&dut->m_axis_trusted_tdata, &dut->m_axis_trusted_tkeep, &dut->m_axis_trusted_tvalid, &dut->m_axis_trusted_tready, &dut->m_axis_trusted_tlast}; }
    Port wire_in() { return {&dut->s_axis_untrusted_tdata, &dut->s_axis_untrusted_tkeep, &dut->s_axis_untrusted_tvalid, &dut->s_axis_untrusted_tready, &dut->s_axis_untrusted_tlast}; }
    Port wire_out() { return {&dut->m_axis_untrusted_tdata, &dut->m_axis_untrusted_tkeep, &dut->m_axis_untrusted_tvalid, &dut->m_axis_untrusted_tready, &dut->m_axis_untrusted_tlast}; }
};

class Bench {
  public:
    Bench(unsigned stall) : stall_{Stall(stall), Stall(stall), Stall(stall), Stall(stall)} {
        for (int i = 0; i < 2; ++i) {
            trusted_.emplace_back(ends_[i].trusted_in(), stall);
            wire_.emplace_back(ends_[i].wire_in(), stall);
        }
        // Half periods in ps: the two ends share only the clock of the wire.
        clocks_ = {{3501, 0, {0}, TRUSTED}, {2650, 0, {0}, CORE}, {3407, 0, {0, 1}, WIRE}, {3811, 0, {1}, TRUSTED}, {2777, 0, {1}, CORE}};
        for (Clock& clock : clocks_) clock.next = 1 + rng() % clock.half;
    }

    void bring_up() {
        for (int i = 0; i < 2; ++i) {
            auto& dut = *ends_[i].dut;
            dut.trusted_rst = dut.core_rst = dut.untrusted_rst = 1;
            // Ids 1 and 2, most significant byte first on the wire: byte 0 is in the low bits.
            dut.cfg_local_id = uint64_t(i == 0 ? 1 : 2) << 56;
            dut.cfg_peer_id = uint64_t(i == 0 ? 2 : 1) << 56;
            dut.cfg_local_mac = 0x010000000002ull + (uint64_t(i) << 40);
            dut.cfg_peer_mac = 0x010000000002ull + (uint64_t(1 - i) << 40);
            dut.cfg_handshake = 1;
            dut.cfg_ms_cycles = MS_CYCLES;
            dut.cfg_t_rekey_ms = dut.cfg_t_max_ms = ~0u;
        }
        run(20);
        for (End& end : ends_) end.dut->trusted_rst = end.dut->core_rst = end.dut->untrusted_rst = 0;
        run(2000);
        uint32_t psk[16];
        for (uint32_t& word : psk) word = static_cast<uint32_t>(rng());
        for (End& end : ends_) {
            for (int i = 0; i < 16; ++i) end.dut->psk_data[i] = psk[i];
            end.dut->psk_number = 0;
            end.dut->psk_valid = end.dut->random_valid = 1;
        }
        run(1);
        for (End& end : ends_) end.dut->psk_valid = 0;
        for (int turn = 0; turn < 1000 && !(ends_[0].dut->session_up && ends_[1].dut->session_up); ++turn) run(MS_CYCLES);
        if (!ends_[0].dut->session_up || !ends_[1].dut->session_up) fail("no session");
    }

    void cross(std::vector<size_t> lengths) {
        for (Flow& flow : flows_) {
            std::shuffle(lengths.begin(), lengths.end(), rng);
            flow.lengths = lengths;
        }
        count_ = lengths.size();
        uint64_t still = 0;
        while (arrived_ != 2 * count_) {
            const size_t before = beats_;
            run(1000);
            still = beats_ == before ? still + 1 : 0;
            if (still > 40) fail("nothing moves any more");
        }
        run(6000);
    }

    void balance() {
        for (End& end : ends_) {
            const auto& dut = *end.dut;
            uint64_t drops = 0;
#define COUNTER(name) \
    if (std::string_view(#name).substr(0, 5) == "drop_") drops += dut.count_##name;
#include "counters.def"
#undef COUNTER
            if (drops) fail("something was dropped");
            for (uint64_t count : {dut.count_trusted_in, dut.count_sealed, dut.count_delivered})
                if (count != count_) fail("a counter does not say how many frames crossed");
            if (dut.count_sealed_bytes != dut.count_delivered_bytes || dut.count_trusted_in_bytes != dut.count_sealed_bytes) fail("bytes do not balance");
        }
    }

    uint64_t core_cycles() const { return core_cycles_; }

  private:
    enum Domain { TRUSTED, CORE, WIRE };
    struct Clock {
        uint64_t half, next;
        std::vector<int> ends;
        Domain domain;
        bool high = false;
    };

    CData& pin(const Clock& clock, int end) {
        auto& dut = *ends_[end].dut;
        return clock.domain == TRUSTED ? dut.trusted_clk : clock.domain == CORE ? dut.core_clk : dut.untrusted_clk;
    }

    // Core cycles of end 0.
    void run(uint64_t cycles) {
        const uint64_t until = core_cycles_ + cycles;
        while (core_cycles_ < until) {
            Clock& clock = *std::min_element(clocks_.begin(), clocks_.end(), [](const Clock& a, const Clock& b) { return a.next < b.next; });
            clock.next += clock.half;
            clock.high = !clock.high;
            if (clock.high) rise(clock);
            else
                for (int end : clock.ends) {
                    pin(clock, end) = 0;
                    ends_[end].dut->eval();
                }
        }
    }

    void rise(Clock& clock) {
        bool in_taken[2], out_taken[2];
        Beat out[2];
        for (int end : clock.ends) {
            const bool trusted = clock.domain == TRUSTED;
            const Port port = trusted ? ends_[end].trusted_out() : ends_[end].wire_out();
            in_taken[end] = trusted ? trusted_[end].taken() : wire_[end].taken();
            out_taken[end] = *port.valid && *port.ready;
            out[end] = {*port.data, *port.keep, static_cast<bool>(*port.last)};
            pin(clock, end) = 1;
        }
        for (int end : clock.ends) ends_[end].dut->eval();
        if (clock.domain == CORE) {
            if (clock.ends[0] == 0) ++core_cycles_;
            // Another R at every cycle: whichever is taken is fresh.
            for (int end : clock.ends)
                for (int i = 0; i < 8; ++i) ends_[end].dut->random_data[i] = static_cast<uint32_t>(rng());
            return;
        }
        for (int end : clock.ends) {
            if (clock.domain == TRUSTED) {
                beats_ += in_taken[end] + out_taken[end];
                if (out_taken[end]) arrive(flows_[1 - end], out[end]);
                feed(flows_[end], trusted_[end]);
                trusted_[end].edge(in_taken[end]);
                ends_[end].dut->m_axis_trusted_tready = !stall_[end].now();
            } else {
                if (out_taken[end]) wire_[1 - end].push(out[end]);
            }
        }
        if (clock.domain == WIRE)
            for (int end : clock.ends) {
                wire_[end].edge(in_taken[end]);
                // The wire between the ends holds little, so that a stalled end stalls the other.
                ends_[end].dut->m_axis_untrusted_tready = !stall_[2 + end].now() && held(1 - end) < 4;
            }
    }

    size_t held(int end) const { return wire_[end].size(); }

    void feed(Flow& flow, Source& source) {
        if (!source.empty() || flow.next == flow.lengths.size()) return;
        Frame frame(flow.lengths[flow.next++]);
        for (uint8_t& byte : frame) byte = static_cast<uint8_t>(rng());
        if (frame.size() > 12) frame[12] &= 0x7f;  // MAC control does not enter
        push_frame(source, frame);
        flow.expected.push_back(std::move(frame));
    }

    void arrive(Flow& flow, const Beat& beat) {
        for (int i = 0; i < 8; ++i)
            if (beat.keep >> i & 1) flow.arriving.push_back(static_cast<uint8_t>(beat.data >> (8 * i)));
        if (!beat.last) return;
        if (flow.expected.empty()) fail("a frame too many");
        if (flow.arriving != flow.expected.front()) {
            std::printf("expected %zu bytes, got %zu\n", flow.expected.front().size(), flow.arriving.size());
            fail("a frame changed on the way");
        }
        flow.expected.pop_front();
        flow.arriving.clear();
        ++arrived_;
    }

    End ends_[2];
    std::vector<Source> trusted_, wire_;
    Stall stall_[4];
    std::vector<Clock> clocks_;
    Flow flows_[2];
    size_t arrived_ = 0, count_ = 0, beats_ = 0;
    uint64_t core_cycles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: all_lengths from to seed stall-percent\n");
        return 2;
    }
    const size_t from = std::strtoul(argv[1], nullptr, 10), to = std::strtoul(argv[2], nullptr, 10);
    rng.seed(std::strtoull(argv[3], nullptr, 10));
    Bench bench(static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10)));
    bench.bring_up();
    std::vector<size_t> lengths(to - from + 1);
    std::iota(lengths.begin(), lengths.end(), from);
    bench.cross(lengths);
    bench.balance();
    std::printf("%zu lengths from %zu to %zu bytes crossed unchanged both ways in %llu core cycles\n", lengths.size(), from, to,
                static_cast<unsigned long long>(bench.core_cycles()));
    return 0;
}
