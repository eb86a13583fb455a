// SPDX-License-Identifier: Apache-2.0
//
// Two links in RTL and a network between them that loses, holds back, duplicates, reorders, corrupts, truncates,
// replays (old sessions too), reflects, invents and floods packets and resets ends. What must hold, as in the
// abstract simulation that docs/wire-format.md rests on: what leaves was sent by the other end, and leaves once; no
// (session, packet number) is sealed twice; totals balance to the packet; two seconds after an attack every frame
// arrives; what only comes beside the link's own packets costs no frame. Time is the links' own: 40 core cycles a
// millisecond, so that seconds are short. Arguments: seed, seconds of each attack, attacks by name.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>

#include "link_model.hpp"

namespace {

constexpr uint32_t MS_CYCLES = 40;
// Before an attack; after it; then without a loss.
constexpr unsigned PEACE_MS = 3000, RESUME_MS = 2000, LOSSLESS_MS = 1500;
constexpr unsigned FRAME_EVERY_MS = 20, IN_WORK_MS = 100;
constexpr unsigned PSK_BYTES = 64, RANDOM_BYTES = 32, OUTER = 14, HEADER = 16;
constexpr size_t MEMORY = 3000;       // packets that the attacker remembers
constexpr unsigned OLDEST_MS = 8000;  // the longest that it holds one back

std::mt19937_64 dice;

unsigned below(unsigned limit) { return static_cast<unsigned>(dice() % limit); }
bool chance(double p) { return static_cast<double>(dice() >> 11) * 0x1p-53 < p; }
Frame random_bytes(size_t size) {
    Frame bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice());
    return bytes;
}

[[noreturn]] void fail(const std::string& what) {
    std::printf("FAILED: %s\n", what.c_str());
    std::exit(1);
}

// Shares of packets, except those that say otherwise.
struct Attack {
    const char* name;
    double loss, late, duplicate, reorder, corrupt, truncate;
    unsigned replays, garbage, hellos;  // packets every 10 ms
    double oversize, restart;           // chance every 10 ms
    // Every packet arrives in time and whole, whatever comes beside it: no frame may be lost.
    bool harmless() const { return loss == 0 && late == 0 && corrupt == 0 && truncate == 0 && restart == 0; }
};

constexpr Attack ATTACKS[] = {
    {"none", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"loss", 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"silence", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"late", 0, 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"duplicate", 0, 0, 0.8, 0, 0, 0, 0, 0, 0, 0, 0},
    {"reorder", 0, 0, 0, 0.8, 0, 0, 0, 0, 0, 0, 0},
    {"corrupt", 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0},
    {"truncate", 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0},
    {"replay", 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0},
    {"garbage", 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0},
    {"hellos", 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0},
    {"oversize", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0},
    {"restart", 0.3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.01},
    {"all", 0.15, 0.1, 0.2, 0.3, 0.1, 0.05, 3, 1, 3, 0.02, 0.002},
};
constexpr const Attack& NONE = ATTACKS[0];

class Lab {
  public:
    Lab() : psk_(random_bytes(PSK_BYTES)) {
        for (int end = 0; end < 2; ++end) {
            LinkModel::Settings settings = {mac(end), mac(1 - end), id(end), id(1 - end), MS_CYCLES, 4000, 8000};
            ends_[end] = std::make_unique<LinkModel>(
                settings, [] { return random_bytes(RANDOM_BYTES); },
                [this, end](Frame&& frame) { delivered(end, frame); },
                [this, end](Frame&& packet) { carry(end, std::move(packet)); });
            load_psk(end);
        }
    }

    void attack(const Attack& how, unsigned seconds) {
        const uint64_t began = now_;
        run(PEACE_MS);
        const uint64_t struck = now_;
        attack_ = how;
        run(1000 * seconds);
        attack_ = NONE;
        const uint64_t calm = now_;
        run(RESUME_MS + LOSSLESS_MS);
        traffic_ = false;
        rest();
        for (const auto& [number, frame] : sent_) {
            if (frame.arrived) continue;
            if (frame.ms >= calm + RESUME_MS) fail(std::string("a frame is lost two seconds after attack ") + how.name);
            if (frame.ms >= began + RESUME_MS && (how.harmless() || frame.ms + IN_WORK_MS < struck))
                fail(std::string("a frame is lost in peace, or beside harmless packets: ") + how.name);
            if (frame.ms >= calm) resumed_ms_ = std::max(resumed_ms_, static_cast<unsigned>(frame.ms - calm));
        }
        sent_.clear();
        traffic_ = true;
    }

    void report() {
        for (int end = 0; end < 2; ++end) take_counters(end);
        totals_["restarts"] = restarts_;
        std::string line = "{\"resumed_ms\": " + std::to_string(resumed_ms_);
        for (const auto& [name, value] : totals_) line += ", \"" + name + "\": " + std::to_string(value);
        std::printf("%s}\n", line.c_str());
    }

