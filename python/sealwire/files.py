# SPDX-License-Identifier: Apache-2.0
"""Sealed files, as the command ``sealwire`` makes and opens them: in chunks, of which none leaves unverified.

==========================================  =============================================
to do                                       take
==========================================  =============================================
write into a new sealed file                :func:`create`
read a sealed file, any part of it          :func:`open`
whole files, on all cores                   :func:`seal` and :func:`open_into`
file objects: sockets, pipes, archives      :class:`Writer` and :class:`Reader`
==========================================  =============================================

A file is sealed with a :class:`Key`, with a :class:`Passphrase`, or to one or more :class:`Recipient`; a recipient
opens it with the :class:`Identity`. A key, an identity or a passphrase that does not fit is a :class:`WrongKeyError`;
a file that was changed, cut short or lengthened is a :class:`DamagedFileError`, which :class:`sealwire.InvalidTag`
catches, too.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import secrets
import shlex
import stat
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, Self, TypeAlias, TypeVar, cast

from ._sealwire import (
    DamagedFileError,
    Identity,
    Key,
    KeyFileError,
    Opening,
    Passphrase,
    Recipient,
    SealedFileError,
    Sealing,
    WrongKeyError,
    open_files,
    seal_files,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

    from typing_extensions import Buffer

    Lock: TypeAlias = Key | Passphrase | Recipient | Iterable[Recipient]
    Unlock: TypeAlias = Key | Passphrase | Identity | Iterable[Identity]
    Place: TypeAlias = str | os.PathLike[str]

__all__ = [
    "DamagedFileError",
    "Identity",
    "Key",
    "KeyFileError",
    "KeyFileWarning",
    "Passphrase",
    "Reader",
    "Recipient",
    "SealedFileError",
    "Writer",
    "WrongKeyError",
    "create",
    "load_identity",
    "load_key",
    "load_recipient",
    "open",
    "open_into",
    "save",
    "seal",
]

_Held = TypeVar("_Held", Key, Identity, Recipient)


class KeyFileWarning(UserWarning):
    """Others than its owner can read a secret's file."""


# More than a key file may have: what is longer is refused, and a device given by mistake ends here.
_KEY_FILE_ROOM = 4097


class Readable(Protocol):
    """A binary file object that gives bytes."""

    def read(self, size: int, /) -> Buffer | None:
        """At most so many bytes."""
        ...


class Writable(Protocol):
    """A binary file object that takes bytes."""

    def write(self, data: bytes, /) -> int | None:
        """How many of the bytes it took; None for all of them, unless it is an ``io.RawIOBase``."""
        ...


