# SPDX-License-Identifier: Apache-2.0
"""The C port on each machine: what it needs, how it is built, and how its calls are run and checked."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

HERE = Path(__file__).parent
VECTORS = HERE.parent / "vectors"
BUILD = HERE.parent / "build" / "embedded"
TAG = 16


@dataclass(frozen=True)
class Machine:
    name: str
    target: str
    tools: tuple[str, ...]
    packages: str
    command: tuple[str, ...]
    key_lengths: tuple[int, ...] = (16, 32)

    def missing(self) -> str | None:
        """One line that says which tools the host lacks, or None."""
        lacking = [tool for tool in self.tools if not (shutil.which(tool) or Path(tool).exists())]
        if not lacking:
            return None
        return f"{self.name}: the host lacks {', '.join(lacking)} (Debian: apt install {self.packages})"

    def build(self) -> None:
        BUILD.mkdir(parents=True, exist_ok=True)
        # Tests in several processes make the same programs: one at a time, or one runs what another is still writing.
        with (BUILD / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            subprocess.run(
                ["make", "--silent", "-C", str(HERE), self.target, f"BUILD={BUILD}"],
                check=True,
                env={**os.environ, "MAKEFLAGS": ""},
            )

    def start(self) -> Runner:
        command = list(self.command)
        if self.target == "avr":
            symbols = avr_symbols(BUILD / "otr.elf")
            command += [f"{symbols['sealwire_otr_' + name]:x}" for name in ("set_key", "seal", "open", "clear")]
        return Runner(command)


AVR_TOOLS = ("avr-gcc", "avr-nm", "avr-size", "cc", "/usr/include/simavr/sim_avr.h", "/usr/include/libelf.h")
AVR_PACKAGES = "gcc-avr avr-libc libsimavr-dev libelf-dev"
ARM_TOOLS = ("arm-linux-gnueabihf-gcc", "qemu-arm")
ARM_PACKAGES = "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user"
MACHINES = {
    machine.name: machine
    for machine in (
        Machine("host-2", "host", ("cc", "make"), "gcc make", (str(BUILD / "run-host-2"),)),
        Machine("host-8", "host", ("cc", "make"), "gcc make", (str(BUILD / "run-host-8"),)),
        Machine("armv7", "arm", ARM_TOOLS, ARM_PACKAGES, ("qemu-arm", str(BUILD / "run-arm-2"))),
        Machine("armv7-neon", "arm", ARM_TOOLS, ARM_PACKAGES, ("qemu-arm", str(BUILD / "run-arm-8"))),
        Machine("avr", "avr", AVR_TOOLS, AVR_PACKAGES, (str(BUILD / "run-avr"), str(BUILD / "otr.elf")), (16,)),
    )
}


def avr_symbols(elf: Path) -> dict[str, int]:
    listing = subprocess.run(["avr-nm", str(elf)], check=True, capture_output=True, text=True).stdout
    return {name: int(address, 16) for address, kind, name in map(str.split, listing.splitlines()) if kind in "Tt"}


class RefusedError(Exception):
    """The runner says why a call cannot be made, for example that it is larger than the machine's memory."""


@dataclass(frozen=True)
class Answer:
    authentic: bool
    text: bytes
    tag: bytes
    cycles: int
    key_cycles: int
    stack: int


class Runner:
    """A process that makes calls of the port, one a line (harness/protocol.h)."""

    def __init__(self, command: list[str]) -> None:
        self.command = " ".join(command)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait()
        if status and error is None:
            raise RuntimeError(f"{self.command} ended with status {status}")

    def _call(self, verb: str, *fields: bytes) -> Answer:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(verb, *(field.hex() or "-" for field in fields), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline().strip()
        if line.startswith("error "):
            raise RefusedError(line.removeprefix("error "))
        if not line:
            raise RuntimeError(f"{self.command} died of a {verb} of {len(fields[3])} bytes")
        word, *hexadecimal, cost = line.split()
        text, tag = (bytes.fromhex("" if field == "-" else field) for field in hexadecimal)
        cycles, key_cycles, stack = map(int, cost.split(","))
        return Answer(word == "ok", text, tag, cycles, key_cycles, stack)

    def seal(self, key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> Answer:
        return self._call("seal", key, nonce, ad, plaintext)

    def open(self, key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes) -> Answer:
        return self._call("open", key, nonce, ad, ciphertext, tag)


@dataclass(frozen=True)
class Record:
    """A known answer. Long ones are known by head, tail and hash."""

    name: str
    key: bytes
    nonce: bytes
    ad: bytes
    plaintext: bytes
    sealed: bytes | None
    digest: str | None

    def agrees(self, sealed: bytes) -> bool:
        if self.sealed is not None:
            return sealed == self.sealed
        return len(sealed) == len(self.plaintext) + TAG and hashlib.sha256(sealed).hexdigest().upper() == self.digest


def records(file: Path) -> Iterator[Record]:
    for block in file.read_text().split("\n\n"):
        field = dict(line.split(" =", 1) for line in block.splitlines() if " =" in line and not line.startswith("#"))
        field = {name: value.strip() for name, value in field.items()}
        if "Count" not in field:
            continue
        data = {name: bytes.fromhex(field.get(name, "")) for name in ("Key", "Nonce", "AD", "PT", "CT")}
        sealed: bytes | None = data["CT"]
        for name in ("AD", "PT"):
            if f"{name}Len" in field:
                data[name] = bytes((7 * i + 3) % 256 for i in range(int(field[f"{name}Len"])))
                sealed = None
        yield Record(
            f"{file.name} {field['Count']}",
            data["Key"],
            data["Nonce"],
            data["AD"],
            data["PT"],
            sealed,
            field.get("CTSHA256"),
        )


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def check(runner: Runner, record: Record) -> str | None:
    """None if sealing gives the answer, opening the plaintext, and a flipped bit anywhere zeros."""
    r, size = record, len(record.plaintext)
    sealed = runner.seal(r.key, r.nonce, r.ad, r.plaintext)
    if not r.agrees(sealed.text + sealed.tag):
        return f"{r.name}: sealing gives another ciphertext or tag"
    opened = runner.open(r.key, r.nonce, r.ad, sealed.text, sealed.tag)
    if not opened.authentic or opened.text != r.plaintext:
        return f"{r.name}: opening does not give the plaintext"
    bit = 8 * size + len(r.ad)  # any, but not always the same
    wrong = [
        (r.nonce, r.ad, sealed.text, flipped(sealed.tag, bit % 128)),
        (flipped(r.nonce, bit % 96), r.ad, sealed.text, sealed.tag),
    ]
    if r.ad:
        wrong.append((r.nonce, flipped(r.ad, bit % (8 * len(r.ad))), sealed.text, sealed.tag))
    if size:
        wrong.append((r.nonce, r.ad, flipped(sealed.text, bit * 5 % (8 * size)), sealed.tag))
        wrong.append((r.nonce, r.ad, sealed.text[:-1], sealed.tag))
    for nonce, ad, text, tag in wrong:
        forged = runner.open(r.key, nonce, ad, text, tag)
        if forged.authentic or any(forged.text):
            return f"{r.name}: a forgery was opened, or its buffer not wiped"
    return None
