# SPDX-License-Identifier: Apache-2.0
"""The firmware's flash over power that fails at every byte: no value of R comes twice, no broken record is used.

The noise source is dead here, so R follows from seed, boot counter and call counter alone.
"""

import random
import struct

import host
import pytest

OLD = host.payload(b"old key." * 8, b"old seed" * 4)
NEW = host.payload(b"new key." * 8, b"new seed" * 4, local_id=b"\3" * 8)
PSK = {OLD: b"old key." * 8, NEW: b"new key." * 8}
LOG = 2 * host.SECTOR
ENTRY = 16
ERASE = host.SECTOR


def provisioned(content: bytes = OLD) -> host.Host:
    board = host.Host()
    board.board.noise = 0
    board.boot()
    assert board.say(host.provision(content)).endswith("ok\n")
    return board


class History:
    """All values of R ever seen of a board."""

    def __init__(self, board: host.Host, before: "History | None" = None) -> None:
        self.board, self.seen = board, set(before.seen if before else ())
        self.take()

    def take(self) -> list[bytes]:
        values = self.board.values()
        for value in values:
            assert value not in self.seen, "R repeats"
            self.seen.add(value)
        return values


def test_the_record_and_the_log_lie_in_flash_as_documented() -> None:
    board = provisioned()
    assert board.flash == host.blank(
        (0, host.record(OLD)),
        (host.SECTOR, host.record(OLD)),
        (LOG, host.entry(1) + host.entry(2)),
    )
    assert board.counter() == 2 and board.psk() == PSK[OLD]


def test_boots_from_a_record_of_somebody_elses_making() -> None:
    board = host.Host()
    board.flash = host.blank((host.SECTOR, host.record(NEW, 7, 100)), (LOG + host.SECTOR, host.entry(104)))
    board.boot(3)
    assert (board.state(), board.counter(), board.psk()) == (host.RUNS, 105, PSK[NEW])
    assert board.flash[: len(host.record(NEW))] == host.record(NEW, 7, 100), "the lost copy was not made again"


def test_every_boot_counts_and_no_value_repeats_over_150_boots() -> None:
    board = provisioned()
    history, last = History(board), board.counter()
    for _ in range(150):
        assert not board.boot(3)
        assert board.state() == host.RUNS and board.counter() == last + 1
        assert len(history.take()) == 3
        last = board.counter()
    assert board.board.strayed == 0, "the flash was written where the bitstream lies"


def test_power_that_fails_at_every_byte_of_a_boot_never_repeats_a_value() -> None:
    board = provisioned()
    history = History(board)
    torn = 0
    for _ in range(70):  # more than two sectors of the log
        before = board.flash
        budget = 0
        while True:
            board.flash = before
            failed = board.boot(2, budget)
            seen = History(board, history)
            if not failed:
                break
            torn += 1
            assert board.board.psk_commits == 0, "the link got its key before the counter stood"
            for _ in range(2):
                assert not board.boot(2)
                assert board.state() == host.RUNS
                assert len(seen.take()) == 2
            budget += 1 if budget < 40 or budget > ERASE - 40 else random.randrange(1, 60)
        history = seen
    assert torn > 70 * ENTRY


@pytest.mark.exhaustive
def test_power_that_fails_at_every_byte_of_a_change_of_sectors() -> None:
    board = provisioned()
    history = History(board)
    while board.flash[LOG + 31 * ENTRY : LOG + 32 * ENTRY] == b"\xff" * ENTRY:
        board.boot(1)
        history.take()
    before = board.flash
    for budget in range(ERASE + ENTRY):
        board.flash = before
        assert board.boot(2, budget)
        seen = History(board, history)
        board.boot(2)
        assert board.state() == host.RUNS and len(seen.take()) == 2


def test_power_that_fails_twice_in_a_row_never_repeats_a_value() -> None:
    board = provisioned()
    history = History(board)
    for first in range(ENTRY):
        for second in range(ENTRY):
            board.boot(1)
            history.take()
            assert board.boot(1, first)
            assert not board.values()
            assert board.boot(1, second)
            assert not board.values()
            if len(history.seen) % 7 == 0:
                board.boot(1)
                history.take()


