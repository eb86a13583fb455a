// SPDX-License-Identifier: Apache-2.0
// Classic pcap files (Ethernet, microseconds), one frame at a time.
#pragma once

#include <ctime>
#include <fstream>
#include <string>

#include "frame.hpp"

class PcapWriter {
  public:
    explicit PcapWriter(const std::string& path) : file_(path, std::ios::binary | std::ios::trunc) {
        if (!file_) throw failed("cannot write " + path);
        constexpr uint32_t ETHERNET = 1;
        constexpr uint32_t SNAPLEN = 65535;
        const uint32_t header[6] = {0xa1b2c3d4, 0x00040002, 0, 0, SNAPLEN, ETHERNET};
        file_.write(reinterpret_cast<const char*>(header), sizeof header);
        file_.flush();
    }

    void write(const Frame& frame) {
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        const auto size = static_cast<uint32_t>(frame.size());
        const auto micros = static_cast<uint32_t>(now.tv_nsec / 1000);
        const uint32_t header[4] = {static_cast<uint32_t>(now.tv_sec), micros, size, size};
        file_.write(reinterpret_cast<const char*>(header), sizeof header);
        file_.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
        file_.flush();
    }

  private:
    std::ofstream file_;
};
