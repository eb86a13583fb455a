// SPDX-License-Identifier: Apache-2.0
// The two ends of the core's channels: sources that offer beats on their own, sinks that take them and check them.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ports.hpp"

/// One command and everything seen of it.
struct Transaction {
    unsigned id = 0, ctx = 0, op = 0;
    bool cached = false;
    size_t keys_before = 0;     ///< keys offered earlier: this command waits until they are taken
    unsigned inputs_left = 0;   ///< last beats of ad, msg and tag_in not yet taken
    bool accepted = false, out_done = false, done = false, ok = false;
    Bytes nonce, out, tag;
    uint64_t accept_edge = 0, out_edge = 0, result_edge = 0;
};

struct Beat {
    Bytes data;
    bool last = true;
    Transaction* transaction = nullptr;
};

/// When a stream pauses: never, or by chance with a rate that changes every few dozen cycles, long pauses included.
class Pause {
  public:
    void configure(bool on) { on_ = on; }
    bool operator()(Random& random) {
        if (!on_) return false;
        if (left_ == 0) {
            left_ = 8 + random.below(56);
            rate_ = random.below(8);
            eager_ = random.below(2) != 0;
        }
        --left_;
        return random.below(8) < rate_;
    }
    /// For a sink: whether it shows ready before it has seen valid.
    bool eager() const { return !on_ || eager_; }

  private:
    bool on_ = false, eager_ = true;
    unsigned left_ = 0, rate_ = 0;
};

/// A source with one queue for each context.  It looks at the ready bits before it chooses a context, holds what it offers
/// until it is taken, and shows random values while it offers nothing.
class Source {
  public:
    /// Sets the port of the channel: a beat and its context, or nullptr for none.
    using Drive = std::function<void(const Beat*, unsigned)>;
    using Ready = std::function<uint64_t()>;

    Source(std::string name, unsigned contexts, Drive drive, Ready ready)
        : name{std::move(name)}, queue_(contexts), drive_{std::move(drive)}, ready_{std::move(ready)} {}

    void push(unsigned ctx, Beat beat) { queue_[ctx].push_back(std::move(beat)); }
    bool offering() const { return held_ >= 0; }
    bool empty() const {
        for (const auto& queue : queue_) {
            if (!queue.empty()) return false;
        }
        return true;
    }
    uint64_t ready() const { return ready_(); }
    void redrive() { drive_(offering() ? &queue_[held_].front() : nullptr, offering() ? held_ : 0); }
    void drive_opposite() {
        static const Beat nothing{};
        drive_(offering() ? nullptr : &nothing, 0);
    }

    /// Choose what to offer in this cycle.  `allowed` says whether the front of a queue may start now.
    template <typename Allowed>
    void offer(Random& random, Allowed allowed) {
        if (offering()) return;
        if (!pause(random)) {
            const unsigned first = random.below(queue_.size());
            for (unsigned i = 0; i < queue_.size() && held_ < 0; ++i) {
                const unsigned ctx = (first + i) % queue_.size();
                const bool wanted = queue_.size() == 1 || (ready_() >> ctx & 1);
                if (wanted && !queue_[ctx].empty() && allowed(queue_[ctx].front())) held_ = static_cast<int>(ctx);
            }
        }
        redrive();
    }

    /// Context whose beat moves on the coming edge, or -1.
    int moving() const { return offering() && (ready_() >> held_ & 1) ? held_ : -1; }
    Beat take() {
        Beat beat = std::move(queue_[held_].front());
        queue_[held_].pop_front();
        held_ = -1;
        return beat;
    }
    void drop() {
        for (auto& queue : queue_) queue.clear();
        held_ = -1;
        promised = 0;
        redrive();
    }

    std::string name;
    Pause pause;
    uint64_t promised = 0;   ///< ready bits seen high and not yet used

  private:
    std::vector<std::deque<Beat>> queue_;
    int held_ = -1;
    Drive drive_;
    Ready ready_;
};

/// What a sink sees of its channel in one cycle; two of them are equal when nothing moved.
struct View {
    bool valid = false, last = true, ok = false;
    unsigned ctx = 0, bytes = 0;
    Bytes data;
    bool operator==(const View& other) const {
        return std::tie(valid, last, ok, ctx, bytes, data) ==
               std::tie(other.valid, other.last, other.ok, other.ctx, other.bytes, other.data);
    }
};

/// A sink: random ready, and a memory of the cycle before to see that valid and data hold.
class Sink {
  public:
    explicit Sink(std::string name) : name{std::move(name)} {}
    /// Ready for this cycle.
    bool choose(Random& random) { return ready = !pause(random) && (pause.eager() || before.valid); }
    bool held_its_word(const View& now) const { return !before.valid || was_ready || now == before; }

    std::string name;
    Pause pause;
    bool ready = false, was_ready = false;
    View before;
};
