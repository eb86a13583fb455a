/* SPDX-License-Identifier: Apache-2.0 */
#include "link.h"

#include <stddef.h>

#include "bytes.h"
#include "hardware.h"
#include "sealwire_link_regs.h"

#define AT(member) ((unsigned)offsetof(sealwire_link_regs_t, member))
#define COMMAND(name) SEALWIRE_LINK_REGS__COMMAND__##name##_bm
#define EVENT(name) SEALWIRE_LINK_REGS__EVENTS__##name##_bm
#define STATUS(name) SEALWIRE_LINK_REGS__STATUS__##name##_bm
#define RESTART_MS 10u
#define LOAD_MS 100u /* for the packets in work, and for what they leave to be wiped */

_Static_assert(sizeof(((sealwire_link_regs_t *)0)->session) == LINK_SESSION_BYTES, "a session as the map has it");

static void put_words(unsigned address, const uint8_t *bytes, unsigned count) {
  for (unsigned i = 0; i < count; i++) hw_link_write(address + 4 * i, get32(bytes + 4 * i));
}

static void put_mac(unsigned address, const uint8_t mac[6]) {
  hw_link_write(address, get32(mac));
  hw_link_write(address + 4, (uint32_t)mac[4] | (uint32_t)mac[5] << 8);
}

#define COUNTER(name) ((unsigned)(offsetof(sealwire_link_regs__counters_t, name) / 8))
const unsigned LINK_DELIVERED = COUNTER(delivered), LINK_KEEPALIVES_IN = COUNTER(keepalives_in), LINK_SESSION_SENT = COUNTER(session_sent);

/* Until these bits of a register have these values. */
static bool becomes(unsigned address, uint32_t bits, uint32_t values, uint32_t patience) {
  uint32_t start = hw_milliseconds();
  while ((hw_link_read(address) & bits) != values)
    if (hw_milliseconds() - start > patience) return false;
  return true;
}

/* Until all of these bits of the status are 0. */
static bool settled(uint32_t bits) {
  return becomes(AT(status), bits, 0, RESTART_MS);
}

bool link_bring_up(const settings *with, uint32_t boot) {
  bool keyed = settings_keyed(with);
  uint32_t version = hw_link_read(AT(version));
  if (hw_link_read(AT(identity)) != SEALWIRE_LINK_REGS__IDENTITY__VALUE_reset ||
      (version & SEALWIRE_LINK_REGS__VERSION__MAJOR_bm) >> SEALWIRE_LINK_REGS__VERSION__MAJOR_bp !=
          SEALWIRE_LINK_REGS__VERSION__MAJOR_reset)
    return false;
  put_words(AT(local_id), with->local_id, 2);
  put_words(AT(peer_id), with->peer_id, 2);
  put_mac(AT(local_mac), with->local_mac);
  put_mac(AT(peer_mac), with->peer_mac);
  hw_link_write(AT(control), keyed ? SEALWIRE_LINK_REGS__CONTROL__HANDSHAKE_bm : 0);
  hw_link_write(AT(millisecond), hw_ms_cycles());
  hw_link_write(AT(t_rekey), get32(with->t_rekey));
  hw_link_write(AT(t_max), get32(with->t_max));
  hw_link_write(AT(command), COMMAND(RESTART));
  if (!settled(STATUS(RESETTING))) return false;
  hw_link_write(AT(events), ~0u);
  if (!keyed) return true;
  hw_link_write(AT(hello_number), 0); /* above all of the boots before, each of which had fewer than 2^32 hellos */
  hw_link_write(AT(hello_number) + 4, boot);
  put_words(AT(psk.word), with->psk, 16);
  hw_link_write(AT(command), COMMAND(COMMIT_PSK));
  return !(hw_link_read(AT(events)) & EVENT(PSK_INCOMPLETE)) && settled(STATUS(PSK_PENDING)) && link_has_key();
}

bool link_load_session(const uint8_t bytes[LINK_SESSION_BYTES]) {
  const uint32_t loaded = EVENT(SESSION_LOADED), refused = EVENT(SESSION_REFUSED);
  if (!becomes(AT(status), STATUS(LOAD_READY), STATUS(LOAD_READY), LOAD_MS)) return false;
  hw_link_write(AT(events), loaded | refused);
  put_words(AT(session.word), bytes, LINK_SESSION_BYTES / 4);
  hw_link_write(AT(command), COMMAND(COMMIT_SESSION));
  return becomes(AT(events), loaded | refused, loaded, LOAD_MS);
}

bool link_was_reset(void) {
  return hw_link_read(AT(events)) & EVENT(WAS_RESET) && !link_has_key();
}

static bool status(uint32_t bit) {
  return hw_link_read(AT(status)) & bit;
}

bool link_session_up(void) { return status(STATUS(SESSION_UP)); }
bool link_has_key(void) { return status(STATUS(PSK_HELD)); }
bool link_initiator(void) { return status(STATUS(INITIATOR)); }

unsigned link_suite(void) {
  return hw_link_read(AT(capabilities)) >> SEALWIRE_LINK_REGS__CAPABILITIES__SUITE_bp &
         (SEALWIRE_LINK_REGS__CAPABILITIES__SUITE_bm >> SEALWIRE_LINK_REGS__CAPABILITIES__SUITE_bp);
}

uint32_t link_id_word(unsigned index) { return __builtin_bswap32(hw_link_read(AT(local_id) + 4 * index)); }

uint32_t link_session_age(void) { return hw_link_read(AT(session_age)); }

void link_zeroise(void) { hw_link_write(AT(command), COMMAND(ZEROISE)); }

uint64_t link_counter(unsigned index) {
  uint32_t low = hw_link_read(AT(counters) + 8 * index); /* first: it holds the high word */
  return (uint64_t)hw_link_read(AT(counters) + 8 * index + 4) << 32 | low;
}
