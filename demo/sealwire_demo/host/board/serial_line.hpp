// SPDX-License-Identifier: Apache-2.0
// The other end of a board's console: a serial line, 8N1, between its pins and a file descriptor that does not block.
#pragma once

#include <unistd.h>

#include <cstdint>

class SerialLine {
  public:
    // Without a descriptor (-1) nobody is at the line.
    explicit SerialLine(int fd) : fd_(fd) {}

    // A cycle of the board's clock: what its transmitter shows goes in, what its receiver sees comes out.
    bool step(bool txd) {
        if (fd_ < 0) return true;
        listen(txd);
        return speak();
    }

  private:
    static constexpr unsigned BIT_CYCLES = 16;    // as short_board has it
    static constexpr unsigned LOOK_CYCLES = 256;  // between two looks at the descriptor
    static constexpr unsigned DATA_BITS = 8;

    void listen(bool txd) {
        if (heard_bits_ == 0 && !txd) {
            heard_bits_ = DATA_BITS + 1;  // and the stop bit
            hear_in_ = BIT_CYCLES * 3 / 2;
        }
        if (heard_bits_ == 0 || --hear_in_ > 0) return;
        hear_in_ = BIT_CYCLES;
        if (--heard_bits_ > 0) {
            heard_ = static_cast<uint8_t>(heard_ >> 1 | (txd ? 0x80 : 0));
        } else {
            (void)!write(fd_, &heard_, 1);  // where nobody reads it is lost, as on a line
        }
    }

    bool speak() {
        if (--speak_in_ > 0) return line_;
        uint8_t byte = 0;
        if (frame_ == 0 && read(fd_, &byte, 1) == 1) frame_ = 0x200U | static_cast<unsigned>(byte) << 1;  // start and stop bit
        speak_in_ = frame_ == 0 ? LOOK_CYCLES : BIT_CYCLES;
        line_ = frame_ == 0 || (frame_ & 1) != 0;
        frame_ >>= 1;
        return line_;
    }

    int fd_;
    unsigned heard_bits_ = 0, hear_in_ = 0, speak_in_ = 1, frame_ = 0;
    uint8_t heard_ = 0;
    bool line_ = true;
};
