// SPDX-License-Identifier: Apache-2.0
//! The C interface of Sealwire. `include/sealwire.h` is made from this crate by cbindgen (the test `header` keeps it
//! current) and documents every function; `docs/c.md` is the guide.
//!
//! What the functions here add to the library: they check every pointer and length that can be checked, refuse buffers
//! that overlap where they must not, turn errors into a status and a message, and let no panic out.

// A C interface takes pointers. Each unsafe block says why it is sound, given what the header asks of the caller.
#![allow(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

mod batch;
mod failure;
mod file;
mod fresh;
mod guard;
mod key;
mod mac;
mod memory;
mod message;
mod scheme;
mod status;

pub use batch::{sealwire_open_batch, sealwire_packet, sealwire_seal_batch};
pub use file::{
    sealwire_file_identity_generate, sealwire_file_key, sealwire_file_key_free,
    sealwire_file_key_from_text, sealwire_file_key_generate, sealwire_file_key_text,
    sealwire_file_options, sealwire_file_passphrase_new, sealwire_file_reader,
    sealwire_file_reader_free, sealwire_file_reader_length, sealwire_file_reader_new,
    sealwire_file_reader_new_seekable, sealwire_file_reader_read, sealwire_file_reader_seek,
    sealwire_file_recipient_of, sealwire_file_writer, sealwire_file_writer_finish,
    sealwire_file_writer_free, sealwire_file_writer_new, sealwire_file_writer_write,
    sealwire_read_callback, sealwire_seek_callback, sealwire_write_callback,
};
#[cfg(unix)]
pub use file::{sealwire_file_open_fd, sealwire_file_seal_fd};
pub use fresh::{sealwire_nonce_next, sealwire_random};
pub use key::{
    sealwire_key, sealwire_key_free, sealwire_key_new, sealwire_key_scheme, sealwire_session_ad,
    sealwire_session_ad_free, sealwire_session_ad_new,
};
pub use mac::{
    sealwire_mac, sealwire_mac_begin, sealwire_mac_finish, sealwire_mac_finish_verify,
    sealwire_mac_free, sealwire_mac_job, sealwire_mac_message, sealwire_mac_message_copy,
    sealwire_mac_message_free, sealwire_mac_new, sealwire_mac_scheme, sealwire_mac_scheme_at,
    sealwire_mac_scheme_find, sealwire_mac_tag, sealwire_mac_tag_batch, sealwire_mac_update,
    sealwire_mac_verify, sealwire_mac_verify_batch,
};
pub use message::{sealwire_open, sealwire_open_detached, sealwire_seal, sealwire_seal_detached};
pub use scheme::{sealwire_scheme, sealwire_scheme_at, sealwire_scheme_find};
pub use status::{
    SEALWIRE_ABI_VERSION, sealwire_abi_version, sealwire_last_error, sealwire_status,
    sealwire_status_message, sealwire_version,
};
