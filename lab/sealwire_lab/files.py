# SPDX-License-Identifier: Apache-2.0
"""Files read and written, with one line for the user where that cannot be done."""

import contextlib
import fcntl
import hashlib
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .errors import LabError

#: A string, which may hold the marks of a comment, or a comment of SystemVerilog.
_STRING_OR_COMMENT = re.compile(rb'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def read(path: Path, hint: str = "") -> str:
    """The text of a file; `hint` ends the message when there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}{hint}") from error


def toml(path: Path, what: str = "valid TOML") -> dict[str, Any]:
    """The table in a file; `what` it should be ends the message where it is none."""
    return parsed(path, read(path), what)


def parsed(path: Path, text: str, what: str = "valid TOML") -> dict[str, Any]:
    """The table in the text of a file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{path} is not {what}: {error}") from error


def source(path: Path) -> bytes:
    """The bytes of a source."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise LabError(f"cannot read the source {path}: {error.strerror}") from error


def content_hash(path: Path) -> str:
    """Names the bytes of a file."""
    return hashlib.sha256(source(path)).hexdigest()


def sources_hash(sources: Iterable[Path], read: Callable[[Path], bytes] = source) -> str:
    """Names the content of files in their order; machine and folder do not matter.

    Of SystemVerilog what a synthesis sees counts: comments and spacing are left out, so that a better comment makes no
    measurement older.
    """
    state = hashlib.sha256()
    for path in sources:
        content = read(path)
        if path.suffix in (".sv", ".v"):
            content = b" ".join(_STRING_OR_COMMENT.sub(rb"\1 ", content).split())
        state.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return state.hexdigest()


def write(path: Path, content: str | bytes) -> Path:
    """Put a file into its place, whole or not at all; its folder is made where there is none."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_bytes(content.encode() if isinstance(content, str) else content)
        scratch.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise LabError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def check_room(folder: Path) -> None:
    """Complain early about a folder that cannot be written, or be made."""
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryDirectory(dir=above):
            pass
    except OSError as error:
        why = error.strerror if above.is_dir() else f"{above} is not a folder"
        raise LabError(f"cannot write into {folder}: {why}; name another place") from error


def forms(folder: Path, **more: Any) -> Environment:
    """Jinja with the templates of a folder; everything that they name must have its value."""
    more = {"trim_blocks": True, "keep_trailing_newline": True} | more
    return Environment(loader=FileSystemLoader(folder), undefined=StrictUndefined, **more)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock `path`; processes that want it wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def write_all(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    """Put files into a folder by their names there; others in it are left alone."""
    for name, content in contents.items():
        write(folder / name, content)
