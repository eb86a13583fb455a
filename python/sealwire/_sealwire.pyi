# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable, Sequence
from typing import Final, Self, final

from typing_extensions import Buffer

from .files import Lock, Readable, Unlock, Writable

__all__ = [
    "VERSION",
    "AlreadyFinalized",
    "BaseAEAD",
    "BaseMAC",
    "DamagedFileError",
    "Identity",
    "InvalidSignature",
    "InvalidTag",
    "Key",
    "KeyFileError",
    "MACScheme",
    "Opening",
    "Passphrase",
    "Recipient",
    "Scheme",
    "SealedFileError",
    "Sealing",
    "SessionAD",
    "WrongKeyError",
    "ascon_p",
    "compress",
    "find",
    "find_mac",
    "mac_schemes",
    "open_files",
    "schemes",
    "seal_files",
]

VERSION: Final[str]

class InvalidTag(Exception):  # noqa: N818 - the name that `cryptography` gave it
    """The message, its associated data or its nonce is not what was sealed or tagged under this key.

    Where the package `cryptography` is installed, a subclass of ``cryptography.exceptions.InvalidTag``.
    """

class InvalidSignature(InvalidTag):
    """The message is not what was tagged under this key.

    Where the package `cryptography` is installed, a subclass of ``cryptography.exceptions.InvalidSignature``, too.
    """

class AlreadyFinalized(Exception):  # noqa: N818 - the name that `cryptography` gave it
    """The object has given or checked its tag; make another one for another message."""

@final
class Scheme:
    """A scheme with all its sizes, in bytes."""

    @property
    def name(self) -> str:
        """The canonical name."""
    @property
    def alias(self) -> str | None:
        """The short name, if there is one."""
    @property
    def key_length(self) -> int: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    @property
    def block_length(self) -> int:
        """Length of a message block: one call of the compression function each; in SIV-OMD one and a half."""
    @property
    def ad_block_length(self) -> int:
        """Length of a block of associated data: one call of the compression function each.

        In p-OMD this holds for what is longer than the message; the rest takes no call of its own.
        """
    @property
    def experimental(self) -> bool:
        """Whether the construction has no published specification and analysis."""
    @property
    def caches_ad(self) -> bool:
        """Whether associated data can be hashed ahead, that is, whether ``with_session_ad`` succeeds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class SessionAD:
    """Associated data that was hashed once; pass it as ``associated_data`` to the object that made it."""

class BaseAEAD:
    """A scheme with a key. Use :class:`sealwire.AEAD` or a class with the scheme's name."""

    def __new__(cls, scheme: str, key: Buffer) -> Self: ...
    @property
    def scheme(self) -> Scheme: ...
    @property
    def key_length(self) -> int: ...
    @property
    def nonce_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | SessionAD | None = None) -> bytes:
        """Ciphertext and tag. ValueError for a nonce of the wrong length."""
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | SessionAD | None = None) -> bytes:
        """The plaintext of ciphertext and tag.

        InvalidTag if it is not authentic, ValueError for a nonce of the wrong length.
        """
    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | SessionAD | None, buf: Buffer) -> int:
        """As encrypt, but into a writable buffer of exactly ``len(data) + tag_length`` bytes.

        ``buf`` may overlap ``data``; no other thread may use it during the call. Returns the number of bytes written.
        After an error ``buf`` holds nothing of the message but where it lies over ``data``.
        """
    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | SessionAD | None, buf: Buffer) -> int:
        """As decrypt, but into a writable buffer of exactly ``len(data) - tag_length`` bytes, all zeros on InvalidTag.

        ``buf`` may overlap ``data``; no other thread may use it during the call. Returns the number of bytes written.
        """
    def encrypt_batch(self, packets: Iterable[tuple[Buffer, Buffer, Buffer | SessionAD | None]]) -> list[bytes]:
        """Encrypts many messages in one call: for each ``(nonce, data, associated_data)`` its ciphertext and tag.

        Messages share the lanes of the vector registers, which is several times faster than one by one. ValueError if
        any nonce has the wrong length; nothing is encrypted then.
        """
    def decrypt_batch(self, packets: Iterable[tuple[Buffer, Buffer, Buffer | SessionAD | None]]) -> list[bytes | None]:
        """Decrypts many messages in one call: for each ``(nonce, data, associated_data)`` its plaintext, or None where
        it is not authentic.

        ValueError if any nonce has the wrong length; nothing is decrypted then.
        """
    def with_session_ad(self, associated_data: Buffer) -> SessionAD:
        """Hash associated data once for any number of messages under this key.

        ValueError for p-OMD, which takes in associated data together with the message.
        """

