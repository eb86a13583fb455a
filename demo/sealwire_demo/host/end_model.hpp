// SPDX-License-Identifier: Apache-2.0
// What the models of a link and of a board share: frames at both sides, those that are inside, and the time of every event.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "streams.hpp"

// One event of a packet's life, for the picture.
struct Event {
    std::string what;
    uint64_t ps;          // simulated time, picoseconds
    uint64_t core_cycle;  // core clock edges so far
};

class EndModel {
  public:
    struct Settings {
        Frame local_mac, peer_mac;  // of the outer Ethernet header, 6 bytes
        Frame local_id, peer_id;    // of the link, 8 bytes
        uint32_t ms_cycles;         // core cycles a millisecond of the link's timers; 0: only `tick` moves them
        uint32_t t_rekey_ms = 120000, t_max_ms = 180000;
        int console = -1;  // descriptor of a board's console
    };
    using Deliver = std::function<void(Frame&&)>;
    using Random = std::function<Frame()>;  // 32 fresh bytes

    static constexpr uint64_t CORE_PS = 10000;  // 100 MHz

    EndModel(const EndModel&) = delete;
    EndModel& operator=(const EndModel&) = delete;

    void feed_trusted(Frame&& frame) {
        trusted_flight_.add(frame.size());
        trusted_in_.frames.push_back(std::move(frame));
    }
    void feed_untrusted(Frame&& frame) {
        untrusted_flight_.add(frame.size());
        handshake_in_flight_ = handshake_in_flight_ || is_handshake(frame);
        untrusted_in_.frames.push_back(std::move(frame));
    }
    // Room for one more frame, so that nothing is dropped at the entrance for want of it.
    bool trusted_has_room() const { return trusted_flight_.bytes < WINDOW_BYTES; }
    bool untrusted_has_room() const { return !handshake_in_flight_ && untrusted_flight_.bytes < WINDOW_BYTES; }

    void trace(bool on) {
        tracing_ = on;
        if (on) events_.clear();
    }
    const std::vector<Event>& events() const { return events_; }
    uint64_t core_cycles() const { return core_cycles_; }
    uint64_t enc_busy_cycles() const { return sealing_cycles_; }
    uint64_t dec_busy_cycles() const { return opening_cycles_; }
    uint64_t now_ps() const { return now_ps_; }
    const StreamIn& trusted_in() const { return trusted_in_; }
    const StreamIn& untrusted_in() const { return untrusted_in_; }
    const StreamOut& trusted_out() const { return trusted_out_; }
    const StreamOut& untrusted_out() const { return untrusted_out_; }

  protected:
    static constexpr unsigned REST_CORE_CYCLES = 6000;  // long enough for the link's own assertions on its totals

    EndModel(Random random, Deliver on_trusted, Deliver on_untrusted)
        : random_(std::move(random)), on_trusted_(std::move(on_trusted)), on_untrusted_(std::move(on_untrusted)) {}
    ~EndModel() = default;

    void event(const char* what) {
        if (tracing_ && events_.size() < EVENT_LIMIT) events_.push_back({what, now_ps_, core_cycles_});
    }
    // A beat that was taken.
    void take(StreamIn& stream, const char* first, const char* last) {
        if (stream.offset == 0) event(first);
        if (beat_taken(stream)) event(last);
        last_activity_ = core_cycles_;
    }
    // A beat that came out; the frame that it ends, if it ends one.
    Frame give(StreamOut& stream, uint64_t data, unsigned keep, bool ends, const char* first, const char* last) {
        last_activity_ = core_cycles_;
        if (stream.partial.empty()) event(first);
        collect_beat(stream, data, keep);
        if (!ends) return {};
        event(last);
        return finish_frame(stream);
    }
    // Before each edge of the core's clock.
    void watch_core(bool running, bool busy, bool sealing, bool opening) {
        if (running && sealing) ++sealing_cycles_;
        if (running && opening) ++opening_cycles_;
        if (running && (busy || sealing || opening)) last_activity_ = core_cycles_;
        if (sealing != was_sealing_) event(was_sealing_ ? "seal end" : "seal begin");
        if (opening != was_opening_) event(was_opening_ ? "open end" : "open begin");
        was_sealing_ = sealing;
        was_opening_ = opening;
    }
    // So many frames of each side have left or were dropped, by the counters.
    void retire(uint64_t trusted, uint64_t untrusted) {
        trusted_flight_.retire(trusted);
        untrusted_flight_.retire(untrusted);
        if (untrusted_flight_.sizes.empty()) handshake_in_flight_ = false;
    }
    bool is_empty() const { return trusted_flight_.sizes.empty() && untrusted_flight_.sizes.empty(); }
    // Everything that came in has left or was dropped, what the counters have is out, and nothing moved for so long.
    bool is_still(uint64_t delivered, uint64_t untrusted_out, uint64_t cycles) const {
        return is_empty() && trusted_out_.partial.empty() && untrusted_out_.partial.empty() &&
               trusted_out_.frames == delivered && untrusted_out_.frames == untrusted_out &&
               core_cycles_ - last_activity_ >= cycles;
    }
    void forget_frames() {
        trusted_in_ = untrusted_in_ = {};
        trusted_out_ = untrusted_out_ = {};
        trusted_flight_ = untrusted_flight_ = {};
        handshake_in_flight_ = false;
    }

    Random random_;
    Deliver on_trusted_, on_untrusted_;
    StreamIn trusted_in_, untrusted_in_;
    StreamOut trusted_out_, untrusted_out_;
    uint64_t now_ps_ = 0, core_cycles_ = 0, last_activity_ = 0;

  private:
    static constexpr size_t EVENT_LIMIT = 4096;
    // With one more frame of 9600 bytes this still fits in the 32 KiB entrance FIFO.
    static constexpr size_t WINDOW_BYTES = 12 * 1024;

    Flight trusted_flight_, untrusted_flight_;
    bool handshake_in_flight_ = false;  // their queue has four places: one at a time
    bool tracing_ = false, was_sealing_ = false, was_opening_ = false;
    uint64_t sealing_cycles_ = 0, opening_cycles_ = 0;
    std::vector<Event> events_;
};
