# SPDX-License-Identifier: Apache-2.0
"""One packet at a time through an otherwise quiet link, with the simulation's own clock as the watch."""

from dataclasses import dataclass

from sealwire_lab.errors import LabError

from .bench import Bench
from .traffic import Traffic

PING_BYTES = 56  # payload of an echo request
PROBE_BYTES = (118, 1398)  # frames of 160 and 1440 bytes: 3 and 23 blocks of 64
BLOCK_BYTES = 64
_HEADERS = 42  # Ethernet, IPv4, ICMP
_ATTEMPTS = 4

#: Stages of a packet's life by what the host saw, at the sender and at the receiver.
_STAGES = "{} first beat,{} last beat,{} begin,{} end,{} first beat,{} last beat"
SENDER_EVENTS, RECEIVER_EVENTS = (
    tuple(_STAGES.format(a, a, b, b, c, c).split(","))
    for a, b, c in (("trusted_in", "seal", "untrusted_out"), ("untrusted_in", "open", "trusted_out"))
)


@dataclass(frozen=True)
class Stamp:
    """A moment of one end's simulation."""

    ps: int
    cycle: int  # of the core clock


@dataclass(frozen=True)
class Life:
    """One frame from the trusted side of one end to that of the other."""

    frame_bytes: int
    sender: dict[str, Stamp]
    receiver: dict[str, Stamp]

    @property
    def blocks(self) -> int:
        return -(-self.frame_bytes // BLOCK_BYTES)

    @property
    def seal_cycles(self) -> int:
        return self.sender["seal end"].cycle - self.sender["seal begin"].cycle

    @property
    def open_cycles(self) -> int:
        return self.receiver["open end"].cycle - self.receiver["open begin"].cycle

    @property
    def release_cycles(self) -> int:
        """From the verdict, which ends the opening, to the first byte that leaves. Never negative in a safe link."""
        return self.receiver["trusted_out first beat"].cycle - self.receiver["open end"].cycle

    @property
    def microseconds(self) -> float:
        """From the first beat into one link to the last beat out of the other, with a wire of no length."""
        there = self.sender["untrusted_out last beat"].ps - self.sender["trusted_in first beat"].ps
        here = self.receiver["trusted_out last beat"].ps - self.receiver["untrusted_in first beat"].ps
        return (there + here) / 1e6


#: An echo request and its reply.
RoundTrip = tuple[Life, Life]


def _stamps(events: list[tuple[str, int, int]], wanted: tuple[str, ...], end: str) -> dict[str, Stamp]:
    stamps = {what: Stamp(ps, cycle) for what, ps, cycle in reversed(events) if what in wanted}  # the first of each
    missing = [what for what in wanted if what not in stamps]
    if missing:
        raise LabError(f"end {end.upper()} showed no {', '.join(missing)} for a packet that came through")
    return stamps


def probe(bench: Bench, traffic: Traffic, size: int) -> RoundTrip:
    """Follows one echo request of `size` payload bytes, and its reply, through both ends."""
    for _ in range(_ATTEMPTS):
        bench.settle()
        for end in bench.ends.values():
            end.start_trace()
        traffic.ping(1, size)
        bench.settle()
        events = {name: end.stop_trace() for name, end in bench.ends.items()}
        # An ARP probe in between would blur the picture: then once more.
        entered = [sum(what == "trusted_in last beat" for what, _, _ in each) for each in events.values()]
        if entered == [1, 1]:
            sent, received = (
                {name: _stamps(seen, wanted, name) for name, seen in events.items()}
                for wanted in (SENDER_EVENTS, RECEIVER_EVENTS)
            )
            return Life(size + _HEADERS, sent["a"], received["b"]), Life(size + _HEADERS, sent["b"], received["a"])
    raise LabError("no quiet moment for a probe packet")


def cycles_per_block(trips: list[RoundTrip]) -> tuple[float, float]:
    """Core cycles for one more 64-byte block when sealing and when opening, from a short and a long packet."""
    (short, _), (long, _) = trips[0], trips[-1]
    blocks = long.blocks - short.blocks
    return (long.seal_cycles - short.seal_cycles) / blocks, (long.open_cycles - short.open_cycles) / blocks
