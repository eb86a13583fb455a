/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealwire: authenticated encryption from compression functions. Guide: docs/c.md.
 *
 * Pointers. A pointer and a length go together; NULL is allowed where the length is 0. What is only read is const. A buffer
 * must really have the length that is given, and nobody else may write to it during a call; what is checked is NULL, lengths
 * and overlap. Each function says which buffers may overlap. Keys and sessions must come from this library and must not have
 * been freed.
 *
 * Threads. All functions may be called from any thread. A key or session does not change after it was made, so that any
 * number of threads may use it at once; it is freed by one of them when no other uses it any more. Messages of errors
 * belong to their thread.
 *
 * Secrets. Keys, sessions and everything derived from them are wiped when they are freed. Nothing that was not found
 * authentic is given out: the output of a failed call that opens holds zeros, or was not written. Running time depends on
 * lengths only.
 *
 * Errors. A function that can fail returns a sealwire_status; sealwire_last_error says more. No Rust panic gets out.
 */

#ifndef SEALWIRE_H
#define SEALWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SEALWIRE_MUST_USE __attribute__((warn_unused_result))
#else
#define SEALWIRE_MUST_USE
#endif

/*
 The version of this interface. It grows when a program that was compiled with an older header would no longer work.
 */
#define SEALWIRE_ABI_VERSION 1

/*
 How a call ended. 0 is success; the numbers never change their meaning.
 */
typedef enum sealwire_status {
    /*
     Done.
     */
    SEALWIRE_OK = 0,
    /*
     Not what was sealed under this key with this nonce and associated data. The output holds zeros.
     */
    SEALWIRE_INVALID_TAG = 1,
    /*
     A pointer is NULL that must not be. Nothing was written, here and in all that follow.
     */
    SEALWIRE_NULL_POINTER = 2,
    /*
     A key, nonce, tag or sealed message has a length that the scheme does not allow, or a length is over PTRDIFF_MAX.
     */
    SEALWIRE_WRONG_LENGTH = 3,
    /*
     The output buffer is too short for the result.
     */
    SEALWIRE_SHORT_OUTPUT = 4,
    /*
     A buffer that is written overlaps another one that the call needs.
     */
    SEALWIRE_OVERLAP = 5,
    /*
     No scheme has this name, or one of the sizes in it is not allowed.
     */
    SEALWIRE_UNKNOWN_SCHEME = 6,
    /*
     The session's associated data was made with another key.
     */
    SEALWIRE_FOREIGN_SESSION = 7,
    /*
     The scheme (p-OMD) cannot hash associated data ahead.
     */
    SEALWIRE_NO_SESSION = 8,
    /*
     The packet was not reached, because the call as a whole was refused.
     */
    SEALWIRE_NOT_PROCESSED = 9,
    /*
     There was no memory left.
     */
    SEALWIRE_NO_MEMORY = 10,
    /*
     A defect in the library. All outputs hold zeros.
     */
    SEALWIRE_INTERNAL = 11,
} sealwire_status;

/*
 A scheme with a key.
 */
typedef struct sealwire_key sealwire_key;

/*
 A MAC with a key.
 */
typedef struct sealwire_mac sealwire_mac;

/*
 A message that comes in pieces. It belongs to one thread at a time.
 */
typedef struct sealwire_mac_message sealwire_mac_message;

/*
 Associated data that was hashed once under one key, for any number of messages. It is secret.
 */
typedef struct sealwire_session_ad sealwire_session_ad;

/*
 One packet of a batch, worked on in place. Packets may differ in everything.
 */
typedef struct sealwire_packet {
    /*
     The nonce.
     */
    const uint8_t *nonce;
    /*
     Its bytes: exactly the scheme's.
     */
    size_t nonce_len;
    /*
     The associated data, unless there is a session.
     */
    const uint8_t *ad;
    /*
     Its bytes; 0 with a session.
     */
    size_t ad_len;
    /*
     Associated data that was hashed before, or NULL.
     */
    const struct sealwire_session_ad *session;
    /*
     Plaintext before sealing and after opening, ciphertext after sealing and before opening.
     */
    uint8_t *buffer;
    /*
     Its bytes.
     */
    size_t buffer_len;
    /*
     Sealing writes the tag here, opening reads it.
     */
    uint8_t *tag;
    /*
     Its bytes: exactly the scheme's.
     */
    size_t tag_len;
    /*
     How it went. Need not be set before.
     */
    enum sealwire_status status;
} sealwire_packet;

