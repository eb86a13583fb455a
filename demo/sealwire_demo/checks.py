# SPDX-License-Identifier: Apache-2.0
"""Everything that must hold after the job. Each check can fail; the tests make each kind fail once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sealwire_model import onlooker

from .bench import Bench
from .ends import ENDS
from .job import Course
from .pcap import read_frames
from .rules import CAUSES, DELIVERED, HANDSHAKE, KEEPALIVE
from .wire import OTHER
from .worker import MARKER

#: Of a counter of frames that the trusted side gave and the link dropped.
SENDER_DROP = "drop_trusted_"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    detail: str


def all_checks(bench: Bench, course: Course) -> list[Check]:
    """The checks of a finished job, in the order of the report."""
    accepted = {name: _accepted(bench, name) for name in ENDS}
    totals = [
        check
        for name in ENDS
        for check in (_balance(bench, course, name, accepted[name][0]), _causes(bench, course, name))
    ]
    deliveries = [_deliveries(bench, name, *accepted[name]) for name in ENDS]
    last = [*_release(course), _numbers(bench), *_secrecy(bench)]
    return [*_answers(course), _peace(course), *totals, *deliveries, *last]


def _answers(course: Course) -> list[Check]:
    sent = sum(pings.sent for pings in course.pings)
    answered = sum(len(pings.round_trips_ms) for pings in course.pings)
    checks = [Check("every ping is answered", sent == answered, f"{answered} of {sent}")]
    for transfer in course.transfers:
        detail = transfer.error or f"SHA-256 {transfer.received_sha256[:16]}…, {transfer.bytes:,} bytes"
        if not transfer.error and not transfer.unchanged:
            detail += f"; sent was {transfer.sent_sha256[:16]}…"
        checks.append(Check(f"the file sent {transfer.name} arrives unchanged", transfer.unchanged, detail))
    return checks


def _peace(course: Course) -> Check:
    """Without an attacker nothing at all is dropped."""
    drops = {
        f"{end.upper()} {counter}": value
        for end, stats in course.stages["peace"].items()
        for counter, value in stats["counters"].items()
        if counter.startswith("drop_") and value
    }
    detail = ", ".join(f"{name} {value}" for name, value in drops.items()) or "no drop at either end"
    return Check("no packet is dropped in peace", not drops, detail)


def _balance(bench: Bench, course: Course, name: str, accepted: list[bytes]) -> Check:
    stats: dict[str, Any] = course.final[name]
    c = stats["counters"]
    drops = sum(c[f"drop_{cause}"] for cause in CAUSES)
    sender_drops = sum(value for counter, value in c.items() if counter.startswith(SENDER_DROP))
    is_simulated = stats["core_cycles"] > 0
    # A gateway takes frames that are shorter than those of a line, which adds to them what is missing.
    padding = sum(max(0, bench.least - len(frame)) for frame in accepted)
    equations: Sequence[tuple[str, int, int | None]] = (
        ("untrusted in = delivered + keep-alives + handshakes + drops", c["untrusted_in"],
         c["delivered"] + c["keepalives_in"] + c["handshakes_in"] + drops),
        ("trusted in = sealed + drops", c["trusted_in"], c["sealed"] + sender_drops),
        ("untrusted out = sealed + keep-alives + handshakes", c["untrusted_out"],
         c["sealed"] + c["keepalives_out"] + c["handshakes_out"]),
        ("packets from the wire = untrusted in", stats["packets_in"], c["untrusted_in"] if is_simulated else None),
        ("frames from the trusted side = trusted in", stats["frames_in"], c["trusted_in"]),
        ("bytes from the trusted side = trusted in", stats["bytes_in"], c.get("trusted_in_bytes")),
        ("frames to the trusted side = delivered", stats["frames_out"], c["delivered"]),
        ("bytes to the trusted side = delivered", stats["bytes_out"], c["delivered_bytes"] + padding),
        ("packets to the wire = untrusted out", bench.wire.traffic[name].packets, c["untrusted_out"]),
    )  # fmt: skip
    equations = [equation for equation in equations if equation[2] is not None]  # what a gateway does not count
    wrong = [f"{text}: {left} against {right}" for text, left, right in equations if left != right]
    if not stats["session_up"]:
        wrong.append("the session is gone")
    if (c["sessions_installed"], c["sessions_taken"]) != (1, 1):
        wrong.append(f"{c['sessions_installed']} sessions, {c['sessions_taken']} taken, in place of one")
    detail = "; ".join(wrong) or f"{len(equations)} equations, {c['untrusted_in'] + c['trusted_in']:,} packets in"
    return Check(f"totals of end {name.upper()} balance", not wrong, detail)


def _causes(bench: Bench, course: Course, name: str) -> Check:
    """Each drop counter equals what an onlooker without keys expects from the packets on the wire."""
    c = course.final[name]["counters"]
    expected = bench.receivers[name].counts
    drops = [f"drop_{cause}" for cause in CAUSES]
    rows = [(each, expected[each]) for each in (*drops, DELIVERED, KEEPALIVE, HANDSHAKE)]
    rows += [(counter, 0) for counter in c if counter.startswith(SENDER_DROP)]
    wrong = [f"{counter} is {c[counter]}, expected {value}" for counter, value in rows if c[counter] != value]
    dropped = sum(expected[drop] for drop in drops)
    return Check(
        f"end {name.upper()} drops exactly what it must, by cause",
        not wrong,
        "; ".join(wrong) or f"{dropped} packets dropped, {expected[DELIVERED]:,} delivered, every cause as expected",
    )


def _accepted(bench: Bench, name: str) -> tuple[list[bytes], str]:
    """The frames that went in at the other end and that `name` must deliver, in the order of their packets.

    None, and why, if they cannot be told.
    """
    peer = OTHER[name]
    made = [frame for frame in bench.wire.traffic[peer].frames if onlooker.carries_frame(frame)]
    entered = read_frames(bench.ends[peer].trusted_in)
    if len(made) != len(entered):
        return [], f"{len(entered)} frames went in, {len(made)} packets carried them"
    inner = {onlooker.link_packet(packet): frame for packet, frame in zip(made, entered, strict=True)}
    return [inner[packet] for packet in bench.receivers[name].accepted], ""


def _deliveries(bench: Bench, name: str, expected: list[bytes], trouble: str) -> Check:
    """The frames that left at `name` went in at the other end, byte for byte, in the order of their packets."""
    left = read_frames(bench.ends[name].trusted_out)
    title = f"what leaves at {name.upper()} went in at {OTHER[name].upper()}, each frame once"
    if trouble:
        return Check(title, False, trouble)
    for number, (frame, wanted) in enumerate(zip(left, expected, strict=False)):
        if frame != wanted.ljust(bench.least, b"\0"):
            return Check(title, False, f"frame {number} is another: {frame[:20].hex()}…")
    if len(left) != len(expected):
        return Check(title, False, f"{len(left)} frames left, {len(expected)} were expected")
    return Check(title, True, f"{len(left):,} frames compared byte for byte, in order")


def _release(course: Course) -> list[Check]:
    """Of the packets that were followed, no byte left before the verdict on the whole packet."""
    if not course.trips:
        return []
    cycles = [life.release_cycles for trip in course.trips for life in trip]
    detail = f"{len(cycles)} packets followed: first byte {min(cycles)} to {max(cycles)} core cycles after the verdict"
    return [Check("no byte leaves before its packet is verified", min(cycles) > 0, detail)]


def _numbers(bench: Bench) -> Check:
    """No nonce twice: each end numbers the packets of a session 0, 1, 2, ..."""
    wrong, total = [], 0
    for name, traffic in bench.wire.traffic.items():
        data = [onlooker.header(frame) for frame in traffic.frames if onlooker.is_data(frame)]
        total += len(data)
        for sid in {head.sid for head in data}:
            numbers = [head.number for head in data if head.sid == sid]
            if numbers != list(range(len(numbers))):
                wrong.append(f"end {name.upper()} does not count up from 0")
    return Check(
        "every packet has its own number, so its own nonce", not wrong, "; ".join(wrong) or f"{total:,} packets"
    )


def _secrecy(bench: Bench) -> list[Check]:
    """Nothing of the plaintext is on the wire; the control shows that the search would find it."""
    wire = read_frames(bench.capture)
    secrets = {f"the MAC address of {name.upper()}": end.tap_mac_bytes for name, end in ENDS.items()}
    secrets["the marker"] = MARKER
    found = [what for what, secret in secrets.items() if any(secret in frame for frame in wire)]
    trusted = [frame for end in bench.ends.values() for frame in read_frames(end.trusted_in)]
    nothing = f"no marker, no inner MAC address in {len(wire):,} captured frames"
    control = {what: sum(secret in frame for frame in trusted) for what, secret in secrets.items()}
    return [
        Check("no plaintext on the wire", not found, f"{', '.join(found)} found" if found else nothing),
        Check(
            "the same search finds it on the trusted side (control)",
            all(control.values()),
            f"marker in {control['the marker']:,} of {len(trusted):,} frames",
        ),
    ]
