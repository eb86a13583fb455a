# SPDX-License-Identifier: Apache-2.0
"""The firmware's hash, checksum, console and boot on the host."""

import hashlib
import itertools
import random
import struct
import zlib

import host
import pytest
from generated.sealwire_link_regs import REGISTERS

PSK, SEED = bytes(range(100, 164)), bytes(range(7, 39))
CONTENT = host.payload(PSK, SEED)
PROVISION = host.provision(CONTENT)


def provisioned() -> host.Host:
    board = host.Host()
    board.boot()
    assert board.say(PROVISION).endswith("ok\n")
    return board


def word(board: host.Host, register: str) -> int:
    return int(board.board.link[REGISTERS[register].address // 4])


def leaks(text: str, *more: bytes) -> bool:
    """Whether four bytes of a secret stand in a text, as hexadecimal or as they are."""
    raw = text.encode()
    return any(
        secret[i : i + 4].hex() in text or secret[i : i + 4] in raw
        for secret in (PSK, SEED, *more)
        for i in range(len(secret) - 3)
    )


def remembers(board: host.Host, secret: bytes) -> bool:
    """Whether eight bytes of a secret stand in the firmware's variables."""
    start, end = (
        host.ctypes.addressof(host.ctypes.c_char.in_dll(board.c, f"__{side}_firmware_bss"))
        for side in ("start", "stop")
    )
    memory = host.ctypes.string_at(start, end - start)
    parts = [secret[i : i + 8] for i in range(len(secret) - 7)]
    return any(part in memory or part.hex().encode() in memory for part in parts)


# ---- hash and checksum


def digest(key: bytes | None, data: bytes) -> bytes:
    out = bytes(32)
    host.library().host_hash(key, data, len(data), out)
    return out


def test_blake2s_gives_the_answer_of_rfc_7693() -> None:
    assert digest(None, b"abc").hex() == "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"


def test_blake2s_agrees_with_another_one_at_every_length_with_and_without_key() -> None:
    for length in range(200):
        data, key = random.randbytes(length), random.randbytes(32)
        assert digest(None, data) == hashlib.blake2s(data).digest()
        assert digest(key, data) == hashlib.blake2s(data, key=key).digest()


def test_the_checksum_is_that_of_ieee_802_3() -> None:
    crc = host.library().crc32
    assert crc(b"123456789", 9) & 0xFFFFFFFF == 0xCBF43926
    for length in range(70):
        data = random.randbytes(length)
        assert crc(data, length) & 0xFFFFFFFF == zlib.crc32(data)


# ---- boot


def test_random_values_are_the_documented_hash() -> None:
    board = provisioned()
    board.board.noise = 0
    board.boot(2)
    expected = [
        hashlib.blake2s(b"sealwire board R" + struct.pack("<II", board.counter(), call) + bytes(128), key=SEED).digest()
        for call in (1, 2)
    ]
    assert board.values()[-2:] == expected


def test_noise_goes_into_every_random_value() -> None:
    board = provisioned()
    found = set()
    for noise in (0, 1):
        board.flash = host.blank(*((host.SECTOR * i, host.record(CONTENT)) for i in range(2)), (8192, host.entry(5)))
        board.values()
        board.board.noise = noise
        board.boot(3)
        found |= set(board.values())
    assert len(found) == 6


def test_without_any_noise_the_device_runs_all_the_same_and_says_so() -> None:
    board = provisioned()
    board.board.noise = 2
    board.boot(2)
    assert board.state() == host.RUNS and len(set(board.values())) >= 2
    assert "noise_alarm 1\n" in board.say("status")
    assert (board.board.running, board.board.refusing) == (1, 1)


def test_a_new_alarm_costs_a_boot_counter_before_the_next_random_value_and_leaves_the_link_alone() -> None:
    board = provisioned()
    board.board.link_takes = 0
    board.step(2)
    first, commits = board.counter(), board.board.psk_commits
    board.values()
    for alarms in (1, 2):
        board.board.noise = 0
        board.step()
        assert board.counter() == first + alarms and host.entry(first + alarms) in board.flash
        assert len(set(board.values())) == 1, "the value that waited is gone"
        board.board.waits = 0
        board.step(3)
        assert board.counter() == first + alarms, "an alarm that stays is counted once"
        board.board.noise = 1
        board.step()
        board.values()
    assert board.board.psk_commits == commits and board.state() == host.RUNS


def test_an_alarm_that_was_cleared_and_comes_again_is_a_new_one() -> None:
    board = provisioned()
    board.board.noise = 0
    board.step()
    first = board.counter()
    assert board.say("noise clear") == "ok\n"
    board.step()
    assert board.counter() == first + 1


def test_an_alarm_while_a_random_value_is_made_keeps_it_back() -> None:
    board = provisioned()
    board.step(2)
    board.values()
    first, board.board.noise = board.counter(), 3
    board.step()
    assert board.counter() == first and not board.values()
    board.step()
    assert board.counter() == first + 1 and len(board.values()) == 1


def test_an_alarm_whose_boot_counter_is_not_written_ends_the_random_values() -> None:
    board = provisioned()
    board.values()
    board.board.noise, board.board.writable = 0, 0
    board.step(3)
    assert board.state() == host.WRITE_FAILED and not board.values() and board.psk() == bytes(64)


def test_a_power_failure_while_an_alarm_is_counted_repeats_no_random_value() -> None:
    size = len(host.entry(1))
    for budget in range(size):
        board = provisioned()
        board.step(2)
        seen = board.values()
        board.board.noise, board.board.budget = 0, budget
        assert board.c.host_step(1)
        board.board.noise = 1
        board.boot(2)
        later = board.values()
        assert later and not set(seen) & set(later)


def test_the_link_gets_settings_key_and_a_hello_number_above_all_before() -> None:
    board = provisioned()
    last = 0
    for _ in range(3):
        board.boot(1)
        registers = {
            name: word(board, name) for name in ("control", "millisecond", "t_rekey", "t_max", "local_mac.low")
        }
        assert registers == {
            "control": 1, "millisecond": 100_000, "t_rekey": 120_000, "t_max": 180_000, "local_mac.low": 2,
        }  # fmt: skip
        assert [board.board.link[(0x40 + 4 * i) // 4] for i in range(4)] == [0x01010101] * 2 + [0x02020202] * 2
        assert (word(board, "local_mac.high"), word(board, "peer_mac.high")) == (0x0100, 0x0200)
        address = REGISTERS["hello_number"].address // 4
        number = board.board.link[address] | board.board.link[address + 1] << 32
        assert number == board.counter() << 32 and number > last
        last = number
        assert board.psk() == PSK and board.board.psk_commits == 1


def test_the_link_gets_a_new_random_value_only_when_it_took_the_last() -> None:
    board = provisioned()
    board.values()
    board.board.link_takes = 0
    board.step(5)
    assert len(board.values()) == 1
    board.board.waits = 0
    board.step(5)
    assert len(board.values()) == 1


@pytest.mark.parametrize("what", ["link_there", "key_refused"])
def test_a_link_that_is_not_there_or_takes_no_key_is_refused(what: str) -> None:
    board = provisioned()
    board.values()
    setattr(board.board, what, int(what == "key_refused"))
    board.boot(3)
    assert board.state() == host.NO_LINK and not board.values() and board.psk() == bytes(64)
    assert "state no link\n" in board.say("status")


def test_a_link_that_was_reset_is_brought_up_with_a_new_boot_counter() -> None:
    board = provisioned()
    before = board.counter()
    board.c.host_link_reset()
    board.later(2000)
    board.step(2)
    assert board.counter() == before + 1 and board.psk() == PSK


def test_every_phy_that_answers_offers_gigabit_full_duplex_alone() -> None:
    board = host.Host()
    board.board.phys[0], board.board.phys[1] = 0b11, 1 << 21
    board.boot()
    for bus, phy in ((0, 0), (0, 1), (1, 21)):
        registers = board.board.phy[bus][phy]
        assert (registers[0], registers[4], registers[9]) == (0x1200, 0x0001, 0x0200)
    assert sum(board.board.phy[bus][phy][9] != 0 for bus in range(2) for phy in range(32)) == 3
    assert "phys 3\n" in board.say("status")


def test_cables_are_phys_with_a_link_at_this_moment() -> None:
    board = host.Host()
    board.board.phys[0], board.board.phys[1] = 0b111, 1 << 21
    board.board.slow[0] = 0b100
    board.board.cables[0], board.board.cables[1] = 0b110, 1 << 21
    board.boot()
    told = board.say("status")
    assert "phys 3\n" in told and "cables 2\n" in told, "one that knows no gigabit does not count"
    board.board.phy[0][1][1] = 0  # a link that fell and came again in between
    assert "cables 2\n" in board.say("status")
    board.board.cables[0] = 0
    assert "cables 1\n" in board.say("status")


# ---- button and zeroise


def test_the_button_zeroises_after_three_seconds_once() -> None:
    board = provisioned()
    board.board.button = 1
    board.step()
    board.later(2800)
    board.step()
    board.board.button = 0
    board.step(2)
    board.board.button = 1
    board.step()
    board.later(2800)
    board.step()
    assert board.state() == host.RUNS, "two short presses count as a long one"
    board.later(300)
    board.step()
    assert board.state() == host.EMPTY and board.psk() == bytes(64)
    assert board.flash[: 2 * host.SECTOR] == b"\xff" * 2 * host.SECTOR
    zeroises = board.board.zeroises
    board.later(10_000)
    board.step(5)
    assert board.board.zeroises == zeroises
    board.boot(2)
    assert board.state() == host.EMPTY


def test_a_zeroise_leaves_no_secret_in_memory_and_gives_no_more_random_values() -> None:
    board = provisioned()
    board.step()
    assert board.say("zeroise now") == "ok\n"
    board.values()
    board.step(5)
    assert not board.values() and board.board.board_zeroises and board.board.zeroises
    assert not remembers(board, PSK) and not remembers(board, SEED)


def test_a_zeroise_that_the_flash_does_not_take_is_said() -> None:
    board = provisioned()
    board.board.writable = 0
    assert board.say("zeroise now") == "error not erased\n"
    assert board.state() == host.NOT_ERASED and board.psk() == bytes(64)
    assert (board.board.running, board.board.refusing) == (0, 1)


# ---- console


def test_help_status_and_counters_answer_and_end_with_ok() -> None:
    board = provisioned()
    for index, name in enumerate(name for name in REGISTERS if name.startswith("counters.")):
        address = REGISTERS[name].address // 4
        board.board.link[address], board.board.link[address + 1] = index * 1000, index
    board.board.lines[:] = 7, 0, 2**32 - 1, 1
    lines = board.say("counters").splitlines()
    expected = [
        f"{name.removeprefix('counters.')} {(index << 32) + index * 1000}"
        for index, name in enumerate(name for name in REGISTERS if name.startswith("counters."))
    ]
    of_lines = ["trusted_line 7", "trusted_underrun 0", f"untrusted_line {2**32 - 1}", "untrusted_underrun 1"]
    assert lines == [*expected, *of_lines, "ok"]
    assert board.say("status").splitlines()[:2] == ["state runs", "boot 2"]
    commands = board.say("help").splitlines()
    assert commands[-1] == "ok" and "provision HEX CRC" in commands


def test_noise_gives_raw_words_that_follow_one_another() -> None:
    board = host.Host()
    board.boot()
    *words, end = board.say("noise").split()
    assert end == "ok" and len(words) == 2048
    for a, b in itertools.pairwise(words):
        assert int(b, 16) == (int(a, 16) * 1664525 + 1013904223) & 0xFFFFFFFF


def test_no_secret_comes_back_and_nothing_is_echoed() -> None:
    board = host.Host()
    board.boot()
    said = board.say(PROVISION)
    for line in (
        "status",
        "counters",
        "help",
        PROVISION[:-1],
        PROVISION + " ",
        PROVISION.replace("provision", "show"),
        "x",
    ):
        said += board.say(line)
    said += board.say("zeroise now") + board.say("status")
    assert not leaks(said)
    assert leaks(PROVISION)


@pytest.mark.parametrize(
    "wrong",
    [
        {"local_id": bytes(8)}, {"peer_id": bytes(8)}, {"peer_id": b"\1" * 8}, {"local_mac": b"\1" + bytes(5)},
        {"psk": b"\xff" * 64}, {"seed": bytes(32)},
        {"t_rekey": 3999}, {"t_rekey": 180_000}, {"t_max": 3000},
        {"t_rekey": 0xFFFFFFFF, "t_max": 0xFFFFFFFF}, {"t_rekey": 0xFFFFFFFE, "t_max": 2},
    ],
)  # fmt: skip
def test_settings_that_the_link_cannot_use_are_refused(wrong: dict[str, object]) -> None:
    board = host.Host()
    board.boot()
    settings = {"psk": PSK, "seed": SEED, **wrong}
    assert board.say(host.provision(host.payload(**settings))).startswith("error ids must differ")  # type: ignore[arg-type]
    assert board.flash == host.blank() and board.state() == host.EMPTY


def held(board: host.Host) -> tuple[bytes, ...]:
    """What the flash, the link's registers and those of the PHYs hold."""
    return board.flash, bytes(board.board.link), bytes(board.board.phy)


def test_random_bytes_change_nothing() -> None:
    board = provisioned()
    before = held(board)
    for _ in range(300):
        board.bytes(random.randbytes(random.randrange(1, 700)) + b"\n")
        letters = b"provision session zeroise now noise clear status counters help 0123456789abcdef \n"
        board.bytes(bytes(random.choices(letters, k=random.randrange(1, 400))))
    board.bytes(b"\n")
    board.output()
    assert held(board) == before and board.state() == host.RUNS and board.psk() == PSK


def test_nothing_but_a_whole_command_provisions_or_zeroises() -> None:
    board = provisioned()
    other = host.provision(host.payload(bytes(range(64)), bytes(range(32)), local_id=b"\7" * 8))
    before = held(board)
    spoilt = [other[:i] + chr(ord(other[i]) ^ 1 << random.randrange(7)) + other[i + 1 :] for i in range(len(other))]
    spoilt += [other[:i] for i in range(len(other))] + [other[:i] + other[i + 1 :] for i in range(0, len(other), 3)]
    spoilt += [other + "0", " " + other, other.upper(), other[:20] + other, other.replace(" ", "\t")]
    spoilt += ["zeroise", "zeroise no", "zeroise now ", " zeroise now", "zeroise  now", "Zeroise now", "xzeroise now"]
    for line in spoilt:
        answer = board.say(line)
        assert held(board) == before, line
        assert "error" in answer or not line, line
    assert board.say(other).endswith("ok\n") and held(board) != before
    assert board.say("zeroise now") == "ok\n"


def test_a_line_without_end_is_forgotten() -> None:
    board = provisioned()
    board.bytes(b"zeroise now" * 100)
    assert board.say("") == "error line of no command\n"
    assert board.say("zeroise now") == "ok\n"


# ---- sessions that a host loads

SESSION = hashlib.shake_128(b"session").digest(184)


def without_key() -> host.Host:
    """A board that has no pre-shared key, and so takes sessions."""
    board = host.Host()
    board.boot()
    assert board.say(host.provision(host.payload(bytes(64), SEED))).endswith("ok\n")
    return board


def test_a_record_without_key_makes_a_link_without_handshakes_that_takes_sessions() -> None:
    board = without_key()
    for _ in range(2):
        assert board.state() == host.RUNS and word(board, "control") == 0 and board.board.psk_commits == 0
        assert {"session 0", "handshake 0"} <= set(board.say("status").splitlines())
        assert board.say(host.command("session", SESSION)) == "ok\n"
        assert board.session() == SESSION and "session 1\n" in board.say("status")
        board.boot(1)
        assert board.session() == bytes(184), "no session outlives its boot"


def test_status_tells_a_sessions_age_and_what_went_each_way() -> None:
    board = without_key()
    for name, value in (
        ("session_age", 1234), ("counters.session_sent", 56), ("counters.delivered", 7), ("counters.keepalives_in", 8),
    ):  # fmt: skip
        board.board.link[REGISTERS[name].address // 4] = value
    board.board.link[REGISTERS["capabilities"].address // 4] = 0x11
    told = {"age 1234", "sealed 56", "heard 15", "suite 17", f"ids {'01' * 8} {'02' * 8}"}
    assert told <= set(board.say("status").splitlines())


def test_with_a_key_sessions_come_by_handshake_alone() -> None:
    board = provisioned()
    assert "handshake 1\n" in board.say("status")
    assert board.say(host.command("session", SESSION)).startswith("error there is a pre-shared key")
    assert board.session() == bytes(184) and word(board, "session.word") == 0


def test_an_empty_board_takes_no_session() -> None:
    board = host.Host()
    board.boot()
    assert board.say(host.command("session", SESSION)).startswith("error nothing runs")


def test_a_session_that_the_link_refuses_is_said_to_be_refused() -> None:
    board = without_key()
    one_key = SESSION[:64] * 2 + SESSION[128:]
    assert board.say(host.command("session", one_key)).startswith("error the link does not take")
    board.board.link_loads = 0
    assert board.say(host.command("session", SESSION)).startswith("error the link does not take")
    assert board.session() == bytes(184)


def test_nothing_but_a_whole_command_loads_a_session() -> None:
    board = without_key()
    whole = host.command("session", SESSION)
    spoilt = [whole[:i] + chr(ord(whole[i]) ^ 1 << random.randrange(7)) + whole[i + 1 :] for i in range(len(whole))]
    spoilt += [whole[:i] for i in range(len(whole))] + [whole + "0", " " + whole, whole.upper(), whole[:20] + whole]
    for line in spoilt:
        assert "error" in board.say(line) or not line, line
        assert board.board.sessions == 0, line
    assert board.say(whole) == "ok\n"


def test_a_loaded_session_stands_nowhere_but_in_the_link() -> None:
    board = without_key()
    said = board.say(host.command("session", SESSION)) + board.say("status") + board.say("counters")
    assert not leaks(said, SESSION) and not remembers(board, SESSION)
    assert SESSION[:4] not in board.flash
    board.say("zeroise now")
    assert board.session() == bytes(184) and board.state() == host.EMPTY