def schemes() -> list[Scheme]:
    """All registered schemes; :func:`find` knows every other legal name too."""

def find(name: str) -> Scheme:
    """The scheme with this canonical name or alias. ValueError if there is none or its sizes are not legal."""

def compress(name: str, h: Buffer, block: Buffer) -> bytes:
    """F'(h, block) of the compression function ``sha256``, ``sha512`` or ``blake2b``: n and 2n bytes to n bytes.

    A building block without padding or initial value, for key schedules and tests; not a hash.
    """

@final
class MACScheme:
    """A MAC with all its sizes, in bytes."""

    @property
    def name(self) -> str:
        """The canonical name."""
    @property
    def alias(self) -> str | None:
        """The short name, if there is one."""
    @property
    def key_length(self) -> int: ...
    @property
    def tag_length(self) -> int: ...
    @property
    def block_length(self) -> int:
        """Length of a message block: one call of the permutation each."""
    @property
    def max_message_length(self) -> int | None:
        """The longest message; None: any."""
    @property
    def experimental(self) -> bool:
        """Whether the instance is our own choice, or has not been analysed."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class BaseMAC:
    """A MAC with a key and one message. Use :class:`sealwire.MAC` or a class with the scheme's name."""

    def __new__(cls, scheme: str, key: Buffer, *, tag_length: int = 16) -> Self: ...
    @property
    def scheme(self) -> MACScheme: ...
    @property
    def tag_length(self) -> int: ...
    def update(self, data: Buffer) -> None:
        """Takes in the next piece of the message. AlreadyFinalized if it has ended."""
    def finalize(self) -> bytes:
        """Ends the message: its tag.

        AlreadyFinalized if it has ended, ValueError if it is longer than the scheme allows.
        """
    def verify(self, tag: Buffer) -> None:
        """Ends the message and checks its tag in constant time.

        InvalidSignature if it is another one's or has another length, AlreadyFinalized if the message has ended.
        """
    def __copy__(self) -> Self: ...
    def copy(self) -> Self:
        """An object with the same key and the same beginning of a message. AlreadyFinalized if it has ended."""
    def tag_batch(self, messages: Iterable[Buffer]) -> list[bytes]:
        """The tags of many whole messages under this key, whatever ``update`` was given.

        Messages share the lanes of the vector registers; eight a call are several times faster than one by one.
        """
    def verify_batch(self, messages: Iterable[tuple[Buffer, Buffer]]) -> list[bool]:
        """For each ``(message, tag)`` whether the tag is right, whatever ``update`` was given."""

def mac_schemes() -> list[MACScheme]:
    """All MACs, with tags of 16 bytes."""

def find_mac(name: str) -> MACScheme:
    """The MAC with this canonical name or alias. ValueError if there is none."""

def ascon_p(words: Sequence[int], rounds: int) -> list[int]:
    """The last 6, 8 or 12 rounds of Ascon-p on five 64-bit words, x0 first.

    A building block for tests; not a hash.
    """

class SealedFileError(ValueError):
    """The file is no sealed file, or what was given does not open it."""

