// SPDX-License-Identifier: Apache-2.0
// Ports of a Verilated model as byte strings, whatever their width: byte i of a string is bits [8i+7:8i].
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;

/// Small, seeded and the same everywhere, so that a run can be repeated (splitmix64).
class Random {
  public:
    explicit Random(uint64_t seed = 1) : state_{seed} {}
    uint64_t next() {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }

  private:
    uint64_t state_;
};

constexpr unsigned byte_count(unsigned bits) { return (bits + 7) / 8; }
constexpr uint64_t low_bits(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/// A port of any model: Verilator keeps it as an integer or as an array of words, the low byte first on this machine.
class Port {
  public:
    Port() = default;
    template <typename Pin>
    explicit Port(Pin& pin) : at_{reinterpret_cast<uint8_t*>(&pin)}, bytes_{sizeof(Pin)} {}

    /// The port's value, or its low 64 bits.
    operator uint64_t() const { return word(0); }
    uint64_t operator=(uint64_t value) {
        set_word(0, value);
        return value;
    }

    /// 64 bits of the port, from bit 64 * index on; what lies beyond the port is zero, and is not set.
    uint64_t word(unsigned index) const {
        uint64_t value = 0;
        std::memcpy(&value, at_ + 8 * index, size(index));
        return value;
    }
    void set_word(unsigned index, uint64_t value) { std::memcpy(at_ + 8 * index, &value, size(index)); }

  private:
    size_t size(unsigned index) const { return std::min<size_t>(8, bytes_ - 8 * index); }

    uint8_t* at_ = nullptr;
    size_t bytes_ = 0;
};

/// Set 64 bits of a port of `width` bits, starting at bit 64 * index.
inline void put_word(Port port, unsigned width, unsigned index, uint64_t value) {
    port.set_word(index, value & low_bits(width - 64 * index));
}

/// Put a string into the low bytes of a port; the bytes above it get random values.
inline void put(Port port, unsigned width, const Bytes& string, Random& random) {
    for (unsigned index = 0; 64 * index < width; ++index) {
        uint64_t word = random.next();
        for (unsigned i = 0; i < 8 && 8 * index + i < string.size(); ++i) {
            word &= ~(0xffull << 8 * i);
            word |= static_cast<uint64_t>(string[8 * index + i]) << 8 * i;
        }
        put_word(port, width, index, word);
    }
}

inline Bytes get(Port port, unsigned width) {
    Bytes string;
    for (unsigned i = 0; i < byte_count(width); ++i) {
        string.push_back(static_cast<uint8_t>(port.word(i / 8) >> 8 * (i % 8)));
    }
    return string;
}

inline std::string to_hex(const Bytes& string) {
    static const char* digits = "0123456789abcdef";
    if (string.empty()) return "-";
    std::string text;
    for (const uint8_t byte : string) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

inline Bytes from_hex(const std::string& text) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
    Bytes string;
    for (size_t i = 0; i + 1 < text.size(); i += 2) {
        string.push_back(static_cast<uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
    }
    return string;
}