/*
 A scheme with all its sizes.
 */
typedef struct sealwire_scheme {
    /*
     The canonical name, such as "omdsha512k512n256tau256v2", ended by a zero byte.
     */
    char name[48];
    /*
     The short name, such as "omd-sha512"; empty if there is none.
     */
    char alias[32];
    /*
     Bytes of a key.
     */
    size_t key_len;
    /*
     Bytes of a nonce.
     */
    size_t nonce_len;
    /*
     Bytes of a tag. A sealed message is as long as the message and its tag.
     */
    size_t tag_len;
    /*
     Bytes of a message block.
     */
    size_t block_len;
    /*
     Whether the construction has no published specification and analysis: for experiments only.
     */
    bool experimental;
    /*
     Whether associated data can be hashed ahead (sealwire_session_ad_new).
     */
    bool caches_ad;
} sealwire_scheme;

/*
 A MAC with its sizes.
 */
typedef struct sealwire_mac_scheme {
    /*
     The canonical name, such as "asconmacv13", ended by a zero byte.
     */
    char name[48];
    /*
     The short name, such as "ascon-mac"; empty if there is none.
     */
    char alias[32];
    /*
     Bytes of a key.
     */
    size_t key_len;
    /*
     Bytes of a tag, unless another length is asked for.
     */
    size_t tag_len;
    /*
     The fewest bytes of a tag that can be asked for.
     */
    size_t min_tag_len;
    /*
     The most bytes of a tag that can be asked for; SIZE_MAX: any number.
     */
    size_t max_tag_len;
    /*
     Bytes of a message block.
     */
    size_t block_len;
    /*
     The most bytes of a message; SIZE_MAX: any number.
     */
    size_t max_msg_len;
    /*
     Whether the instance is our own choice or has not been analysed: for experiments only.
     */
    bool experimental;
} sealwire_mac_scheme;

/*
 One message of a batch.
 */
typedef struct sealwire_mac_job {
    /*
     The message.
     */
    const uint8_t *msg;
    /*
     Its bytes.
     */
    size_t msg_len;
    /*
     sealwire_mac_tag_batch writes the tag here, sealwire_mac_verify_batch reads it.
     */
    uint8_t *tag;
    /*
     Its bytes.
     */
    size_t tag_len;
    /*
     How it went. Need not be set before.
     */
    enum sealwire_status status;
} sealwire_mac_job;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Seals `count` packets in place; `packets[i].status` says how each went. A failed packet does not stop the others. A
 nonce must never serve twice under one key.

 SEALWIRE_OK if all succeeded, else the status of the first that did not; `*good` (may be NULL) becomes the number that
 succeeded. No buffer or tag may overlap another one, a nonce, an ad or `packets`: then the whole call is refused with
 SEALWIRE_OVERLAP and the packets have SEALWIRE_NOT_PROCESSED. Nonces and ads may be shared.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_seal_batch(const struct sealwire_key *key,
                                         struct sealwire_packet *packets,
                                         size_t count,
                                         size_t *good);

/*
 Opens `count` packets in place; `packets[i].status` says how each went. A failed packet does not stop the others.

 The buffer of a packet with SEALWIRE_INVALID_TAG holds zeros, never plaintext. Otherwise as sealwire_seal_batch; tags
 are only read here, and may be shared.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_open_batch(const struct sealwire_key *key,
                                         struct sealwire_packet *packets,
                                         size_t count,
                                         size_t *good);

/*
 Sets a scheme up with a key of exactly its key_len bytes, chosen at random and used with no other scheme. `scheme`
 is a canonical name or an alias. The library keeps its own copy of what it needs; sealwire_key_free wipes it.

 SEALWIRE_UNKNOWN_SCHEME, SEALWIRE_WRONG_LENGTH, SEALWIRE_NULL_POINTER; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_key_new(const char *scheme,
                                      const uint8_t *key,
                                      size_t key_len,
                                      struct sealwire_key **out);

/*
 Wipes a key with everything derived from it, and frees it. NULL is allowed and does nothing. No other thread may be
 using the key, and nobody may use it afterwards.
 */
