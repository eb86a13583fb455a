/* SPDX-License-Identifier: Apache-2.0 */
/* What the C interface refuses, and that nothing is written or let out then. */
#include "check.h"

static const uint8_t KEY[64] = {1, 2, 3}, NONCE[32] = {4, 5, 6};
enum { TAG = 32, LEN = 100, SEALED = LEN + TAG };

static int says(const char *message)
{
    return strcmp(sealwire_last_error(), message) == 0;
}

static void keys(void)
{
    sealwire_key *key = (sealwire_key *)0x10;
    CHECK(sealwire_key_new("aes-gcm", KEY, 16, &key) == SEALWIRE_UNKNOWN_SCHEME && key == NULL);
    CHECK(strncmp(sealwire_last_error(), "unknown scheme `aes-gcm`: allowed are ", 38) == 0);
    CHECK(sealwire_key_new("omdsha256k264n96tau64v2", KEY, 33, &key) == SEALWIRE_UNKNOWN_SCHEME);
    CHECK(says("wrong key size in the scheme name: given 264 bits, allowed 8 to 256 bits in whole bytes"));
    CHECK(sealwire_key_new("\xff\xfe", KEY, 64, &key) == SEALWIRE_UNKNOWN_SCHEME);
    CHECK(sealwire_key_new("", KEY, 64, &key) == SEALWIRE_UNKNOWN_SCHEME);
    CHECK(sealwire_key_new(NULL, KEY, 64, &key) == SEALWIRE_NULL_POINTER && says("scheme name must not be NULL"));
    CHECK(sealwire_key_new("omd-sha512", NULL, 64, &key) == SEALWIRE_NULL_POINTER && says("key must not be NULL"));
    CHECK(sealwire_key_new("omd-sha512", KEY, 63, &key) == SEALWIRE_WRONG_LENGTH && key == NULL);
    CHECK(says("wrong key length: given 63 bytes, allowed 64 bytes"));
    CHECK(sealwire_key_new("omd-sha512", NULL, 0, &key) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_key_new("omd-sha512", KEY, SIZE_MAX, &key) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_key_new("omd-sha512", KEY, 64, NULL) == SEALWIRE_NULL_POINTER);
    sealwire_key_free(NULL);
    sealwire_session_ad_free(NULL);
}

