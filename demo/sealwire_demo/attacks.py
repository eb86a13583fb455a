# SPDX-License-Identifier: Apache-2.0
"""The attacker on the wire: damage to packets in flight, and packets of its own. Seeded, so that runs repeat."""

import random
from collections.abc import Callable, Sequence

from sealwire_model.end import OUTER
from sealwire_model.onlooker import suite_of
from sealwire_model.wire import ETHERTYPE, HEADER, ID, MAC, VERSION

from .rules import R_BYTES

#: Where the header's fields lie in an outer frame.
_TYPE, _SUITE, _LENGTH, _SID, _NUMBER = (OUTER + offset for offset in (0, 1, 2, 4, 8))
_SEALED = OUTER + HEADER
_ID, _R = _SEALED, _SEALED + ID  # of handshake messages


def _with(frame: bytes, offset: int, value: bytes) -> bytes:
    return frame[:offset] + value + frame[offset + len(value) :]


def _flip(rng: random.Random, frame: bytes, first: int, end: int) -> bytes:
    """Flips a bit, from byte `first` to before byte `end`."""
    bit = rng.randrange(8 * first, 8 * end)
    return _with(frame, bit // 8, bytes([frame[bit // 8] ^ 1 << bit % 8]))


class InFlight:
    """Damages packets on their way: in every 24 packets of a direction, each of ACTIONS happens once.

    `flip` hits one bit of ciphertext or tag, `header` one bit of the header, `pad` is harmless. Of two packets in a row
    at most one is lost: TCP waits twice as long after each loss of a segment, so a run of them would take minutes.
    """

    _PERIOD = 24
    LOSSES = ("drop", "flip", "header", "truncate")
    ACTIONS = (*LOSSES, "duplicate", "reorder", "pad")

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._plan: dict[str, dict[int, str]] = {}
        self._seen: dict[str, int] = {}

    def action(self, direction: str) -> str:
        """What happens to the next packet of this direction: one of ACTIONS or "pass"."""
        position = self._seen.get(direction, 0) % self._PERIOD
        if position == 0:
            self._plan[direction] = self._new_plan()
        self._seen[direction] = self._seen.get(direction, 0) + 1
        return self._plan[direction].get(position, "pass")

    def _new_plan(self) -> dict[int, str]:
        """Where in a period each action happens."""
        # Each loss takes its own place and the next one, which stays free of losses.
        losses = len(self.LOSSES)
        starts = sorted(self._rng.sample(range(self._PERIOD - losses), losses))
        places = [start + taken for taken, start in enumerate(starts)]
        self._rng.shuffle(places)
        free = [place for place in range(self._PERIOD) if place not in places]
        places += self._rng.sample(free, len(self.ACTIONS) - losses)
        return dict(zip(places, self.ACTIONS, strict=True))

    def damage(self, action: str, frame: bytes) -> bytes:
        """The frame after `flip`, `header`, `truncate` or `pad`; other actions do no damage."""
        if action == "flip":
            return _flip(self._rng, frame, _SEALED, len(frame))
        if action == "header":
            # The low bits of the packet number are left alone: they could make it that of a packet still in work, and
            # then two causes are both right. All other bits have one right answer.
            return _flip(self._rng, frame, _TYPE, _NUMBER + 6)
        if action == "truncate":
            return frame[: self._rng.randrange(OUTER, len(frame))]
        if action == "pad":
            return frame + bytes(self._rng.randrange(1, 47))
        return frame

    def delay(self) -> int:
        """How many later packets overtake one that is reordered."""
        return self._rng.randrange(1, 7)


def replays(rng: random.Random, seen: Sequence[bytes], count: int) -> list[bytes]:
    """Packets sent before: the oldest (behind the window), the latest (inside it) and some between."""
    third = max(1, count // 3)
    return [*seen[:third], *rng.choices(seen, k=third), *seen[-third:]]


def forgeries(rng: random.Random, seen: Sequence[bytes], each: int) -> list[bytes]:
    """Packets that nobody made: every header field wrong in turn, then the sealed part under fresh numbers."""
    suite = suite_of(seen[0])
    newest = max(int.from_bytes(frame[_NUMBER : _NUMBER + 8], "big") for frame in seen)

    def fresh(frame: bytes) -> bytes:
        return _with(frame, _NUMBER, (newest + rng.randrange(1, 1 << 20)).to_bytes(8, "big"))

    recipes: tuple[Callable[[bytes], bytes], ...] = (
        lambda f: _with(f, _TYPE, bytes([rng.choice([0, 1, 3, 15]) << 4])),  # another version
        lambda f: _with(f, _TYPE, bytes([VERSION << 4 | rng.randrange(1, 16)])),  # another type
        lambda f: _flip(rng, f, _SUITE, _SUITE + 1),
        lambda f: _with(f, _LENGTH, rng.randrange(suite.tag_bytes + 1).to_bytes(2, "big")),  # no room for tag and byte
        lambda f: _with(f, _LENGTH, (len(f) - _SEALED + rng.randrange(1, 9)).to_bytes(2, "big")),  # beyond the end
        lambda f: _flip(rng, f, _SID, _SID + 4),
        lambda f: _with(f, _NUMBER, rng.randrange(suite.n_max, 1 << 64).to_bytes(8, "big")),
        fresh,  # right but for the number, which is the nonce
        lambda f: _flip(rng, fresh(f), _SEALED, len(f) - suite.tag_bytes),
        lambda f: _flip(rng, fresh(f), len(f) - suite.tag_bytes, len(f)),
        lambda f: _with(fresh(f), _SEALED, rng.randbytes(len(f) - _SEALED)),  # random bytes throughout
        lambda f: fresh(_with(f, _LENGTH, (len(f) - _SEALED - 1).to_bytes(2, "big"))),  # one byte shorter, consistently
    )
    return [recipe(rng.choice(seen)) for recipe in recipes for _ in range(each)]


def forged_handshakes(rng: random.Random, seen: Sequence[bytes], each: int) -> list[bytes]:
    """Handshake messages that nobody made: each part of each message wrong in turn."""
    parts = ((_LENGTH, 2), (_SID, 4), (_NUMBER, 8), (_ID, ID), (_R, R_BYTES), (_R + R_BYTES, MAC))
    return [_flip(rng, frame, at, at + size) for frame in seen for at, size in parts for _ in range(each)]


def truncations(rng: random.Random, seen: Sequence[bytes], count: int) -> list[bytes]:
    """Packets cut anywhere behind the outer header."""
    return [frame[: rng.randrange(OUTER, len(frame))] for frame in rng.choices(seen, k=count)]


def reflections(seen: Sequence[bytes], outer: bytes) -> list[bytes]:
    """Packets of an end, addressed to itself as in `outer`."""
    return [outer[:OUTER] + frame[OUTER:] for frame in seen]


def strangers(rng: random.Random, outer: bytes, count: int) -> list[bytes]:
    """Frames of other protocols, and our EtherType around random bytes."""
    other = [outer[:12] + rng.choice([b"\x08\x00", b"\x86\xdd", b"\x88\xe5"]) + rng.randbytes(64) for _ in range(count)]
    noise = [outer[:12] + ETHERTYPE + rng.randbytes(rng.randrange(0, 200)) for _ in range(count)]
    return other + noise