  private:
    struct Sent {
        int from;
        uint64_t ms;
        Frame bytes;
        bool arrived = false;
    };

    static Frame mac(int end) { return {2, 0, 0, 0, 0, static_cast<uint8_t>(end + 1)}; }
    static Frame id(int end) { return {0, 0, 0, 0, 0, 0, 0, static_cast<uint8_t>(end + 1)}; }

    void run(unsigned ms) {
        for (const uint64_t until = now_ + ms; now_ < until; ++now_) {
            while (!flying_.empty() && flying_.begin()->first <= now_) {
                push(flying_.begin()->second.first, std::move(flying_.begin()->second.second));
                flying_.erase(flying_.begin());
            }
            if (traffic_ && now_ % FRAME_EVERY_MS == 0)
                for (int end = 0; end < 2; ++end) send_frame(end);
            if (now_ % 10 == 0) strike();
            for (auto& end : ends_) end->run_core_cycles(MS_CYCLES);
        }
    }

    // ---- trusted sides -----------------------------------------------------------------------------
    void send_frame(int end) {
        Frame frame = random_bytes(60 + below(200));
        frame[12] &= 0x7f;  // MAC control does not enter
        const uint64_t number = frames_++;
        for (int i = 0; i < 8; ++i) frame[static_cast<size_t>(i)] = static_cast<uint8_t>(number >> (8 * i));
        sent_[number] = {end, now_, frame};
        ends_[end]->feed_trusted(std::move(frame));
    }

    void delivered(int end, const Frame& frame) {
        const uint64_t number = frame.size() < 14 ? ~0ull : low_byte_first(Frame(frame.begin(), frame.begin() + 8));
        const auto found = sent_.find(number);
        if (found == sent_.end()) {
            if (number >= frames_) fail("a frame is delivered that nobody sent");
            fail("a frame is delivered long after it was sent");
        }
        Sent& sent = found->second;
        if (sent.bytes != frame) fail("a frame changed on the way");
        if (sent.from == end) fail("a frame came back to its sender");
        if (sent.arrived) fail("a frame is delivered twice");
        sent.arrived = true;
    }

    // ---- the network -------------------------------------------------------------------------------
    void carry(int from, Frame&& packet) {
        const auto part = [&](long first, long end) {
            return Frame(packet.begin() + OUTER + first, packet.begin() + OUTER + end);
        };
        const unsigned kind = packet[OUTER] & 15;
        // Until a confirm arrives, sessions of several R_i share one R_r, and so its id: not their keys.
        if (kind == 3) r_i_[part(4, 8)] = part(24, 56);
        if (kind == 0 && !sealed_.insert({from, from == 0 ? r_i_[part(4, 8)] : Frame(), part(4, 16)}).second)
            fail("a packet number is used twice in a session");
        if (memory_.size() < MEMORY) memory_.push_back({from, packet});
        else memory_[below(MEMORY)] = {from, packet};
        if (kind == 1) hello_ = packet;
        const int to = 1 - from;
        unsigned delay = 1 + below(5);
        if (chance(attack_.loss)) return;
        if (chance(attack_.late)) delay = 500 + below(OLDEST_MS - 500);
        if (chance(attack_.reorder)) delay += below(50);
        if (chance(attack_.duplicate)) fly(to, delay + 1 + below(50), packet);
        if (chance(attack_.corrupt)) flip(packet);
        if (chance(attack_.truncate)) packet.resize(below(static_cast<unsigned>(packet.size())));
        fly(to, delay, std::move(packet));
    }

    void fly(int to, unsigned delay, Frame packet) { flying_.insert({now_ + delay, {to, std::move(packet)}}); }
    void push(int to, Frame packet) {
        if (!packet.empty()) ends_[to]->feed_untrusted(std::move(packet));
    }
    static void flip(Frame& packet) {
        packet[below(static_cast<unsigned>(packet.size()))] ^= static_cast<uint8_t>(1 << below(8));
    }

