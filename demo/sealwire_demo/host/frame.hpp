// SPDX-License-Identifier: Apache-2.0
// Frames as byte strings, hexadecimal input, and errors that end the process with one line.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

using Frame = std::vector<uint8_t>;

// A system call's failure, worded for a person.
inline std::runtime_error failed(const std::string& what) {
    return std::runtime_error(what + ": " + std::strerror(errno));
}

// Exactly `bytes` bytes from hexadecimal text.
inline Frame from_hex(const std::string& text, size_t bytes, const char* name) {
    const auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        return -1;
    };
    if (text.size() != 2 * bytes)
        throw std::runtime_error(std::string(name) + " needs " + std::to_string(bytes) + " bytes in hexadecimal");
    Frame out(bytes);
    for (size_t i = 0; i < bytes; ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) throw std::runtime_error(std::string(name) + " is not hexadecimal");
        out[i] = static_cast<uint8_t>(high << 4 | low);
    }
    return out;
}

// Up to eight bytes as the link's ports take them: byte 0 in bits 7:0.
inline uint64_t low_byte_first(const Frame& bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
    return value;
}