void sealwire_key_free(struct sealwire_key *key);

/*
 The scheme that a key was made for.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_key_scheme(const struct sealwire_key *key,
                                         struct sealwire_scheme *scheme);

/*
 Hashes associated data once for any number of messages under this key: give the result as `session` of a packet. It
 is worth while where associated data is long, or the same for a whole session.

 SEALWIRE_NO_SESSION for p-OMD, which takes in associated data together with the message; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_session_ad_new(const struct sealwire_key *key,
                                             const uint8_t *ad,
                                             size_t ad_len,
                                             struct sealwire_session_ad **out);

/*
 Wipes and frees a session's associated data. NULL is allowed and does nothing. It may outlive its key.
 */
void sealwire_session_ad_free(struct sealwire_session_ad *session);

/*
 Finds the MAC with this canonical name or alias. `name` ends with a zero byte.

 SEALWIRE_UNKNOWN_SCHEME if there is none; then `*scheme` is not written.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_mac_scheme_find(const char *name, struct sealwire_mac_scheme *scheme);

/*
 The MACs one after the other: index 0, 1, .. until SEALWIRE_UNKNOWN_SCHEME.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_mac_scheme_at(size_t index, struct sealwire_mac_scheme *scheme);

/*
 Sets a MAC up with a key of exactly its key_len bytes, chosen at random and used with no other scheme, and tags of
 `tag_len` bytes: 16, or what the scheme allows. The library keeps its own copy; sealwire_mac_free wipes it.

 SEALWIRE_UNKNOWN_SCHEME, SEALWIRE_WRONG_LENGTH, SEALWIRE_NULL_POINTER; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_new(const char *scheme,
                                      const uint8_t *key,
                                      size_t key_len,
                                      size_t tag_len,
                                      struct sealwire_mac **out);

/*
 Wipes a MAC's key with everything derived from it, and frees it. NULL is allowed and does nothing. No other thread may
 be using it, and nobody may use it afterwards.
 */
void sealwire_mac_free(struct sealwire_mac *mac);

/*
 Writes the tag of a message. `tag` must not overlap `msg`.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_tag(const struct sealwire_mac *mac,
                                      const uint8_t *msg,
                                      size_t msg_len,
                                      uint8_t *tag,
                                      size_t tag_len);

/*
 Checks the tag of a message in constant time: SEALWIRE_INVALID_TAG if it is another one's.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_verify(const struct sealwire_mac *mac,
                                         const uint8_t *msg,
                                         size_t msg_len,
                                         const uint8_t *tag,
                                         size_t tag_len);

/*
 Begins a message that comes in pieces. It may outlive `mac`. sealwire_mac_message_free wipes it.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_begin(const struct sealwire_mac *mac,
                                        struct sealwire_mac_message **out);

/*
 Takes in the next piece of a message.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_update(struct sealwire_mac_message *message,
                                         const uint8_t *data,
                                         size_t data_len);

/*
 Ends a message and writes its tag. The object then is at the beginning of another message under the same key, also
 after SEALWIRE_WRONG_LENGTH because the message was too long; after other failures it is as it was.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_finish(struct sealwire_mac_message *message,
                                         uint8_t *tag,
                                         size_t tag_len);

/*
 Ends a message and checks its tag in constant time: SEALWIRE_INVALID_TAG if it is another one's. The object then is
 where sealwire_mac_finish leaves it.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_finish_verify(struct sealwire_mac_message *message,
                                                const uint8_t *tag,
                                                size_t tag_len);

/*
 Wipes and frees a message. NULL is allowed and does nothing.
 */
void sealwire_mac_message_free(struct sealwire_mac_message *message);

