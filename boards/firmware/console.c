/* SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

#include <stddef.h>

#include "bytes.h"
#include "device.h"
#include "hardware.h"
#include "link.h"
#include "phy.h"

#define LINE_BYTES 400u /* session has 7 + 1 + 368 + 1 + 8 */
#define NOISE_WORDS 2048u
#define NOISE_MS 100u

static char line[LINE_BYTES];
static unsigned filled;
static bool bad; /* the line is too long or holds what no command has: nothing of it counts */

static const char *const STATES[] = {
    "runs", "empty", "record broken", "flash write failed", "boot counter lost", "boot counter spent", "no link", "not erased",
};

static const char *const COUNTERS[] = {
#include "counter_names.inc"
};

static const char *const LINE_COUNTS[] = {"trusted_line", "trusted_underrun", "untrusted_line", "untrusted_underrun"};

/* Once in the image, not at each of its calls. */
#define SHARED __attribute__((noinline))

static SHARED void say(const char *text) {
  while (*text) hw_uart_put((uint8_t)*text++);
}

static SHARED void say_hex(uint32_t word) {
  for (unsigned i = 8; i-- > 0;) hw_uart_put((uint8_t)"0123456789abcdef"[word >> 4 * i & 15]);
}

/* Without a division, for which this processor would need a library. */
static void say_number(uint64_t number) {
  char digits[20] = {0};
  unsigned bits = 64;
  while (bits > 1 && !(number >> (bits - 1))) bits--;
  for (unsigned bit = bits; bit-- > 0;) {
    unsigned carry = (unsigned)(number >> bit & 1);
    for (unsigned i = 0; i < sizeof digits; i++) {
      unsigned twice = 2 * (unsigned)digits[i] + carry;
      carry = twice >= 10;
      digits[i] = (char)(carry ? twice - 10 : twice);
    }
  }
  unsigned length = sizeof digits;
  while (length > 1 && digits[length - 1] == 0) length--;
  while (length > 0) hw_uart_put((uint8_t)('0' + digits[--length]));
}

static void say_pair(const char *name, uint64_t number) {
  say(name);
  say(" ");
  say_number(number);
  say("\n");
}

static SHARED void say_error(const char *what) {
  say("error ");
  say(what);
  say("\n");
}

static SHARED bool is(const char *command) {
  unsigned i = 0;
  while (command[i] && i < filled && line[i] == command[i]) i++;
  return i == filled && command[i] == 0;
}

static SHARED bool begins(const char *command) {
  unsigned i = 0;
  while (command[i] && i < filled && line[i] == command[i]) i++;
  return command[i] == 0;
}

/* Bytes in hexadecimal, high digit first; false if a character is none of its digits. */
static bool hex(const char *text, uint8_t *bytes, unsigned count) {
  bool sound = true;
  for (unsigned i = 0; i < 2 * count; i++) {
    unsigned c = (uint8_t)text[i], digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : 16;
    sound = sound && digit < 16;
    bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | (digit & 15));
  }
  return sound;
}

static void status(void) {
  device_state now = device_now();
  say("state ");
  say(STATES[now]);
  say("\n");
  say_pair("boot", device_boot());
  say_pair("calls", device_calls());
  say_pair("session", now == DEVICE_RUNS && link_session_up());
  say_pair("age", now == DEVICE_RUNS ? link_session_age() : 0);
  say_pair("sealed", now == DEVICE_RUNS ? link_counter(LINK_SESSION_SENT) : 0);
  say_pair("heard", now == DEVICE_RUNS ? link_counter(LINK_DELIVERED) + link_counter(LINK_KEEPALIVES_IN) : 0);
  say_pair("initiator", now == DEVICE_RUNS && link_initiator());
  say_pair("handshake", now == DEVICE_RUNS && link_has_key());
  if (now == DEVICE_RUNS) {
    say("ids");
    for (unsigned i = 0; i < 4; i++) {
      if (i % 2 == 0) say(" ");
      say_hex(link_id_word(i));
    }
    say("\n");
    say_pair("suite", link_suite());
  }
  say_pair("phys", device_phys());
  say_pair("cables", phy_cables());
  say_pair("noise_alarm", hw_noise_alarm());
  say_pair("bus_fault", hw_bus_fault());
  say_pair("milliseconds", hw_milliseconds());
  say("ok\n");
}

