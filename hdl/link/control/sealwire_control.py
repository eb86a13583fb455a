# SPDX-License-Identifier: Apache-2.0
"""Control of a Sealwire link over its registers, for host software and for the tests. Guide: docs/control.md.

    from sealwire_control import Control, mapped

    control = Control(*mapped("/dev/uio0"))
    control.configure(local_id, peer_id, local_mac, peer_mac)
    control.load_psk(psk)
    print(control.fields("status"), control.counters())

Addresses and fields come from generated/sealwire_link_regs.py; nothing here knows a number.
"""

from __future__ import annotations

import ctypes
import mmap
import time
from collections.abc import Callable
from pathlib import Path

from generated.sealwire_link_regs import REGISTERS, SIZE

Read = Callable[[int], int]  # byte address to 32-bit word
Write = Callable[[int, int], None]  # byte address, 32-bit word


class ControlError(Exception):
    """What is at the address is not a link, a value has a wrong size, or the link refused a command."""


def mapped(path: str, offset: int = 0) -> tuple[Read, Write]:
    """Access to registers that a file maps into memory (/dev/uio0, or /dev/mem with the link's address as `offset`)."""
    with Path(path).open("r+b", buffering=0) as file:
        words = (ctypes.c_uint32 * (SIZE // 4)).from_buffer(mmap.mmap(file.fileno(), SIZE, offset=offset))

    def write(address: int, value: int) -> None:
        words[address // 4] = value

    return lambda address: int(words[address // 4]), write


class Control:
    """One link."""

    def __init__(self, read: Read, write: Write, patience: float = 1.0) -> None:
        """`patience`: seconds that anything may take."""
        self._read, self._write, self._patience = read, write, patience
        if self.get("identity") != REGISTERS["identity"].resets["value"]:
            raise ControlError(f"no link here: identity is {self.get('identity'):#010x}")
        if self.fields("version")["major"] != REGISTERS["version"].resets["major"]:
            raise ControlError(f"register map {self.fields('version')['major']} is not the one known here")

    def get(self, name: str) -> int:
        """A register. Of 64 bits the low word is read first: it holds the high one."""
        register = REGISTERS[name]
        value = self._read(register.address)
        return value if register.bits == 32 else value | self._read(register.address + 4) << 32

    def fields(self, name: str) -> dict[str, int]:
        """All fields of a register."""
        value = self.get(name)
        return {field: value >> low & (1 << bits) - 1 for field, (low, bits) in REGISTERS[name].fields.items()}

    def put(self, name: str, **fields: int) -> None:
        """Write a register: the fields given, all others 0."""
        known = REGISTERS[name].fields
        self._write(REGISTERS[name].address, sum(value << known[field][0] for field, value in fields.items()))

    def put_words(self, name: str, data: bytes) -> None:
        """A string into an array of words, byte 0 in the low byte of word 0."""
        register = REGISTERS[name]
        if len(data) != 4 * register.count:
            raise ControlError(f"{name}: {len(data)} bytes given, must be {4 * register.count}")
        for i in range(register.count):
            self._write(register.address + 4 * i, int.from_bytes(data[4 * i : 4 * i + 4], "little"))

    def counters(self) -> dict[str, int]:
        """All counters by name. Each is exact; at rest they also balance."""
        return {name.removeprefix("counters."): self.get(name) for name in REGISTERS if name.startswith("counters.")}

    def wait(self, name: str, **fields: int) -> None:
        """Until fields of a register have these values.  Raises ControlError after some time."""
        end = time.monotonic() + self._patience
        while any(self.fields(name)[field] != value for field, value in fields.items()):
            if time.monotonic() > end:
                raise ControlError(f"{name} is {self.fields(name)}, not {fields}")

    def configure(
        self,
        local_id: bytes,
        peer_id: bytes,
        local_mac: bytes,
        peer_mac: bytes,
        *,
        handshake: bool = True,
        cycles_per_ms: int = 100_000,
        t_rekey_ms: int = 120_000,
        t_max_ms: int = 180_000,
    ) -> None:
        """Settings, then a restart of the link with them. Ids are 8 bytes, MAC addresses 6."""
        self.put_words("local_id", local_id)
        self.put_words("peer_id", peer_id)
        for name, address in ("local_mac", local_mac), ("peer_mac", peer_mac):
            if len(address) != 6:
                raise ControlError(f"{name}: {len(address)} bytes given, must be 6")
            self.put(f"{name}.low", bytes=int.from_bytes(address[:4], "little"))
            self.put(f"{name}.high", bytes=int.from_bytes(address[4:], "little"))
        self.put("control", handshake=int(handshake))
        self.put("millisecond", cycles=cycles_per_ms)
        self.put("t_rekey", ms=t_rekey_ms)
        self.put("t_max", ms=t_max_ms)
        self.put("command", restart=1)
        self.wait("status", resetting=0)
        self.put("events", was_reset=1)

    def _commit(self, name: str, data: bytes) -> None:
        self.put_words(f"{name}.word", data)
        self.put("command", **{f"commit_{name}": 1})
        if self.fields("events")[f"{name}_incomplete"]:
            self.put("events", **{f"{name}_incomplete": 1})
            raise ControlError(
                f"{name}: the link was reset or zeroised meanwhile, or holds one that it did not need yet"
            )

    def load_psk(self, psk: bytes, number: int | None = None) -> None:
        """Hand over the pre-shared key: as many random bytes as suite_sizes.psk says.

        The initiator's hellos get the numbers above `number`, which must be more than every number that it had under
        this key, over resets and restarts too. Without one it is the time in nanoseconds since 1970.
        """
        number = time.time_ns() if number is None else number
        if not 0 <= number < 1 << 63:
            raise ControlError(f"the number is {number}, must be 0 to 2^63 - 1")
        self.put_words("hello_number", number.to_bytes(8, "little"))
        self._commit("psk", psk)
        self.wait("status", psk_pending=0)

    def give_random(self, value: bytes) -> None:
        """32 fresh random bytes for this end's next handshake; wanted when status.random_wanted is 1."""
        self._commit("random", value)

    def load_session(self, values: bytes) -> None:
        """Install key i->r || key r->i || salt i->r || salt r->i || sid_i || sid_r. Never the same keys twice."""
        self.wait("status", load_ready=1)
        self.put("events", session_loaded=1, session_refused=1)
        self.put_words("session.word", values)
        self.put("command", commit_session=1)
        end = time.monotonic() + self._patience
        while not (events := self.fields("events"))["session_loaded"]:
            if events["session_refused"] or time.monotonic() > end:
                raise ControlError("the link refused the session: handshakes on, ids or session ids bad, or no answer")

    def zeroise(self) -> None:
        """Forget keys and sessions."""
        self.put("command", zeroise=1)
        self.wait("status", busy=0)
