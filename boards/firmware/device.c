/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"

#include "bytes.h"
#include "hardware.h"
#include "link.h"
#include "phy.h"
#include "random.h"

#define ZEROISE_MS 3000u
#define BOOT_AGAIN_MS 1000u /* at the earliest, since each boot writes to the flash */

static device_state now;
static random_state source;
static unsigned phys;
static uint32_t booted_ms, pressed_ms;
static bool pressed, zeroised;
static unsigned alarmed; /* the alarms of the noise source that have had their boot counter */

static void show(void) {
  hw_leds(now == DEVICE_RUNS, now != DEVICE_RUNS || hw_noise_alarm());
}

/* Nothing of this boot is used again. */
static void forget(void) {
  bytes_wipe(&source, sizeof source);
  hw_zeroise();
}

static device_state of(store_result result) {
  switch (result) {
    case STORE_OK: return DEVICE_RUNS;
    case STORE_EMPTY: return DEVICE_EMPTY;
    case STORE_WRITE_FAILED: return DEVICE_WRITE_FAILED;
    case STORE_COUNTER_LOST: return DEVICE_COUNTER_LOST;
    case STORE_COUNTER_SPENT: return DEVICE_COUNTER_SPENT;
    default: return DEVICE_BROKEN;
  }
}

static void boot(void) {
  settings found;
  uint32_t floor = 0, counter = 0;
  forget();
  booted_ms = hw_milliseconds();
  alarmed = hw_noise_alarm();
  store_result result = store_load(&found, &floor);
  if (result == STORE_OK) result = store_count(floor, &counter);
  now = of(result);
  if (result == STORE_OK && !link_bring_up(&found, counter)) now = DEVICE_NO_LINK;
  if (now != DEVICE_RUNS) link_zeroise(); /* it may run with a key of before */
  if (now == DEVICE_RUNS) {
    memcpy(source.seed, found.seed, sizeof source.seed);
    source.boot = counter;
  }
  bytes_wipe(&found, sizeof found);
  show();
}

void device_start(void) {
  phys = phy_set_up();
  boot();
}

bool device_provision(const settings *given) {
  if (!settings_sound(given)) return false;
  forget();
  link_zeroise();
  store_result result = store_save(given);
  if (result == STORE_OK)
    boot();
  else
    now = of(result);
  show();
  return result == STORE_OK;
}

bool device_zeroise(void) {
  forget();
  link_zeroise();
  now = store_erase() == STORE_OK ? DEVICE_EMPTY : DEVICE_NOT_ERASED;
  show();
  return now == DEVICE_EMPTY;
}

/* No R is made or given after an alarm was seen without a boot counter of its own. The link and its session stay as they are, and
   with them the R that the link has taken already. */
static void count_anew(void) {
  uint32_t counter = 0;
  hw_zeroise();
  if (store_count(source.boot, &counter) == STORE_OK)
    source.boot = counter;
  else
    forget(); /* feed() boots anew, or says why not */
}

static void feed(void) {
  uint8_t r[32];
  if (hw_random_waits()) return;
  if (!random_next(&source, r))
    boot(); /* the next boot counter has values of its own */
  else if (!(hw_noise_alarm() & ~alarmed)) /* one that came meanwhile is for the next step */
    hw_random_give(r);
  bytes_wipe(r, sizeof r);
}

void device_step(void) {
  bool down = hw_button();
  unsigned alarm = hw_noise_alarm();
  if (down && !pressed) {
    pressed_ms = hw_milliseconds();
    zeroised = false;
  }
  pressed = down;
  if (pressed && !zeroised && hw_milliseconds() - pressed_ms >= ZEROISE_MS) {
    zeroised = true;
    device_zeroise();
  }
  if (now == DEVICE_RUNS) {
    if (link_was_reset() && hw_milliseconds() - booted_ms >= BOOT_AGAIN_MS) boot();
    if (now == DEVICE_RUNS && alarm & ~alarmed) count_anew();
  }
  alarmed = alarm;
  if (now == DEVICE_RUNS) feed();
  show();
}

void device_noise_clear(void) {
  hw_noise_clear();
  alarmed = 0; /* one that comes again at once is a new one */
}

device_state device_now(void) { return now; }
uint32_t device_boot(void) { return source.boot; }
uint32_t device_calls(void) { return source.calls; }
unsigned device_phys(void) { return phys; }
