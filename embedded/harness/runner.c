/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of protocol.h. Every buffer is allocated to its length, so that a sanitizer sees a byte too many; no bytes are NULL. */
#define _POSIX_C_SOURCE 200809L
#include "protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 6

static int digit(char c) {
  const char *digits = "0123456789abcdef", *at = strchr(digits, c | 0x20);
  return c && at ? (int)(at - digits) : -1;
}

static uint8_t *parse(const char *text, size_t *len) {
  *len = strcmp(text, "-") ? strlen(text) / 2 : 0;
  uint8_t *bytes = *len ? malloc(*len) : NULL;
  for (size_t i = 0; i < *len; i++) bytes[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  return bytes;
}

static void print(const uint8_t *bytes, size_t len) {
  if (len == 0) fputs("-", stdout);
  for (size_t i = 0; i < len; i++) printf("%02X", bytes[i]);
  fputs(" ", stdout);
}

static void answer(char *field[FIELDS], int count) {
  uint8_t *bytes[FIELDS] = {0};
  size_t len[FIELDS] = {0};
  cost spent = {0, 0, 0};
  const char *why = "the line is neither a seal nor an open";
  const int open = !strcmp(field[0], "open");
  if (count != 5 + open || (!open && strcmp(field[0], "seal"))) {
    printf("error %s\n", why);
    return;
  }
  for (int i = 1; i < count; i++) bytes[i] = parse(field[i], &len[i]);
  if (!open) bytes[5] = malloc(len[5] = 16);
  call c = {(uint8_t)open, bytes[1], bytes[2], bytes[3], len[1], len[3], len[4], bytes[4], bytes[5]};
  const int result = run_call(&c, &spent, &why);
  if (result == 0 || result == -1) {
    fputs(result == 0 ? "ok " : "forged ", stdout);
    print(c.msg, c.len);
    print(c.tag, open ? 0 : 16);
    printf("%lu,%lu,%lu\n", spent.cycles, spent.key_cycles, spent.stack);
  } else {
    printf("error %s\n", why);
  }
  for (int i = 0; i < FIELDS; i++) free(bytes[i]);
}

int main(int argc, char **argv) {
  char *line = NULL;
  size_t room = 0;
  if (start_runner(argc, argv)) return 1;
  while (getline(&line, &room, stdin) > 0) {
    char *field[FIELDS], *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(line, " \n", &rest); word && count < FIELDS; word = strtok_r(NULL, " \n", &rest))
      field[count++] = word;
    if (count) answer(field, count);
    fflush(stdout);
  }
  free(line);
  return 0;
}
