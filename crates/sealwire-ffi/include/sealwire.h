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
 * number of threads may use it at once; it is freed by one of them when no other uses it any more. Messages, readers and
 * writers belong to one thread at a time. Messages of errors belong to their thread.
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
    /*
     The key, identity or passphrase does not open the sealed file, or its header was changed; or a key is for something else.
     */
    SEALWIRE_WRONG_KEY = 12,
    /*
     It is no sealed file, or its header is damaged or of a later format.
     */
    SEALWIRE_NOT_SEALED = 13,
    /*
     The sealed file was changed, cut short or lengthened. Nothing that is not genuine was given out.
     */
    SEALWIRE_DAMAGED = 14,
    /*
     A callback failed, or the operating system did.
     */
    SEALWIRE_IO_FAILED = 15,
    /*
     The text is none of a key file.
     */
    SEALWIRE_BAD_KEY_TEXT = 16,
    /*
     An earlier failure, or its end, has ended this file.
     */
    SEALWIRE_ENDED = 17,
    /*
     An option, or what was given together, is not allowed.
     */
    SEALWIRE_NOT_ALLOWED = 18,
} sealwire_status;

/*
 What sealed files are sealed or opened with: a key, a passphrase, an identity or a recipient.
 */
typedef struct sealwire_file_key sealwire_file_key;

/*
 A sealed file that is being opened. It belongs to one thread at a time.
 */
typedef struct sealwire_file_reader sealwire_file_reader;

/*
 A file that is being sealed. It belongs to one thread at a time.
 */
typedef struct sealwire_file_writer sealwire_file_writer;

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
 Puts at most `len` bytes into `buffer` and returns how many: 0 at the end of the input only, a negative number after a
 failure. It must return, and must not use the object that calls it.
 */
typedef ptrdiff_t (*sealwire_read_callback)(void *context, uint8_t *buffer, size_t len);

/*
 Moves in the input as fseek does: `whence` is SEEK_SET, SEEK_CUR or SEEK_END. Returns the new position, counted from the
 beginning, or a negative number after a failure. It must return, and must not use the object that calls it.
 */
typedef int64_t (*sealwire_seek_callback)(void *context, int64_t offset, int whence);

/*
 How to seal a file. All zeros, or NULL in place of the whole, are the defaults.
 */
typedef struct sealwire_file_options {
    /*
     The suite, such as "omd-sha512"; NULL: "otr-aes256-p", which holds 1 TiB at most.
     */
    const char *suite;
    /*
     Bytes of a chunk, a power of two from 4096 to 16777216; 0: 65536.
     */
    uint32_t chunk_size;
    /*
     Leave the key's id out of the header, so that nobody sees which files belong to one key.
     */
    bool without_key_id;
} sealwire_file_options;

/*
 Takes at least one of the `len` bytes of `data`, len not being 0, and returns how many; 0 or a negative number after a
 failure. It must return, and must not use the object that calls it.
 */
typedef ptrdiff_t (*sealwire_write_callback)(void *context, const uint8_t *data, size_t len);

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
 Makes a fresh random key for files of this suite, such as "otr-aes256-p", the one of NULL.

 SEALWIRE_UNKNOWN_SCHEME if no suite of sealed files has this name; then `*out` is NULL.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_file_key_generate(const char *suite, struct sealwire_file_key **out);

/*
 Makes a fresh random identity, the private key of one who receives files. sealwire_file_recipient_of has its public key.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_identity_generate(struct sealwire_file_key **out);

/*
 The public key of an identity, to seal files to its owner. SEALWIRE_NOT_ALLOWED if `identity` is none.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_recipient_of(const struct sealwire_file_key *identity,
                                                struct sealwire_file_key **out);

/*
 Takes a passphrase of `len` bytes, one at least; no zero byte and no end of a line belongs to it unless it is to count.
 A file that is sealed with it costs 2^`memory_log2` KiB of memory (3 to 20), `passes` and `lanes` (1 to 16) of Argon2id to
 try one; three zeros stand for 64 MiB, 3 passes and 4 lanes. Opening takes what the file names.

 SEALWIRE_NOT_ALLOWED for any other cost or an empty passphrase; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_passphrase_new(const uint8_t *passphrase,
                                                  size_t len,
                                                  uint8_t memory_log2,
                                                  uint8_t passes,
                                                  uint8_t lanes,
                                                  struct sealwire_file_key **out);

/*
 Reads the text of a key file, an identity file or a recipient file of the command `sealwire`, or of
 sealwire_file_key_text.

 SEALWIRE_BAD_KEY_TEXT if it is none; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_key_from_text(const uint8_t *text,
                                                 size_t len,
                                                 struct sealwire_file_key **out);

/*
 Writes the text of the key file, the identity file or the recipient file to `buffer`, ended by a zero byte; `*len`
 becomes its length without that byte. 4096 bytes are always enough room. The text of a key or an identity is secret.

 SEALWIRE_SHORT_OUTPUT if there is not enough room; `*len` is set then, too. SEALWIRE_NOT_ALLOWED for a passphrase, which
 has no text.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_key_text(const struct sealwire_file_key *key,
                                            char *buffer,
                                            size_t buffer_len,
                                            size_t *len);

/*
 Wipes and frees a key, passphrase, identity or recipient. NULL is allowed and does nothing. Writers and readers that were
 made with it go on.
 */
void sealwire_file_key_free(struct sealwire_file_key *key);