class Writer(io.BufferedIOBase):
    """Seals what is written to it into a binary file object.

    The sealed file is whole after ``close()``, or after a ``with`` statement that ends without an exception. Until
    then, and after any other end, every reader refuses what was written as cut short. Inside a ``with`` statement of
    the writer the file is whole at the end of that statement only, whoever closes the writer before, such as an
    ``io.TextIOWrapper`` around it. The file object under it stays open.
    """

    def __init__(
        self,
        file: Writable,
        lock: Lock,
        *,
        suite: str = "otr-aes256-p",
        chunk_size: int = 65536,
        key_id: bool = True,
    ) -> None:
        """Write the header with a fresh salt.

        ``chunk_size`` is a power of two from 4096 to 16777216. With ``key_id=False`` the header does not name the key.
        """
        self._ended = True
        self._entered = self._ends_later = False
        self._length = 0
        self._sealing = Sealing(file, lock, suite=suite, chunk_size=chunk_size, key_id=key_id)
        self._ended = False

    def writable(self) -> bool:
        """True."""
        return True

    @property
    def closed(self) -> bool:
        """Whether nothing more can be written."""
        return self._ended or self._ends_later

    def write(self, data: Buffer, /) -> int:
        """Take all of the data."""
        self._must_be_open()
        count = self._sealing.write(data)
        self._length += count
        return count

    def flush(self) -> None:
        """Hand on the chunks that are full; what is in the last one waits for more."""
        self._must_be_open()
        self._sealing.flush()

    def tell(self) -> int:
        """How many bytes were written."""
        return self._length

    def close(self) -> None:
        """Seal the last chunk. The file is whole then."""
        if self._entered:
            self._ends_later = True
        elif not self._ended:
            self._ended = True
            self._finish()

    def abandon(self) -> None:
        """End without the last chunk, so that readers refuse what was written."""
        if not self._ended:
            self._ended = True
            self._abandon()

    def _finish(self) -> None:
        self._sealing.finish()

    def _abandon(self) -> None:
        self._sealing.abandon()

    def _must_be_open(self) -> None:
        if self.closed:
            message = "I/O operation on closed file"
            raise ValueError(message)

    def __enter__(self) -> Self:
        """Return the writer."""
        self._must_be_open()
        self._entered = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Seal the last chunk, but not after an exception."""
        self._entered = self._ends_later = False
        if kind is None:
            self.close()
        else:
            self.abandon()

    def __del__(self) -> None:
        """End a writer that nobody closed: what it wrote is not whole."""
        with contextlib.suppress(AttributeError):
            self.abandon()


class _NewFile(Writer):
    """A writer whose file gets its name when it is whole."""

    def __init__(self, path: Place, lock: Lock, *, overwrite: bool, suite: str, chunk_size: int, key_id: bool) -> None:
        self._ended = True
        self._target = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(_appearing(path, overwrite=overwrite, mode=0o666))
            super().__init__(file, lock, suite=suite, chunk_size=chunk_size, key_id=key_id)
            self._target = stack.pop_all()

    def _finish(self) -> None:
        with self._target:
            super()._finish()

    def _abandon(self) -> None:
        with contextlib.suppress(_Abandoned), self._target:
            super()._abandon()
            raise _Abandoned


class _Abandoned(Exception):  # noqa: N818 - no error: it tells a context that its work came to nothing
    pass


class _Raw(io.RawIOBase):
    """The plaintext as it is verified, chunk by chunk."""

    def __init__(self, file: Readable, unlock: Unlock, *, closes: bool) -> None:
        self._file = file if closes else None
        self._position = 0
        can_seek = getattr(file, "seekable", None)
        self._seekable = bool(can_seek is not None and can_seek())
        self._opening = Opening(file, unlock, seekable=self._seekable)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seekable

    def readinto(self, buffer: Buffer, /) -> int:
        count = self._opening.readinto(buffer)
        self._position += count
        return count

    def readall(self) -> bytes:
        data = self._opening.readall()
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if not self._seekable:
            message = "the file under the sealed file cannot seek"
            raise io.UnsupportedOperation(message)
        self._position = self._opening.seek(offset, whence)
        return self._position

    def tell(self) -> int:
        return self._position

    @property
    def length(self) -> int | None:
        return self._opening.length

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        with contextlib.suppress(AttributeError):  # of an object that was never whole
            self._opening.close()
            if self._file is not None:
                cast("IO[bytes]", self._file).close()


class Reader(io.BufferedReader):
    """The plaintext of a sealed file that a binary file object holds, with all that Python's own files have.

    Of a file object that can seek, the sealed file is the whole from its position 0. Its last chunk is verified at
    once, which proves the length, and any other before a byte of it comes out, each time it is read. Of any other file
    object the plaintext comes in its order; only its end, without an exception, says that it is complete. The file
    object stays open.
    """

    def __init__(self, file: Readable, unlock: Unlock) -> None:
        """Verify the header."""
        super().__init__(_Raw(file, unlock, closes=False), buffer_size=65536)

    @property
    def length(self) -> int | None:
        """Length of the plaintext in bytes; None if the file object cannot seek."""
        return cast("_Raw", self.raw).length

    def __enter__(self) -> Self:
        """Return the reader."""
        super().__enter__()
        return self


class _OpenedFile(Reader):
    """A reader that closes the file under it."""

    def __init__(self, file: Readable, unlock: Unlock) -> None:
        io.BufferedReader.__init__(self, _Raw(file, unlock, closes=True), buffer_size=65536)


@contextlib.contextmanager
def _appearing(path: Place, *, overwrite: bool, mode: int) -> Iterator[IO[bytes]]:
    """Give a file that gets its name when the context ends, or is removed after an exception."""
    target = Path(path)
    if not overwrite and os.path.lexists(target):
        raise FileExistsError(17, os.strerror(17), str(path))
    part = target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")
    try:
        number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:  # names the file that was asked for
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        if overwrite:
            part.replace(target)
        else:
            _name(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _name(part: Path, target: Path) -> None:
    """Rename, but not over a file that came meanwhile."""
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(17, os.strerror(17), str(target)) from None
        part.rename(target)
    else:
        part.unlink()


def create(
    path: Place,
    lock: Lock,
    *,
    overwrite: bool = False,
    suite: str = "otr-aes256-p",
    chunk_size: int = 65536,
    key_id: bool = True,
) -> Writer:
    """A writer into a new sealed file, which gets its name when it is whole.

    ``FileExistsError`` if there is such a file, unless ``overwrite`` allows to replace it.
    """
    return _NewFile(path, lock, overwrite=overwrite, suite=suite, chunk_size=chunk_size, key_id=key_id)


def open(path: Place, unlock: Unlock) -> Reader:
    """A reader of the sealed file at this path."""
    file = builtins.open(path, "rb")  # noqa: PTH123, SIM115 - the reader closes it
    try:
        return _OpenedFile(file, unlock)
    except BaseException:
        file.close()
        raise


@contextlib.contextmanager
def _source(source: Place | Readable) -> Iterator[Readable]:
    if isinstance(source, str | os.PathLike):
        with builtins.open(source, "rb") as file:  # noqa: PTH123 - a str, or a path
            yield file
    else:
        yield source


def _must_differ(source: Place | Readable, target: Place | Writable) -> None:
    if not (isinstance(source, str | os.PathLike) and isinstance(target, str | os.PathLike)):
        return
    with contextlib.suppress(FileNotFoundError):
        if Path(source).samefile(target):
            message = f"the output is the input, {os.fspath(source)}; choose another"
            raise ValueError(message)


@contextlib.contextmanager
def _target(target: Place | Writable, *, overwrite: bool, mode: int) -> Iterator[Writable]:
    if isinstance(target, str | os.PathLike):
        with _appearing(target, overwrite=overwrite, mode=mode) as file:
            yield file
    else:
        yield target


def seal(
    source: Place | Readable,
    target: Place | Writable,
    lock: Lock,
    *,
    overwrite: bool = False,
    suite: str = "otr-aes256-p",
    chunk_size: int = 65536,
    key_id: bool = True,
    threads: int | None = None,
) -> int:
    """Seal a whole file, and return the length of its plaintext.

    Source and target are paths or binary file objects; a path gets its file when that is whole. ``threads`` is the
    number of threads that encrypt, normally one for each CPU.
    """
    _must_differ(source, target)
    with _source(source) as plain, _target(target, overwrite=overwrite, mode=0o666) as sealed:
        return seal_files(plain, sealed, lock, suite=suite, chunk_size=chunk_size, key_id=key_id, threads=threads)


def open_into(
    source: Place | Readable,
    target: Place | Writable,
    unlock: Unlock,
    *,
    overwrite: bool = False,
    threads: int | None = None,
) -> int:
    """Open a whole file, and return the length of its plaintext.

    A path gets its file, which only its owner can read, when all of it was verified. A file object gets verified
    plaintext chunk by chunk: if an exception follows, what it got is a true beginning and no more.
    """
    _must_differ(source, target)
    with _source(source) as sealed, _target(target, overwrite=overwrite, mode=0o600) as plain:
        return open_files(sealed, plain, unlock, threads=threads)


def _load(path: Place, read: Callable[[bytes], _Held]) -> _Held:
    with builtins.open(path, "rb") as file:  # noqa: PTH123 - a str, or a path
        mode = os.fstat(file.fileno()).st_mode
        text = file.read(_KEY_FILE_ROOM)
    try:
        held = read(text)
    except KeyFileError as error:
        message = f"{os.fspath(path)}: {error}"
        raise KeyFileError(message) from None
    # Windows keeps who may read a file elsewhere.
    if os.name == "posix" and stat.S_ISREG(mode) and mode & 0o077 and not isinstance(held, Recipient):
        message = f"{os.fspath(path)} can be read by others; run: chmod 600 {shlex.quote(os.fspath(path))}"
        warnings.warn(message, KeyFileWarning, stacklevel=3)
    return held


def load_key(path: Place) -> Key:
    """The key of a key file; :class:`KeyFileError` if it says that it is for something else than files.

    A file that others can read is a :class:`KeyFileWarning`.
    """
    return _load(path, Key._for_files)


def load_identity(path: Place) -> Identity:
    """The identity of an identity file; one that others can read is a :class:`KeyFileWarning`."""
    return _load(path, Identity.from_text)


def load_recipient(path: Place) -> Recipient:
    """The public key of a recipient file."""
    return _load(path, Recipient.from_text)


def save(what: Key | Identity | Recipient, path: Place) -> None:
    """Write a new key file, which only its owner can read unless it is a recipient's.

    It never replaces a file: ``FileExistsError``.
    """
    mode = 0o666 if isinstance(what, Recipient) else 0o600
    with _appearing(path, overwrite=False, mode=mode) as file:
        file.write(what.to_text().encode())