def whole(board: host.Host, *allowed: bytes) -> int:
    """Boots; what runs has exactly one of the contents allowed. Returns the state."""
    assert not board.boot(1)
    if board.state() == host.RUNS:
        assert board.psk() in [PSK[content] for content in allowed]
        content = next(content for content in allowed if PSK[content] == board.psk())
        ids = struct.pack("<4I", *(board.board.link[i] for i in range(0x40 // 4, 0x50 // 4)))
        assert ids == content[:16], "a mixture of records"
    else:
        assert board.board.psk_commits == 0 and not board.values()
    return board.state()


def tears(board: host.Host, before: bytes, action, fine: int):
    """Repeats an action from one content of the flash; power fails at every byte of programs, at some of erases."""
    budget = 0
    while True:
        board.flash = before
        board.boot()
        if not action(budget):
            return
        yield budget
        left = budget % ERASE
        budget += 1 if left < 200 or left > ERASE - 200 else fine


@pytest.mark.parametrize("fine", [97, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("first", [True, False])
def test_power_that_fails_while_provisioning_leaves_the_old_record_or_the_new_one(first: bool, fine: int) -> None:
    board = host.Host() if first else provisioned(OLD)
    before, states = board.flash, set()
    allowed = (NEW,) if first else (OLD, NEW)
    for _ in tears(board, before, lambda budget: board.bytes(host.provision(NEW).encode() + b"\n", budget), fine):
        states.add(whole(board, *allowed))
        board.values()
    assert states <= ({host.RUNS, host.EMPTY, host.BROKEN, host.COUNTER_LOST} if first else {host.RUNS})
    assert whole(board, NEW) == host.RUNS


def test_provisioning_over_one_whole_copy_keeps_it_until_the_other_stands() -> None:
    board = host.Host()
    log = (LOG, host.entry(1))
    for copy in range(2):
        for budget in range(0, ERASE + len(host.record(NEW)), 61):
            board.flash = host.blank((copy * host.SECTOR, host.record(OLD)), log)
            board.board.writable = 0  # so that the lost copy is not made again
            board.boot()
            board.board.writable = 1
            assert board.bytes(host.provision(NEW).encode() + b"\n", budget)
            assert whole(board, OLD, NEW) == host.RUNS
            board.values()


@pytest.mark.parametrize("fine", [97, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_power_that_fails_in_a_zeroise_leaves_the_whole_record_or_none(fine: int) -> None:
    board = provisioned(OLD)
    before, states, first_gone = board.flash, set(), None
    for budget in tears(board, before, lambda budget: board.bytes(b"zeroise now\n", budget), fine):
        state = whole(board, OLD)
        states.add(state)
        if state != host.RUNS and first_gone is None:
            first_gone = budget
        board.values()
    assert states == {host.RUNS, host.BROKEN, host.EMPTY}
    assert first_gone is not None and first_gone <= 2 * 256, "the record outlives the zeros"
    assert whole(board) == host.EMPTY


def test_power_that_fails_while_a_copy_is_mended() -> None:
    board = provisioned(OLD)
    mixed = host.blank(
        (0, host.record(NEW, 2, 2)), (host.SECTOR, host.record(OLD, 1, 1)), (LOG, host.entry(1) + host.entry(2))
    )
    budget = 0
    while True:
        board.flash = mixed
        if not board.boot(0, budget):
            break
        assert whole(board, NEW) == host.RUNS
        board.values()
        budget += 1 if budget % ERASE < 200 else 61
    assert OLD[48:112] not in board.flash, "the old key is still there"


def test_a_flash_that_takes_no_writes_is_refused_before_key_and_random_value() -> None:
    board = provisioned()
    board.values()
    board.board.writable = 0
    board.boot(5)
    assert board.state() == host.WRITE_FAILED
    assert not board.values() and board.board.psk_commits == 0 and board.psk() == bytes(64)
    assert (board.board.running, board.board.refusing) == (0, 1)
    board.board.writable = 1
    board.boot(1)
    assert board.state() == host.RUNS


def test_a_flash_that_cannot_be_read_gives_no_device() -> None:
    board = provisioned()
    board.values()
    board.board.readable = 0
    board.boot(5)
    assert board.state() == host.EMPTY and not board.values() and board.board.psk_commits == 0


def test_no_bit_of_a_record_may_change() -> None:
    board = provisioned()
    good, size = board.flash, len(host.record(OLD))
    for bit in range(8 * size):
        spoilt = bytearray(good)
        spoilt[bit // 8] ^= 1 << bit % 8
        board.flash = bytes(spoilt)
        assert whole(board, OLD) == host.RUNS
        assert board.flash[:size] == host.record(OLD), "the spoilt copy was not made again"
        board.values()
        spoilt[host.SECTOR + (bit * 37 % size)] ^= 0x10
        board.flash = bytes(spoilt)
        assert whole(board) == host.BROKEN


def test_an_entry_of_the_log_that_rots_brings_no_value_back() -> None:
    board = provisioned()
    board.boot(2)
    history = History(board)
    good = board.flash
    at = LOG + ENTRY * (board.counter() - 1)
    assert good[at : at + ENTRY] == host.entry(board.counter())
    for bit in range(8 * ENTRY):
        spoilt = bytearray(good)
        spoilt[at + bit // 8] ^= 1 << bit % 8
        board.flash = bytes(spoilt)
        board.boot(2)
        seen = History(board, history)
        assert board.state() == host.RUNS and len(seen.seen) == len(history.seen) + 2


def test_a_lost_log_is_refused_until_another_seed_is_provisioned() -> None:
    for log in ((), ((LOG, host.entry(3)),)):
        board = host.Host()
        board.flash = host.blank((0, host.record(OLD, 1, 9)), (host.SECTOR, host.record(OLD, 1, 9)), *log)
        board.boot(3)
        assert board.state() == host.COUNTER_LOST and not board.values() and board.board.psk_commits == 0
        assert "error boot counter lost" in board.say(host.provision(OLD))
        assert not board.values()
        assert board.say(host.provision(NEW)).endswith("ok\n")
        assert board.counter() > 9


def test_the_last_value_of_the_counter_is_never_passed() -> None:
    board = host.Host()
    top = 0x7FFFFFFF
    board.flash = host.blank((0, host.record(OLD)), (host.SECTOR, host.record(OLD)), (LOG, host.entry(top - 2)))
    for value in (top - 1, top):
        board.boot(1)
        assert (board.state(), board.counter()) == (host.RUNS, value)
    board.values()
    board.boot(1)
    assert board.state() == host.COUNTER_SPENT and not board.values()


def test_a_seed_that_comes_again_after_a_zeroise_gives_other_values() -> None:
    board = provisioned()
    board.step(3)
    history = History(board)
    for _ in range(3):
        assert board.say("zeroise now") == "ok\n"
        assert board.say(host.provision(OLD)).endswith("ok\n")
        board.step(3)
        assert len(history.take()) == 3