/*
 Reads and verifies the header of a sealed file, which `read` gives from its beginning to its end. `keys` are one key, one
 passphrase, or identities, of which one is to be that of a recipient; none is needed any longer after the call.

 SEALWIRE_WRONG_KEY if they do not open the file, SEALWIRE_NOT_SEALED if it is no sealed file, SEALWIRE_IO_FAILED,
 SEALWIRE_NOT_ALLOWED; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_reader_new(const struct sealwire_file_key *const *keys,
                                              size_t count,
                                              sealwire_read_callback read,
                                              void *context,
                                              struct sealwire_file_reader **out);

/*
 As sealwire_file_reader_new, of a file from which `seek` allows to read any part. The last chunk is verified at once, too:
 with it the length of the plaintext is known to be true.

 SEALWIRE_DAMAGED if the last chunk is not genuine, and what sealwire_file_reader_new says; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_reader_new_seekable(const struct sealwire_file_key *const *keys,
                                                       size_t count,
                                                       sealwire_read_callback read,
                                                       sealwire_seek_callback seek,
                                                       void *context,
                                                       struct sealwire_file_reader **out);

/*
 Puts at most `buffer_len` bytes of verified plaintext into `buffer`; `*len` becomes their number. It may be smaller than
 `buffer_len` before the end, too, as that of read() may; it is 0 at the end only, unless `buffer_len` is. Only the end,
 without a failure, says that the plaintext is complete.

 SEALWIRE_DAMAGED if what comes next is not genuine: `buffer` holds zeros then, and `*len` is 0. After that, and after
 SEALWIRE_IO_FAILED, nothing more comes out: SEALWIRE_ENDED.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_reader_read(struct sealwire_file_reader *reader,
                                               uint8_t *buffer,
                                               size_t buffer_len,
                                               size_t *len);

/*
 Moves in the plaintext as fseek does: `whence` is SEEK_SET, SEEK_CUR or SEEK_END (0, 1, 2). `*position` (may be NULL)
 becomes the new position, counted from the beginning. One after the end is allowed: nothing is to be read there.

 SEALWIRE_NOT_ALLOWED if the reader cannot seek, or for a position before the beginning.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_reader_seek(struct sealwire_file_reader *reader,
                                               int64_t offset,
                                               int whence,
                                               uint64_t *position);

/*
 The length of the plaintext in bytes. SEALWIRE_NOT_ALLOWED if the reader cannot seek: then only the end tells.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_reader_length(const struct sealwire_file_reader *reader,
                                                 uint64_t *len);

/*
 Wipes and frees a reader. NULL is allowed and does nothing.
 */
void sealwire_file_reader_free(struct sealwire_file_reader *reader);

/*
 Seals everything that the file descriptor `input` gives into `output`, from where they stand. `threads` threads encrypt;
 0: one for each CPU that the process may use. `*text_len` (may be NULL) becomes the length of the plaintext. Keys and options as
 sealwire_file_writer_new. The descriptors stay open. What was written before a failure is no whole sealed file.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_seal_fd(const struct sealwire_file_key *const *keys,
                                           size_t count,
                                           const struct sealwire_file_options *options,
                                           size_t threads,
                                           int input,
                                           int output,
                                           uint64_t *text_len);

/*
 Opens the sealed file that the file descriptor `input` gives into `output`, chunk by chunk as each is verified. Keys as
 sealwire_file_reader_new, the rest as sealwire_file_seal_fd.

 SEALWIRE_DAMAGED if something is not genuine: what was written before is a true beginning of the plaintext and no more.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_open_fd(const struct sealwire_file_key *const *keys,
                                           size_t count,
                                           size_t threads,
                                           int input,
                                           int output,
                                           uint64_t *text_len);

/*
 Begins a sealed file and hands its header to `write`. `keys` are one key, one passphrase, or 1 to 55 recipients, of which
 each owner can open the file; none is needed any longer after the call. `options` may be NULL.

 SEALWIRE_NOT_ALLOWED, SEALWIRE_WRONG_KEY (a key for something else or of another length), SEALWIRE_UNKNOWN_SCHEME,
 SEALWIRE_IO_FAILED; then `*out` is NULL.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_writer_new(const struct sealwire_file_key *const *keys,
                                              size_t count,
                                              const struct sealwire_file_options *options,
                                              sealwire_write_callback write,
                                              void *context,
                                              struct sealwire_file_writer **out);

/*
 Seals `len` bytes; chunks that are full go to the callback.

 After SEALWIRE_IO_FAILED the file is lost, and all that follows is SEALWIRE_ENDED.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_file_writer_write(struct sealwire_file_writer *writer,
                                                const uint8_t *data,
                                                size_t len);

/*
 Seals the last chunk and hands it to the callback. Only then is the file whole: a file without it is refused by every
 reader as cut short. Nothing can be written afterwards: SEALWIRE_ENDED.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_file_writer_finish(struct sealwire_file_writer *writer);

/*
 Wipes and frees a writer; it does not finish the file. NULL is allowed and does nothing.
 */
void sealwire_file_writer_free(struct sealwire_file_writer *writer);

/*
 Fills `out` with random bytes of the operating system: a key, or a nonce of 24 bytes or more. A shorter nonce is better
 counted (sealwire_nonce_next), because random ones repeat after some 2^(bits/2) messages.

 SEALWIRE_IO_FAILED if the system has none; `out` holds zeros then.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_random(uint8_t *out, size_t len);

/*
 Counts a nonce up by one, as a number whose last byte is the lowest.

 SEALWIRE_NOT_ALLOWED after the last nonce: nothing is written, and the key must not be used any longer.
 */
SEALWIRE_MUST_USE enum sealwire_status sealwire_nonce_next(uint8_t *nonce, size_t len);

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
 Makes a copy of a message, with what was taken in so far; both go on apart. sealwire_mac_message_free wipes it.
 */
SEALWIRE_MUST_USE
enum sealwire_status sealwire_mac_message_copy(const struct sealwire_mac_message *message,
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