static void schemes(void)
{
    sealwire_scheme scheme;
    size_t count = 0;
    for (; sealwire_scheme_at(count, &scheme) == SEALWIRE_OK; count++) {
        sealwire_scheme same;
        sealwire_key *key = NULL;
        CHECK(sealwire_scheme_find(scheme.name, &same) == SEALWIRE_OK && same.key_len == scheme.key_len);
        if (scheme.alias[0])
            CHECK(sealwire_scheme_find(scheme.alias, &same) == SEALWIRE_OK && strcmp(same.name, scheme.name) == 0);
        CHECK(scheme.experimental == (strncmp(scheme.name, "sivomd", 6) == 0));
        CHECK(scheme.caches_ad == (strncmp(scheme.name, "pomd", 4) != 0 && strncmp(scheme.name, "ascon", 5) != 0 &&
                                   strstr(scheme.name, "gcm") == NULL &&
                                   strstr(scheme.name, "copa") == NULL && strstr(scheme.name, "aegis") == NULL &&
                                   strncmp(scheme.name, "scream", 6) != 0));
        CHECK(sealwire_key_new(scheme.name, KEY, scheme.key_len, &key) == SEALWIRE_OK);
        CHECK(sealwire_key_scheme(key, &same) == SEALWIRE_OK && strcmp(same.name, scheme.name) == 0);
        sealwire_key_free(key);
    }
    CHECK(count >= 45 && says("no scheme has this name or index"));
    CHECK(sealwire_scheme_find("omd-sha512", &scheme) == SEALWIRE_OK);
    CHECK(strcmp(scheme.name, "omdsha512k512n256tau256v2") == 0 && scheme.key_len == 64 && scheme.nonce_len == 32);
    CHECK(scheme.tag_len == 32 && scheme.block_len == 64);
    CHECK(sealwire_scheme_find("omd-sha512", NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_scheme_find(NULL, &scheme) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_scheme_at(0, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_key_scheme(NULL, &scheme) == SEALWIRE_NULL_POINTER);
}

static void versions(void)
{
    CHECK(sealwire_abi_version() == SEALWIRE_ABI_VERSION);
    CHECK(strlen(sealwire_version()) >= 5);
    for (int status = -3; status < 20; status++)
        CHECK(strlen(sealwire_status_message(status)) > 5);
    CHECK(strcmp(sealwire_status_message(SEALWIRE_INVALID_TAG), "authentication failed") == 0);
    CHECK(strcmp(sealwire_status_message(99), "unknown status") == 0);
}

/* One message: every parameter wrong in turn, and the output as it was. */
static void sealing(const sealwire_key *key)
{
    uint8_t *msg = own(NULL, LEN), *out = own(NULL, SEALED);
    size_t n = 99;
    const struct {
        const sealwire_key *key;
        const uint8_t *nonce;
        size_t nonce_len;
        const uint8_t *ad;
        size_t ad_len;
        const uint8_t *msg;
        size_t msg_len;
        uint8_t *out;
        size_t room;
        sealwire_status status;
        const char *message;
    } cases[] = {
        {NULL, NONCE, 32, NULL, 0, msg, LEN, out, SEALED, SEALWIRE_NULL_POINTER, "key must not be NULL"},
        {key, NULL, 32, NULL, 0, msg, LEN, out, SEALED, SEALWIRE_NULL_POINTER, "nonce must not be NULL"},
        {key, NONCE, 31, NULL, 0, msg, LEN, out, SEALED, SEALWIRE_WRONG_LENGTH,
         "wrong nonce length: given 31 bytes, allowed 32 bytes"},
        {key, NULL, 0, NULL, 0, msg, LEN, out, SEALED, SEALWIRE_WRONG_LENGTH,
         "wrong nonce length: given 0 bytes, allowed 32 bytes"},
        {key, NONCE, 32, NULL, 1, msg, LEN, out, SEALED, SEALWIRE_NULL_POINTER, "ad must not be NULL"},
        {key, NONCE, 32, NULL, 0, NULL, LEN, out, SEALED, SEALWIRE_NULL_POINTER, "msg must not be NULL"},
        {key, NONCE, 32, NULL, 0, msg, SIZE_MAX, out, SIZE_MAX, SEALWIRE_WRONG_LENGTH,
         "wrong msg length: allowed 9223372036854775807 bytes at most"},
        {key, NONCE, 32, NULL, 0, msg, LEN, NULL, SEALED, SEALWIRE_NULL_POINTER, "out must not be NULL"},
        {key, NONCE, 32, NULL, 0, msg, LEN, out, SEALED - 1, SEALWIRE_SHORT_OUTPUT,
         "the output buffer is too short: given 131 bytes, needed 132 bytes"},
        {key, NONCE, 32, out + 131, 1, msg, LEN, out, SEALED, SEALWIRE_OVERLAP, "out must not overlap ad"},
        {key, out, 32, NULL, 0, msg, LEN, out, SEALED, SEALWIRE_OVERLAP, "out must not overlap nonce"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        n = 99;
        sealwire_status status =
            sealwire_seal(cases[i].key, cases[i].nonce, cases[i].nonce_len, cases[i].ad, cases[i].ad_len, cases[i].msg,
                          cases[i].msg_len, cases[i].out, cases[i].room, &n);
        CHECK(status == cases[i].status && says(cases[i].message));
        CHECK(n == 0 && all(out, SEALED, 0xa5));
    }
    CHECK(sealwire_seal(key, NONCE, 32, NULL, 0, msg, LEN, out, SEALED, NULL) == SEALWIRE_OK);
    CHECK(sealwire_seal(key, NONCE, 32, NULL, 0, NULL, 0, out, TAG, &n) == SEALWIRE_OK && n == TAG);

    uint8_t tag[TAG];
    memset(tag, 0xa5, TAG);
    memset(out, 0xa5, SEALED);
    CHECK(sealwire_seal_detached(key, NONCE, 32, NULL, 0, msg, LEN, out, tag, 31) == SEALWIRE_WRONG_LENGTH);
    CHECK(says("wrong tag length: given 31 bytes, allowed 32 bytes"));
    CHECK(sealwire_seal_detached(key, NONCE, 32, NULL, 0, msg, LEN, out, NULL, TAG) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_seal_detached(key, NONCE, 32, NULL, 0, msg, LEN, NULL, tag, TAG) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_seal_detached(key, NONCE, 32, NULL, 0, msg, LEN, out, out + LEN - 1, TAG) == SEALWIRE_OVERLAP);
    CHECK(sealwire_seal_detached(key, NONCE, 32, NULL, 0, msg, LEN, out, msg + 3, TAG) == SEALWIRE_OVERLAP);
    CHECK(says("tag must not overlap msg"));
    CHECK(all(out, SEALED, 0xa5) && all(tag, TAG, 0xa5) && all(msg, LEN, 0xa5));
    free(msg);
    free(out);
}

static void opening(const sealwire_key *key)
{
    uint8_t msg[LEN], sealed[SEALED], out[SEALED];
    size_t n = 99;
    memset(msg, 0x5a, LEN);
    CHECK(sealwire_seal(key, NONCE, 32, (const uint8_t *)"ad", 2, msg, LEN, sealed, SEALED, &n) == SEALWIRE_OK);

    /* Too short to hold a tag is a forgery like any other. */
    memset(out, 0xa5, SEALED);
    for (size_t len = 0; len < TAG; len++)
        CHECK(sealwire_open(key, NONCE, 32, NULL, 0, sealed, len, out, SEALED, &n) == SEALWIRE_INVALID_TAG && n == 0);
    CHECK(sealwire_open(key, NONCE, 32, NULL, 0, sealed, SEALED, out, LEN - 1, &n) == SEALWIRE_SHORT_OUTPUT);
    CHECK(sealwire_open(key, NONCE, 33, NULL, 0, sealed, SEALED, out, LEN, &n) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_open(key, NONCE, 32, NULL, 0, NULL, SEALED, out, LEN, &n) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_open(key, NONCE, 32, NULL, 0, sealed, SEALED, NULL, LEN, &n) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_open(NULL, NONCE, 32, NULL, 0, sealed, SEALED, out, LEN, &n) == SEALWIRE_NULL_POINTER);
    CHECK(all(out, SEALED, 0xa5));

    /* A wrong tag: zeros, and what follows the message's place is untouched. */
    CHECK(sealwire_open(key, NONCE, 32, (const uint8_t *)"ax", 2, sealed, SEALED, out, SEALED, &n)
          == SEALWIRE_INVALID_TAG);
    CHECK(says("authentication failed") && n == 0 && all(out, LEN, 0) && all(out + LEN, TAG, 0xa5));

    /* Over its own input, exactly and shifted both ways; forged, the input goes too. */
    for (size_t shift = 0; shift <= 40; shift += 5) {
        uint8_t room[SEALED + 40];
        memcpy(room + shift, sealed, SEALED);
        CHECK(sealwire_open(key, NONCE, 32, (const uint8_t *)"ad", 2, room + shift, SEALED, room, LEN, &n) == SEALWIRE_OK);
        CHECK(n == LEN && memcmp(room, msg, LEN) == 0);
        memcpy(room, sealed, SEALED);
        CHECK(sealwire_open(key, NONCE, 32, (const uint8_t *)"ad", 2, room, SEALED, room + shift, LEN, &n) == SEALWIRE_OK);
        CHECK(n == LEN && memcmp(room + shift, msg, LEN) == 0);
        memcpy(room + shift, msg, LEN);
        CHECK(sealwire_seal(key, NONCE, 32, (const uint8_t *)"ad", 2, room + shift, LEN, room, SEALED, &n) == SEALWIRE_OK);
        CHECK(n == SEALED && memcmp(room, sealed, SEALED) == 0);
        room[SEALED - 1] ^= 1;
        CHECK(sealwire_open(key, NONCE, 32, (const uint8_t *)"ad", 2, room, SEALED, room, LEN, &n) == SEALWIRE_INVALID_TAG);
        CHECK(all(room, LEN, 0));
    }

    uint8_t *tag = sealed + LEN;
    memset(out, 0xa5, SEALED);
    CHECK(sealwire_open_detached(key, NONCE, 32, NULL, 0, sealed, LEN, tag, 31, out) == SEALWIRE_WRONG_LENGTH);
    CHECK(sealwire_open_detached(key, NONCE, 32, NULL, 0, sealed, LEN, NULL, TAG, out) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_open_detached(key, NONCE, 32, NULL, 0, sealed, LEN, tag, TAG, NULL) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_open_detached(key, NONCE, 32, NULL, 0, sealed, LEN, tag, TAG, tag - 1) == SEALWIRE_OVERLAP);
    CHECK(all(out, SEALED, 0xa5));
    CHECK(sealwire_open_detached(key, NONCE, 32, NULL, 0, sealed, LEN, tag, TAG, out) == SEALWIRE_INVALID_TAG);
    CHECK(all(out, LEN, 0));
}

enum { COUNT = 9 };

static void batches(const sealwire_key *key)
{
    const uint8_t ad[] = "associated data of every packet";
    static uint8_t nonces[COUNT][32];
    sealwire_packet packets[COUNT];
    sealwire_session_ad *session = NULL;
    size_t good = 99;
    CHECK(sealwire_session_ad_new(key, ad, sizeof ad, &session) == SEALWIRE_OK);
    memset(packets, 0xff, sizeof packets);
    for (size_t i = 0; i < COUNT; i++) {
        size_t len = i * 37;
        nonces[i][0] = (uint8_t)i;
        packets[i] = (sealwire_packet){.nonce = nonces[i], .nonce_len = 32, .buffer = own(NULL, len),
                                       .buffer_len = len, .tag = own(NULL, TAG), .tag_len = TAG,
                                       .status = SEALWIRE_INTERNAL};
        if (i % 2)
            packets[i].session = session;
        else
            packets[i].ad = ad, packets[i].ad_len = sizeof ad;
    }
    CHECK(sealwire_seal_batch(key, packets, COUNT, &good) == SEALWIRE_OK && good == COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        uint8_t *plain = own(NULL, packets[i].buffer_len), tag[TAG];
        size_t len = packets[i].buffer_len;
        CHECK(packets[i].status == SEALWIRE_OK);
        CHECK(sealwire_seal_detached(key, nonces[i], 32, ad, sizeof ad, plain, len, plain, tag, TAG) == SEALWIRE_OK);
        CHECK(memcmp(tag, packets[i].tag, TAG) == 0 && (len == 0 || memcmp(plain, packets[i].buffer, len) == 0));
        free(plain);
    }

    /* Overlap: the whole batch is refused. Packet 3's tag lies in packet 4's buffer, then in the array itself. */
    uint8_t *tag = packets[3].tag, *before = own(packets[4].buffer, packets[4].buffer_len);
    packets[3].tag = packets[4].buffer + 7;
    CHECK(sealwire_open_batch(key, packets, COUNT, &good) == SEALWIRE_OVERLAP && good == 0);
    CHECK(packets[0].status == SEALWIRE_NOT_PROCESSED && memcmp(before, packets[4].buffer, packets[4].buffer_len) == 0);
    packets[3].tag = (uint8_t *)&packets[5];
    CHECK(sealwire_seal_batch(key, packets, COUNT, &good) == SEALWIRE_OVERLAP && good == 0);
    CHECK(memcmp(before, packets[4].buffer, packets[4].buffer_len) == 0);
    packets[3].tag = tag;
    free(before);

    /* Forged, badly given and good ones side by side. */
    packets[2].tag[5] ^= 0x20;
    packets[4].nonce_len = 31;
    packets[5].ad_len = 3;
    tag = packets[6].tag;
    packets[6].tag = NULL;
    CHECK(sealwire_open_batch(key, packets, COUNT, &good) == SEALWIRE_INVALID_TAG && good == COUNT - 4);
    CHECK(packets[2].status == SEALWIRE_INVALID_TAG && all(packets[2].buffer, packets[2].buffer_len, 0));
    CHECK(packets[4].status == SEALWIRE_WRONG_LENGTH && !all(packets[4].buffer, packets[4].buffer_len, 0xa5));
    CHECK(packets[5].status == SEALWIRE_WRONG_LENGTH && packets[6].status == SEALWIRE_NULL_POINTER);
    for (size_t i = 0; i < COUNT; i++)
        if (i != 2 && i != 4 && i != 5 && i != 6)
            CHECK(packets[i].status == SEALWIRE_OK && all(packets[i].buffer, packets[i].buffer_len, 0xa5));

    /* A session of another key, and a scheme that has none. */
    sealwire_key *other = NULL, *pomd = NULL;
    uint8_t key2[64] = {9};
    CHECK(sealwire_key_new("omd-sha512", key2, 64, &other) == SEALWIRE_OK);
    CHECK(sealwire_key_new("pomd-sha512", key2, 64, &pomd) == SEALWIRE_OK);
    CHECK(sealwire_seal_batch(other, &packets[1], 1, NULL) == SEALWIRE_FOREIGN_SESSION);
    CHECK(packets[1].status == SEALWIRE_FOREIGN_SESSION && all(packets[1].buffer, packets[1].buffer_len, 0xa5));
    CHECK(sealwire_seal_batch(pomd, &packets[1], 1, NULL) == SEALWIRE_NO_SESSION);
    sealwire_session_ad *none = (sealwire_session_ad *)0x10;
    CHECK(sealwire_session_ad_new(pomd, ad, sizeof ad, &none) == SEALWIRE_NO_SESSION && none == NULL);
    CHECK(sealwire_session_ad_new(key, NULL, 1, &none) == SEALWIRE_NULL_POINTER && none == NULL);
    CHECK(sealwire_session_ad_new(key, ad, 1, NULL) == SEALWIRE_NULL_POINTER);

    CHECK(sealwire_seal_batch(key, NULL, 0, &good) == SEALWIRE_OK && good == 0);
    CHECK(sealwire_seal_batch(key, NULL, 1, &good) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_seal_batch(NULL, packets, 1, &good) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_open_batch(key, packets, SIZE_MAX / 2, &good) == SEALWIRE_WRONG_LENGTH);
    for (size_t i = 0; i < COUNT; i++) {
        free(packets[i].buffer);
        free(i == 6 ? tag : packets[i].tag);
    }
    sealwire_session_ad_free(session);
    sealwire_key_free(other);
    sealwire_key_free(pomd);
}

static void fresh_bytes(void)
{
    uint8_t *one = own(NULL, 64), *two = own(NULL, 64);
    CHECK(sealwire_random(one, 64) == SEALWIRE_OK && sealwire_random(two, 64) == SEALWIRE_OK);
    CHECK(memcmp(one, two, 64) != 0 && !all(one, 64, 0) && !all(one, 64, 0xa5));
    CHECK(sealwire_random(NULL, 0) == SEALWIRE_OK && sealwire_random(NULL, 1) == SEALWIRE_NULL_POINTER);
    CHECK(sealwire_random(one, SIZE_MAX) == SEALWIRE_WRONG_LENGTH);
    free(one), free(two);
    uint8_t nonce[4] = {0, 0xfe, 0xff, 0xfe};
    CHECK(sealwire_nonce_next(nonce, 4) == SEALWIRE_OK && memcmp(nonce, "\x00\xfe\xff\xff", 4) == 0);
    CHECK(sealwire_nonce_next(nonce, 4) == SEALWIRE_OK && memcmp(nonce, "\x00\xff\x00\x00", 4) == 0);
    memset(nonce, 0xff, 4);
    CHECK(sealwire_nonce_next(nonce, 4) == SEALWIRE_NOT_ALLOWED && all(nonce, 4, 0xff));
    CHECK(strstr(sealwire_last_error(), "last nonce") != NULL);
    CHECK(sealwire_nonce_next(NULL, 0) == SEALWIRE_NOT_ALLOWED);
    CHECK(sealwire_nonce_next(NULL, 4) == SEALWIRE_NULL_POINTER);
}

int main(void)
{
    sealwire_key *key = NULL;
    CHECK(strcmp(sealwire_last_error(), "") == 0);
    keys();
    schemes();
    versions();
    CHECK(sealwire_key_new("omd-sha512", KEY, 64, &key) == SEALWIRE_OK);
    sealing(key);
    opening(key);
    batches(key);
    fresh_bytes();
    sealwire_key_free(key);
    puts("refusals: all as they must be");
    return 0;
}
