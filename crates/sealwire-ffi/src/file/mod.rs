// SPDX-License-Identifier: Apache-2.0
//! Sealed files: keys for them, writers and readers over callbacks, and whole files between file descriptors.

mod callbacks;
mod keys;
mod options;
mod reader;
mod whole;
mod writer;

pub use callbacks::{sealwire_read_callback, sealwire_seek_callback, sealwire_write_callback};
pub use keys::{
    sealwire_file_identity_generate, sealwire_file_key, sealwire_file_key_free,
    sealwire_file_key_from_text, sealwire_file_key_generate, sealwire_file_key_text,
    sealwire_file_passphrase_new, sealwire_file_recipient_of,
};
pub use options::sealwire_file_options;
pub use reader::{
    sealwire_file_reader, sealwire_file_reader_free, sealwire_file_reader_length,
    sealwire_file_reader_new, sealwire_file_reader_new_seekable, sealwire_file_reader_read,
    sealwire_file_reader_seek,
};
#[cfg(unix)]
pub use whole::{sealwire_file_open_fd, sealwire_file_seal_fd};
pub use writer::{
    sealwire_file_writer, sealwire_file_writer_finish, sealwire_file_writer_free,
    sealwire_file_writer_new, sealwire_file_writer_write,
};

use crate::failure::Failure;
use std::io;

/// What a reader or writer failed with: our own errors are inside those of input and output.
fn from_io(error: io::Error) -> Failure {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<sealwire_file::Error>())
    {
        let inner = error.into_inner().expect("looked at just now");
        return Failure::File(*inner.downcast().expect("looked at just now"));
    }
    Failure::Option(error.to_string())
}