static void counters(void) {
  for (unsigned i = 0; i < sizeof COUNTERS / sizeof *COUNTERS; i++) say_pair(COUNTERS[i], link_counter(i));
  for (unsigned i = 0; i < sizeof LINE_COUNTS / sizeof *LINE_COUNTS; i++) say_pair(LINE_COUNTS[i], hw_line_count(i));
  say("ok\n");
}

/* Raw bits that follow one another, for an assessment of the owner's; the link gets none of them. */
static void noise(void) {
  uint32_t start = hw_milliseconds(), word;
  hw_noise_word(&word);
  hw_noise_lost();
  for (unsigned taken = 0; taken < NOISE_WORDS && hw_milliseconds() - start < NOISE_MS;) {
    if (!hw_noise_word(&word)) continue;
    say_hex(word);
    say(++taken % 8 ? " " : "\n");
    start = hw_milliseconds();
  }
  say(hw_noise_lost() ? "error words were lost\n" : "ok\n");
}

/* The bytes of a command, which stand behind `start` characters in hexadecimal, then a blank and their CRC-32. Says what is wrong. */
static bool taken(unsigned start, uint8_t *bytes, unsigned count) {
  uint8_t check[4];
  unsigned end = start + 2 * count;
  const char *wrong = NULL;
  if (filled != end + 9 || line[end] != ' ' || !hex(line + start, bytes, count) || !hex(line + end + 1, check, 4))
    wrong = "the command takes its bytes in hexadecimal, a blank and their CRC-32";
  else if (((uint32_t)check[0] << 24 | (uint32_t)check[1] << 16 | (uint32_t)check[2] << 8 | check[3]) != crc32(bytes, count))
    wrong = "the CRC-32 is wrong";
  if (wrong) say_error(wrong);
  return !wrong;
}

static void provision(void) {
  settings given;
  if (taken(10, (uint8_t *)&given, sizeof given)) {
    if (!settings_sound(&given)) {
      say_error("ids must differ and not be 0, MAC addresses be of one station, rekey at least 4000 ms, max 4000 ms more, keys random");
    } else {
      bool done = device_provision(&given);
      say(done ? "state " : "error ");
      say(STATES[device_now()]);
      say(done ? "\nok\n" : "\n");
    }
  }
  bytes_wipe(&given, sizeof given);
}

static void session(void) {
  uint8_t given[LINK_SESSION_BYTES];
  if (taken(8, given, sizeof given)) {
    if (device_now() != DEVICE_RUNS)
      say_error("nothing runs that takes a session");
    else if (link_has_key())
      say_error("there is a pre-shared key: sessions come by handshake");
    else if (!link_load_session(given))
      say_error("the link does not take the session");
    else
      say("ok\n");
  }
  bytes_wipe(given, sizeof given);
}

static void run(void) {
  if (is("status")) {
    status();
  } else if (is("counters")) {
    counters();
  } else if (is("noise")) {
    noise();
  } else if (is("noise clear")) {
    device_noise_clear();
    say("ok\n");
  } else if (is("zeroise now")) {
    say(device_zeroise() ? "ok\n" : "error not erased\n");
  } else if (begins("provision ")) {
    provision();
  } else if (begins("session ")) {
    session();
  } else if (is("help")) {
    say("status\ncounters\nnoise\nnoise clear\nprovision HEX CRC\nsession HEX CRC\nzeroise now\nhelp\nok\n");
  } else {
    say_error("unknown command; help lists all");
  }
}

void console_byte(uint8_t byte) {
  if (byte == '\n' || byte == '\r') {
    if (bad)
      say_error("line of no command");
    else if (filled)
      run();
    bytes_wipe(line, sizeof line);
    filled = 0;
    bad = false;
  } else if (byte < ' ' || byte > '~' || filled == LINE_BYTES) {
    bad = true;
  } else {
    line[filled++] = (char)byte;
  }
}