/*
 Writes the tags of `count` messages; `jobs[i].status` says how each went. A failed one does not stop the others. The
 messages share the lanes of the vector registers; eight are the right number.

 SEALWIRE_OK if all succeeded, else the status of the first that did not; `*good` (may be NULL) becomes the number that
 succeeded. No tag may overlap another one, a message or `jobs`: then the whole call is refused with SEALWIRE_OVERLAP
 and the jobs have SEALWIRE_NOT_PROCESSED. Messages may be shared.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_tag_batch(const struct sealwire_mac *mac,
                                            struct sealwire_mac_job *jobs,
                                            size_t count,
                                            size_t *good);

/*
 Checks the tags of `count` messages in constant time; `jobs[i].status` is SEALWIRE_INVALID_TAG where one is wrong.
 Otherwise as sealwire_mac_tag_batch; tags are only read here, and may be shared.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_verify_batch(const struct sealwire_mac *mac,
                                               struct sealwire_mac_job *jobs,
                                               size_t count,
                                               size_t *good);

/*
 Encrypts a message and writes ciphertext || tag, msg_len + tag_len bytes. A nonce must never serve twice under one
 key.

 `out` has room for `out_room` bytes; `*out_len` (may be NULL) becomes the number written, 0 after a failure. `out` may
 be `msg` or overlap it; it must not overlap `nonce` or `ad`.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_seal(const struct sealwire_key *key,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *ad,
                                   size_t ad_len,
                                   const uint8_t *msg,
                                   size_t msg_len,
                                   uint8_t *out,
                                   size_t out_room,
                                   size_t *out_len);

/*
 Checks ciphertext || tag and writes the message, sealed_len - tag_len bytes.

 SEALWIRE_INVALID_TAG if it is not authentic or too short to be: the first sealed_len - tag_len bytes of `out` are zeros
 then, never plaintext. `*out_len` (may be NULL) becomes the number of bytes of the message, 0 after a failure. `out` may
 be `sealed` or overlap it; it must not overlap `nonce` or `ad`.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_open(const struct sealwire_key *key,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *ad,
                                   size_t ad_len,
                                   const uint8_t *sealed,
                                   size_t sealed_len,
                                   uint8_t *out,
                                   size_t out_room,
                                   size_t *out_len);

/*
 Encrypts a message and writes its ciphertext, `len` bytes, and its tag, `tag_len` bytes, to two places. A nonce must
 never serve twice under one key.

 `ciphertext` may be `msg` or overlap it; `ciphertext` and `tag` must overlap neither each other nor `nonce` or `ad`.
 `tag` must not overlap `msg`.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_seal_detached(const struct sealwire_key *key,
                                            const uint8_t *nonce,
                                            size_t nonce_len,
                                            const uint8_t *ad,
                                            size_t ad_len,
                                            const uint8_t *msg,
                                            size_t len,
                                            uint8_t *ciphertext,
                                            uint8_t *tag,
                                            size_t tag_len);

/*
 Checks ciphertext and tag and writes the message, `len` bytes.

 SEALWIRE_INVALID_TAG if they are not authentic: `msg` holds `len` zeros then, never plaintext. `msg` may be `ciphertext`
 or overlap it; it must not overlap `nonce`, `ad` or `tag`.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_open_detached(const struct sealwire_key *key,
                                            const uint8_t *nonce,
                                            size_t nonce_len,
                                            const uint8_t *ad,
                                            size_t ad_len,
                                            const uint8_t *ciphertext,
                                            size_t len,
                                            const uint8_t *tag,
                                            size_t tag_len,
                                            uint8_t *msg);

/*
 Finds the scheme with this canonical name or alias. `name` ends with a zero byte.

 SEALWIRE_UNKNOWN_SCHEME if there is none; then `*scheme` is not written.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_scheme_find(const char *name, struct sealwire_scheme *scheme);

/*
 The registered schemes one after the other: index 0, 1, .. until SEALWIRE_UNKNOWN_SCHEME. Every legal name is a
 scheme, registered or not.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_scheme_at(size_t index, struct sealwire_scheme *scheme);

/*
 A fixed sentence for a status, in English, ended by a zero byte; never NULL, valid for ever.
 */
const char *sealwire_status_message(int status);

/*
 What was wrong with the last call in this thread that did not return SEALWIRE_OK: which parameter, what was given
 and what is allowed, in one line. Empty if there was none. Never NULL; valid until the thread's next call that fails
 or its end. It never holds secrets.
 */
const char *sealwire_last_error(void);

/*
 SEALWIRE_ABI_VERSION of the library that is running. A program compares it with the header's.
 */
uint32_t sealwire_abi_version(void);

/*
 The version of the library, such as "0.1.0"; valid for ever.
 */
const char *sealwire_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SEALWIRE_H */
