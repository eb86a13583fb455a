// SPDX-License-Identifier: Apache-2.0
// Frames at the AXI4-Stream ports of a model, 64 bits a beat, and the account of those that are inside.
#pragma once

#include <algorithm>
#include <deque>

#include "frame.hpp"
#include "verilated.h"

constexpr size_t BEAT_BYTES = 8;

// Frames that go into an AXI4-Stream port, 64 bits a beat.
struct StreamIn {
    std::deque<Frame> frames;
    size_t offset = 0;  // bytes of the first frame already handed over
    size_t shown = 0;   // bytes on the port now, 0: not valid
    uint64_t frames_taken = 0;
    uint64_t bytes_taken = 0;
};

struct StreamOut {
    Frame partial;
    uint64_t frames = 0;
    uint64_t bytes = 0;
};

// Frames that a counter has not accounted for yet.
struct Flight {
    std::deque<size_t> sizes;  // bytes
    size_t bytes = 0;
    uint64_t finished = 0;

    void add(size_t size) {
        sizes.push_back(size);
        bytes += size;
    }
    void retire(uint64_t counted) {
        for (; finished < counted && !sizes.empty(); ++finished) {
            bytes -= sizes.front();
            sizes.pop_front();
        }
    }
};

// Moves the stream on by the beat that was taken; true when that was a frame's last.
inline bool beat_taken(StreamIn& stream) {
    stream.offset += stream.shown;
    stream.bytes_taken += stream.shown;
    stream.shown = 0;
    if (stream.offset < stream.frames.front().size()) return false;
    stream.frames.pop_front();
    stream.offset = 0;
    ++stream.frames_taken;
    return true;
}

inline void show_beat(StreamIn& stream, QData& tdata, CData& tkeep, CData& tvalid, CData& tlast) {
    if (stream.frames.empty()) {
        tdata = 0, tkeep = 0, tvalid = 0, tlast = 0;
        return;
    }
    const Frame& frame = stream.frames.front();
    stream.shown = std::min(BEAT_BYTES, frame.size() - stream.offset);
    uint64_t data = 0;
    for (size_t i = 0; i < stream.shown; ++i) data |= static_cast<uint64_t>(frame[stream.offset + i]) << (8 * i);
    tdata = data;
    tkeep = static_cast<CData>((1U << stream.shown) - 1);
    tvalid = 1;
    tlast = stream.offset + stream.shown == frame.size();
}

inline void collect_beat(StreamOut& stream, uint64_t tdata, unsigned tkeep) {
    for (size_t i = 0; i < BEAT_BYTES; ++i)
        if (tkeep >> i & 1U) stream.partial.push_back(static_cast<uint8_t>(tdata >> (8 * i)));
}

// A frame of the link's EtherType with a message type other than data.
inline bool is_handshake(const Frame& frame) {
    return frame.size() > 14 && frame[12] == 0x88 && frame[13] == 0xb5 && (frame[14] & 15) != 0;
}

inline Frame finish_frame(StreamOut& stream) {
    Frame frame;
    frame.swap(stream.partial);
    ++stream.frames;
    stream.bytes += frame.size();
    return frame;
}
