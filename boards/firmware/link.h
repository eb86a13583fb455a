/* SPDX-License-Identifier: Apache-2.0 */
/* The link's registers (docs/control.md), as far as the firmware uses them. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

#define LINK_SESSION_BYTES 184u
extern const unsigned LINK_DELIVERED, LINK_KEEPALIVES_IN, LINK_SESSION_SENT; /* numbers of counters */

/* Without a pre-shared key the link makes no handshakes, and takes sessions that are loaded. False: no link of this map answers, or it
   refused the key. */
bool link_bring_up(const settings *with, uint32_t boot);
bool link_load_session(const uint8_t bytes[LINK_SESSION_BYTES]); /* as its registers have it; false: it was refused */
bool link_was_reset(void);                                /* by something else than link_bring_up, and has no key since */
bool link_session_up(void);
bool link_has_key(void);
bool link_initiator(void);
unsigned link_suite(void);
uint32_t link_id_word(unsigned index); /* two words of its own id, two of the other end's, first byte highest */
uint32_t link_session_age(void);       /* ms */
void link_zeroise(void);
uint64_t link_counter(unsigned index);

#endif
