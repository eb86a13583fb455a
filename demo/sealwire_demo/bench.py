# SPDX-License-Identifier: Apache-2.0
"""The test bench: both ends and the wire between them. Taken down whatever happens."""

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from sealwire_lab.errors import LabError
from sealwire_model.onlooker import Receiver

from .ends import ENDS, INITIATOR, PSK_BYTES, LinkEnd, Trusted
from .pcap import ETHERNET
from .wire import OTHER, Wire

_REST_SECONDS = 30.0
_POLL_SECONDS = 0.01

Stats = dict[str, dict[str, Any]]


class Bench:
    """Two ends and a wire. Use as a context; then `start`, and `settle` whenever everything should be at rest."""

    def __init__(
        self, programs: dict[str, list[str]], suite: int, out: Path, least: int = 0, is_timed: bool = True
    ) -> None:
        """`programs` are the commands of both ends; frames on lines have `least` bytes or more.

        `is_timed`: both ends are simulations with a time of their own.
        """
        from scapy.utils import RawPcapWriter  # here: scapy takes a while to load

        self.capture = out / "wire.pcap"
        self.least, self.is_timed = least, is_timed
        self.exit_status: dict[str, int] = {}
        self._stopped = False
        self._stack = ExitStack()
        self._writer = writer = self._stack.enter_context(RawPcapWriter(str(self.capture), ETHERNET, endianness="<"))
        pairs = {name: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for name in ENDS}
        self._far = {name: pair[1] for name, pair in pairs.items()}
        self.receivers = {name: Receiver(suite, end.id_bytes, ENDS[OTHER[name]].id_bytes) for name, end in ENDS.items()}
        self.wire = Wire({name: pair[0] for name, pair in pairs.items()}, writer, self.receivers, least)
        self.ends: dict[str, LinkEnd] = {}
        self._programs, self._out = programs, out

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, trusted: Callable[[str], Trusted]) -> None:
        """Start each end, whose trusted side goes by its name, then the wire, and wait for a session."""
        for name, end in ENDS.items():
            peer, wire = ENDS[OTHER[name]], self._far[name]
            self.ends[name] = LinkEnd(self._programs[name], end, peer, wire, self._out, trusted(name))
        self.wire.start()
        for far in self._far.values():
            far.close()
        psk = secrets.token_bytes(PSK_BYTES)
        # A simulated responder must hold its key before a hello comes. A gateway reads none before it has started, and
        # forgets what it answered after ten seconds, which a board may take to boot.
        responder_first = (OTHER[INITIATOR], INITIATOR)
        for name in responder_first if self.is_timed else reversed(responder_first):
            self.ends[name].load_key(psk)
        deadline = time.monotonic() + _REST_SECONDS
        while not all(stats["session_up"] for stats in self.stats().values()):
            if time.monotonic() > deadline:
                raise LabError(f"the links have no session after {_REST_SECONDS:.0f} s; state: {self.stats()}")
            time.sleep(_POLL_SECONDS)

    def stats(self) -> Stats:
        return {name: end.stats() for name, end in self.ends.items()}

    def settle(self) -> Stats:
        """Waits until every packet has arrived or been dropped at both ends; the state then."""
        deadline = time.monotonic() + _REST_SECONDS
        before: Stats = {}
        while time.monotonic() < deadline:
            if self.wire.failure:
                raise LabError(f"the wire broke: {self.wire.failure}")
            empty = self.wire.empty()
            now = self.stats()
            if empty and all(self._at_rest(name, now[name]) for name in now):
                if before and all(now[name]["counters"] == before[name]["counters"] for name in now):
                    self._writer.flush()
                    return now
                before = now
            else:
                before = {}
            time.sleep(_POLL_SECONDS)
        raise LabError(f"the links have not come to rest within {_REST_SECONDS:.0f} s; state: {self.stats()}")

    def _at_rest(self, name: str, stats: dict[str, Any]) -> bool:
        sent, received = self.wire.traffic[name], self.wire.traffic[OTHER[name]]
        return bool(stats["idle"]) and stats["packets_out"] == sent.packets and stats["packets_in"] == received.relayed

    def stop(self) -> None:
        """Ends both host processes; namespaces and TAP interfaces go with them. A second call does nothing."""
        if self._stopped:
            return
        self._stopped = True
        for far in self._far.values():
            far.close()
        for name, end in self.ends.items():
            self.exit_status[name] = end.stop()
        if self.wire.ident is not None:
            self.wire.stop()
        self._stack.close()
