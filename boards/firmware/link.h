/* SPDX-License-Identifier: Apache-2.0 */
/* The link's registers (docs/control.md), as far as the firmware uses them. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

#define LINK_COUNTERS 37u

bool link_bring_up(const settings *with, uint32_t boot); /* false: no link of this map answers, or it refused the key */
bool link_was_reset(void);                                /* by something else than link_bring_up, and has no key since */
bool link_session_up(void);
bool link_has_key(void);
bool link_initiator(void);
void link_zeroise(void);
uint64_t link_counter(unsigned index);

#endif
