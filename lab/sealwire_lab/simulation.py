# SPDX-License-Identifier: Apache-2.0
"""Talks to the harness: queues commands for a simulated core, AEAD or MAC, and collects what came of them."""

import contextlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from . import build
from .cores import Core
from .coverage import collect
from .errors import LabError

SEAL, OPEN, LOAD_AD = 0, 1, 2
#: Operations of a MAC core.
COMPUTE, VERIFY = 0, 1
STALLS = ("none", "idle", "backpressure", "both")
#: Seconds that a simulation may take to save its coverage.
PATIENCE = 60
#: Exit status of one that could not.
UNSAVED = 3


@dataclass(frozen=True)
class Outcome:
    """What became of one command.  Edges are numbers of clock edges; `out_edge` is 0 when nothing came out."""

    done: bool
    ok: bool
    tag: bytes
    out: bytes
    accept_edge: int
    out_edge: int
    result_edge: int


@dataclass
class Report:
    """Everything since the last flush."""

    outcomes: list[Outcome] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    key_setup: list[int] = field(default_factory=list)
    states: list[str] = field(default_factory=list)


def _hex(string: bytes | None) -> str:
    return "." if string is None else string.hex() or "-"


def _text(string: bytes | Sequence[bytes] | None) -> str:
    """A string, or beats as given."""
    return _hex(string) if string is None or isinstance(string, bytes) else "".join(_hex(beat) + "," for beat in string)


def _bytes(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


class Simulation:
    """One simulated core.  Use as a context manager; commands queue up and run at `flush`."""

    def __init__(self, program: Path, seed: int = 1, plusargs: Sequence[str] = ()) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [program, str(seed), *plusargs], stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        self._queued = 0

    @classmethod
    def of(
        cls,
        core: Core,
        parameters: dict[str, int],
        seed: int = 1,
        plusargs: Sequence[str] = (),
        netlist: build.Netlist | None = None,
    ) -> Self:
        """Build (or find) the simulation of a core, or of its netlist, and start it; the model sees the `plusargs`."""
        return cls(build.simulation(core, parameters, netlist), seed, plusargs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the simulation; one that counts coverage ends by itself when its commands do, and saves its counts."""
        if collect.folder():
            self._end_of_commands()
        if self._process.poll() is None:
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                with contextlib.suppress(BrokenPipeError):  # it ended before it read all: flush says why
                    stream.close()
        self._process.wait()

    def _end_of_commands(self) -> None:
        assert self._process.stdin and self._process.stderr
        with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
            self._process.stdin.close()
            if self._process.wait(PATIENCE) == UNSAVED:
                raise LabError(self._process.stderr.read().strip())

    def send(self, line: str) -> None:
        """One command of the harness as text."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
        except (BrokenPipeError, OSError) as error:
            raise self._died() from error

    def stall(self, mode: str, seed: int = 1) -> None:
        """Pauses of sources (idle), sinks (backpressure), both or none, repeatable by the seed."""
        self.send(f"stall {mode} {seed}")

    def key(self, key: bytes) -> None:
        """Offer a key after the commands so far were accepted; commands queued later wait for it."""
        self.send(f"key {key.hex()}")

    def command(
        self,
        op: int,
        nonce: bytes = b"",
        ad: bytes | Sequence[bytes] | None = None,
        msg: bytes | Sequence[bytes] | None = None,
        tag: bytes | None = None,
        *,
        cached: bool = False,
        ctx: int = 0,
    ) -> int:
        """Queue a command; a string that is None is not sent.  Returns its place in the next report.

        AD or message is a string or beats as given, legal or not: a beat of more bytes than the port has puts what fits
        on it, and its length into `bytes`.
        """
        strings = f"{_text(ad)} {_text(msg)} {_hex(tag)}"
        self.send(f"tx {self._queued} {ctx} {op} {int(cached)} {_hex(nonce)} {strings}")
        self._queued += 1
        return self._queued - 1

    def seal(self, nonce: bytes, ad: bytes | None, msg: bytes, ctx: int = 0) -> int:
        """Queue a seal; `ad` None uses the cached AD."""
        return self.command(SEAL, nonce, ad, msg, cached=ad is None, ctx=ctx)

    def open(self, nonce: bytes, ad: bytes | None, msg: bytes, tag: bytes, ctx: int = 0) -> int:
        """Queue an open; `ad` None uses the cached AD."""
        return self.command(OPEN, nonce, ad, msg, tag, cached=ad is None, ctx=ctx)

    def load_ad(self, nonce: bytes, ad: bytes, ctx: int = 0) -> int:
        """Queue a load of the AD cache."""
        return self.command(LOAD_AD, nonce, ad, ctx=ctx)

    def compute(self, msg: bytes | Sequence[bytes]) -> int:
        """Queue the computation of a tag by a MAC core."""
        return self.command(COMPUTE, msg=msg)

    def verify(self, msg: bytes | Sequence[bytes], tag: bytes) -> int:
        """Queue a verification by a MAC core."""
        return self.command(VERIFY, msg=msg, tag=tag)

    def wait(self) -> None:
        """Later commands are offered only when all before are done."""
        self.send("wait")

    def flush(self) -> Report:
        """Run until everything is done and return it, in the order of the queue."""
        self.send("flush")
        self._queued = 0
        report = Report()
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.flush()
        except (BrokenPipeError, OSError) as error:
            raise self._died() from error
        for line in self._process.stdout:
            words = line.split()
            if words[0] == "end":
                return report
            if words[0] == "tx":
                tag, out = map(_bytes, words[4:6])
                edges = map(int, words[6:9])
                report.outcomes.append(Outcome(words[2] == "done", words[3] == "1", tag, out, *edges))
            elif words[0] == "key":
                report.key_setup.append(int(words[2]) - int(words[1]))
            elif words[0] == "state":
                report.states.append(words[1])
            elif words[0] == "violation":
                report.violations.append(f"edge {words[1]}: {' '.join(words[2:])}")
        raise self._died()

    def _died(self) -> LabError:
        code = self._process.wait()
        text = self._process.stderr.read().strip() if self._process.stderr else ""
        return LabError(f"the simulation ended early (exit {code}): {text.splitlines()[-1] if text else 'no message'}")


def parameters_text(parameters: dict[str, int]) -> str:
    """Parameters as people write them: KEY_BITS=512 NONCE_BITS=256 ..."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())
