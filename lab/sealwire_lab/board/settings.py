# SPDX-License-Identifier: Apache-2.0
"""What a board is provisioned with, as its console takes it: docs/firmware.md has the record."""

import hashlib
import re
import secrets
import stat
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from sealwire_model.stanzas import key_id

from ..errors import LabError

PSK_BYTES = 64
_LINK = 2  # the code of a key's purpose
#: Milliseconds, as a gateway has them: the least age for new keys, and how much longer a session lives at least.
_LEAST_REKEY, _LEAST_REST, _MOST = 4_000, 4_000, 2**32 - 1
#: Of a key file: that of any other kind of file is no key.
_LONGEST = 4096


def identity(text: str) -> bytes:
    """The 8 bytes of an id, 1 to 16 hexadecimal digits as in a gateway's configuration."""
    if not re.fullmatch("[0-9a-fA-F]{1,16}", text) or not int(text, 16):
        raise LabError(f"{text!r} is no id: 1 to 16 hexadecimal digits, not all 0")
    return int(text, 16).to_bytes(8, "big")


def mac(text: str) -> bytes:
    """The 6 bytes of one station's Ethernet address."""
    if not re.fullmatch("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}", text):
        raise LabError(f"{text!r} is no Ethernet address; one is 02:00:5e:10:00:07")
    given = bytes.fromhex(text.replace(":", ""))
    if given[0] & 1 or not any(given):
        raise LabError(f"{text} is not the Ethernet address of a single station")
    return given


def derived_mac(own: bytes, peer: bytes) -> bytes:
    """An address for a board that was given none: the same for the same ids, and marked as local."""
    found = bytearray(hashlib.blake2s(b"sealwire board" + own + peer).digest()[:6])
    found[0] = found[0] & 0xFC | 2
    return bytes(found)


def key(path: Path) -> bytes:
    """The pre-shared key from a file of `sealwire link keygen`.  Messages hold nothing of it."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise LabError(f"{path} is not a regular file")
        if state.st_mode & 0o077:
            raise LabError(f"others than its owner can read {path}; say `chmod 600 {path}`")
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}") from error
    lines = [line.strip() for line in text.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    digits = [line for line in lines if b":" not in line]
    if len(text) > _LONGEST or len(digits) != 1 or not re.fullmatch(rb"[0-9a-fA-F]{%d}" % (2 * PSK_BYTES), digits[0]):
        raise LabError(
            f"{path} does not hold one line of {2 * PSK_BYTES} hexadecimal digits; `sealwire link keygen FILE` makes it"
        )
    psk = bytes.fromhex(digits[0].decode("ascii"))
    fields = [tuple(part.strip() for part in line.split(b":", 1)) for line in lines if b":" in line]
    if any(field not in ((b"purpose", b"link"), (b"id", key_id(_LINK, psk).hex().encode())) for field in fields):
        raise LabError(f"{path} is no key of a link, or its digits are not those that it was made with")
    return psk


@dataclass(frozen=True)
class Settings:
    """All but the seed; `psk` is in no text made of this.  Times are in milliseconds.

    Without a pre-shared key the board makes no handshakes, and takes the sessions that a host loads.
    """

    local_id: bytes
    peer_id: bytes
    local_mac: bytes
    peer_mac: bytes
    t_rekey: int
    t_max: int
    psk: bytes | None

    def __post_init__(self) -> None:
        if self.local_id == self.peer_id:
            raise LabError("both ends have one id; give them different ones")
        if self.local_mac == self.peer_mac:
            raise LabError("both ends have one Ethernet address; give them different ones")
        if not _LEAST_REKEY <= self.t_rekey <= self.t_max - _LEAST_REST or self.t_max > _MOST:
            raise LabError("new keys come after at least 4 s, and a session ends at least 4 s later")
        if self.psk is not None and len(set(self.psk)) == 1:
            raise LabError("the key's bytes are all alike; `sealwire link keygen FILE` makes one at random")

    def __repr__(self) -> str:
        return "Settings(...)"

    def command(self) -> str:
        """The console's command, with a seed that no other command has."""
        content = self.local_id + self.peer_id + self.local_mac + self.peer_mac
        content += (
            struct.pack("<II", self.t_rekey, self.t_max) + (self.psk or bytes(PSK_BYTES)) + secrets.token_bytes(32)
        )
        return f"provision {content.hex()} {zlib.crc32(content):08x}"