    void strike() {
        for (unsigned i = 0; i < attack_.replays && !memory_.empty(); ++i) {
            auto [from, packet] = memory_[below(static_cast<unsigned>(memory_.size()))];
            if (chance(0.2)) flip(packet);
            push(static_cast<int>(below(2)), packet);  // to either end: a replay or a reflection
        }
        for (unsigned i = 0; i < attack_.garbage; ++i) {
            const int to = static_cast<int>(below(2));
            Frame packet = outer(to);
            const Frame noise = random_bytes(below(300));
            packet.insert(packet.end(), noise.begin(), noise.end());
            if (packet.size() > OUTER && chance(0.7)) packet[OUTER] = static_cast<uint8_t>(0x20 | below(4));
            if (packet.size() > OUTER + 1 && chance(0.7)) packet[OUTER + 1] = 2;
            push(to, std::move(packet));
        }
        for (unsigned i = 0; i < attack_.hellos && !hello_.empty(); ++i) {
            Frame packet = hello_;
            if (chance(0.5)) flip(packet);
            push(1, std::move(packet));
        }
        if (chance(attack_.oversize)) {
            const int to = static_cast<int>(below(2));
            Frame packet = outer(to);
            const unsigned size = 9600 + below(4000);
            const Frame body = random_bytes(size);
            const unsigned length = size - HEADER;
            const Frame header = {0x20, 2, static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length)};
            packet.insert(packet.end(), body.begin(), body.end());
            std::copy(header.begin(), header.end(), packet.begin() + OUTER);
            push(to, std::move(packet));
        }
        if (chance(attack_.restart)) restart(static_cast<int>(below(2)));
    }

    static Frame outer(int to) {
        Frame frame = mac(to);
        const Frame source = mac(1 - to);
        frame.insert(frame.end(), source.begin(), source.end());
        frame.push_back(0x88), frame.push_back(0xb5);
        return frame;
    }

    // Hellos have greater numbers than ever before: they are fewer than the milliseconds.
    void load_psk(int end) { ends_[end]->load_psk(psk_, now_); }

    void restart(int end) {
        ++restarts_;
        take_counters(end);
        ends_[end]->restart();
        load_psk(end);
    }

    // ---- totals ------------------------------------------------------------------------------------
    void take_counters(int end) {
        for (const auto& [name, value] : ends_[end]->counters()) totals_[name] += value;
    }

    // Keep-alives go on, so a still moment of each end is waited for: then every packet is accounted for.
    void rest() {
        bool still[2] = {};
        for (unsigned ms = 0; ms < OLDEST_MS + 1000 && !(still[0] && still[1] && flying_.empty()); ++ms) {
            run(1);
            for (int end = 0; end < 2; ++end)
                if ((still[end] = still[end] || ends_[end]->idle())) balance(end);
        }
        if (!still[0] || !still[1]) fail("an end does not come to rest");
    }

    void balance(int end) {
        const LinkModel& link = *ends_[end];
        if (!link.idle()) return;
        auto c = link.counters();
        uint64_t drops = 0, trusted_drops = 0;
        for (const auto& [name, value] : c)
            if (name.rfind("drop_trusted_", 0) == 0) trusted_drops += value;
            else if (name.rfind("drop_", 0) == 0) drops += value;
        const std::tuple<const char*, uint64_t, uint64_t> equations[] = {
            {"untrusted in", c["untrusted_in"], c["delivered"] + c["keepalives_in"] + c["handshakes_in"] + drops},
            {"trusted in", c["trusted_in"], c["sealed"] + trusted_drops},
            {"untrusted out", c["untrusted_out"], c["sealed"] + c["keepalives_out"] + c["handshakes_out"]},
            {"packets fed", link.untrusted_in().frames_taken, c["untrusted_in"]},
            {"frames fed", link.trusted_in().frames_taken, c["trusted_in"]},
            {"packets out", link.untrusted_out().frames, c["untrusted_out"]},
            {"frames out", link.trusted_out().frames, c["delivered"]},
        };
        for (const auto& [what, left, right] : equations)
            if (left != right)
                fail("totals of end " + std::to_string(end) + ": " + what + " " + std::to_string(left) + " against " +
                     std::to_string(right));
    }

    Frame psk_, hello_;
    std::unique_ptr<LinkModel> ends_[2];  // 0 has the smaller id: the initiator
    uint64_t now_ = 0, frames_ = 0, restarts_ = 0;
    unsigned resumed_ms_ = 0;
    bool traffic_ = true;
    Attack attack_ = NONE;
    std::map<uint64_t, Sent> sent_;
    std::map<Frame, Frame> r_i_;                      // of the initiator's latest session under an id
    std::set<std::tuple<int, Frame, Frame>> sealed_;  // sender, its R_i, session id and packet number
    std::multimap<uint64_t, std::pair<int, Frame>> flying_;
    std::vector<std::pair<int, Frame>> memory_;
    std::map<std::string, uint64_t> totals_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: hostile_network seed seconds attack...\n");
        return 2;
    }
    dice.seed(std::strtoull(argv[1], nullptr, 10));
    const unsigned seconds = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    Lab lab;
    for (int i = 3; i < argc; ++i) {
        const auto* how = std::find_if(std::begin(ATTACKS), std::end(ATTACKS),
                                       [&](const Attack& each) { return each.name == std::string(argv[i]); });
        if (how == std::end(ATTACKS)) fail(std::string("no attack is called ") + argv[i]);
        lab.attack(*how, seconds);
    }
    lab.report();
    return 0;
}