class WrongKeyError(SealedFileError):
    """The key, identity or passphrase is another one than the file needs, or the file's header was changed."""

class DamagedFileError(SealedFileError, InvalidTag):
    """The file is not what was sealed: changed, cut short, or with something after its end."""

class KeyFileError(ValueError):
    """The text is not that of a key file of this kind."""

@final
class Key:
    """A key for sealed files."""

    def __new__(cls, data: Buffer) -> Self:
        """A key of 16, 32 or 64 bytes, for which nothing says what it is for."""
    @staticmethod
    def generate(suite: str = "otr-aes256-p") -> Key:
        """A fresh random key for this suite."""
    @staticmethod
    def from_text(data: str | Buffer) -> Key:
        """The key of a key file's text."""
    @staticmethod
    def _for_files(data: str | Buffer) -> Key:
        """The key of a key file's text, if it is for files or does not say what it is for."""
    def to_text(self) -> str:
        """The text of the key file."""
    @property
    def purpose(self) -> str | None:
        """What the key is for; None if its maker did not say: then it serves for anything."""
    @property
    def id(self) -> str:
        """The key's short name, as files and key files have it."""

@final
class Recipient:
    """A public key that files are sealed to."""

    @staticmethod
    def from_text(data: str | Buffer) -> Recipient:
        """The public key of a recipient file's text."""
    def to_text(self) -> str:
        """The text of the recipient file, which is no secret."""
    @property
    def id(self) -> str:
        """The short name that recipient and identity share."""

@final
class Identity:
    """A private key that opens what was sealed to its recipient."""

    @staticmethod
    def generate() -> Identity:
        """A fresh random identity."""
    @staticmethod
    def from_text(data: str | Buffer) -> Identity:
        """The identity of an identity file's text."""
    def to_text(self) -> str:
        """The text of the identity file."""
    @property
    def recipient(self) -> Recipient:
        """The public key that belongs to it."""
    @property
    def id(self) -> str:
        """The short name that recipient and identity share."""

@final
class Passphrase:
    """A passphrase, and what it is to cost to try one when a file is sealed: Argon2id of RFC 9106."""

    def __new__(cls, passphrase: str | Buffer, *, memory_kib: int = 65536, passes: int = 3, lanes: int = 4) -> Self:
        """``memory_kib`` is a power of two from 8 to 1048576, passes and lanes are 1 to 16."""

@final
class Sealing:
    """Seals what is written into a file object."""

    def __new__(cls, file: Writable, lock: Lock, *, suite: str, chunk_size: int, key_id: bool) -> Self: ...
    def write(self, data: Buffer) -> int:
        """Take all of the data."""
    def flush(self) -> None:
        """Hand on the chunks that are full."""
    def finish(self) -> None:
        """Seal the last chunk."""
    def abandon(self) -> None:
        """End without the last chunk: readers refuse the file as cut short."""

@final
class Opening:
    """Opens a sealed file as it is read."""

    def __new__(cls, file: Readable, unlock: Unlock, *, seekable: bool) -> Self: ...
    @property
    def length(self) -> int | None:
        """Length of the plaintext, where it is known from the start."""
    def readinto(self, buf: Buffer) -> int:
        """Fill the buffer as far as the chunk at hand goes. 0 at the end."""
    def readall(self) -> bytes:
        """Everything from here to the end."""
    def seek(self, offset: int, whence: int) -> int:
        """Move to a place of the plaintext, and return it."""
    def close(self) -> None:
        """Wipe the plaintext at hand."""

def seal_files(
    source: Readable,
    target: Writable,
    lock: Lock,
    *,
    suite: str,
    chunk_size: int,
    key_id: bool,
    threads: int | None,
) -> int:
    """Seal one file object into another, and return the number of plaintext bytes."""

def open_files(source: Readable, target: Writable, unlock: Unlock, *, threads: int | None) -> int:
    """Open one file object into another, and return the number of plaintext bytes."""
