# SPDX-License-Identifier: Apache-2.0
"""The wire format of the executable specification: check values, worked messages, the library's AEAD, receive rules."""

import random
import re
from pathlib import Path

import pytest
from sealwire import AEAD
from sealwire_model import worked
from sealwire_model.end import End
from sealwire_model.schedule import Schedule, derive
from sealwire_model.suites import SUITES
from sealwire_model.wire import CONFIRM, HELLO, REPLY, Header, Window, header, message
from sealwire_model.worked import FRAME, HELLO_NUMBER, ID_I, ID_R
from support.worked_messages import FILES, of_suite

RULES = ["short", "version", "type", "suite", "length", "session", "number", "replay", "auth"]
DOCUMENT = Path(__file__).parents[2] / "docs" / "wire-format.md"
PSK, R_I, R_R = bytes(range(64)), bytes(range(0xA0, 0xC0)), bytes(range(0xC0, 0xE0))
#: Check values of version 1 of the specification.
CHECK = {
    1: {
        "macs": [
            "721f33cf62181489d34f7149ade735d7",
            "e4d435dbf61224fbf2e9971d95ccb1b3",
            "619a7f21b351015922ec9ecd28a043ae",
        ],
        "keys": ["2a8a56b8b8d07f2c", "8cfe55553fddb3c1"],
        "salts": ["5ce4f859202c0183", "d46277865933bbbd"],
        "keepalive": "10010021c0c1c2c30000000000000000"
        "bde63c66ebc2e9a2475e07be521323d60e5532a382b7ccab8a1cce75484affc013",
    },
    2: {
        "macs": [
            "221d43b9418903f5f56403646ad5370a",
            "4c8becc9754e8155cf6afe368a9732cb",
            "0edc06acbba6f3a8ffd92a91370e5955",
        ],
        "keys": ["576e6fe32c6603bb", "2ccfc911995edce9"],
        "salts": ["810a76264cb1a92e", "edcbb3871bc2ab18"],
        "keepalive": "10020021c0c1c2c30000000000000000"
        "bffe5e109de9ef826d7c5d8f8696f21d2b54f05dd31c8b962224506b69f24a0ba7",
    },
}  # fmt: skip


def ends(suite: int, version: int = 2) -> tuple[End, End]:
    pair = End(suite, ID_I, ID_R, version=version), End(suite, ID_R, ID_I, version=version)
    for end in pair:
        end.psk = worked.psk(suite)
        end.install(*worked.randoms(suite))
        assert end.alt
        end.promote(end.alt)
    return pair


@pytest.mark.parametrize("suite", CHECK)
def test_model_gives_the_check_values_of_version_1(suite: int) -> None:
    initiator, responder = ends(suite, 1)
    check = CHECK[suite]
    assert initiator.tx and initiator.rx
    macs = [
        derive(suite, PSK, ID_I, ID_R, c, chain, 1)[:16]
        for c, chain in ((0, R_I + bytes(32)), (4, R_I + R_R), (5, R_I + R_R))
    ]
    assert [mac.hex() for mac in macs] == check["macs"]
    assert [initiator.tx.key[:8].hex(), initiator.rx.key[:8].hex()] == check["keys"]
    assert [initiator.tx.salt[:8].hex(), initiator.rx.salt[:8].hex()] == check["salts"]
    if suite == 1:
        assert initiator.tx.ad.hex() == "7365616c7769726501010100c0c1c2c300000000000000010000000000000002"
    packet = initiator.seal(b"\0")
    assert packet.hex() == check["keepalive"]
    assert responder.receive(packet) == "keepalives_in"
    assert responder.receive(packet) == "drop_replay"


@pytest.mark.parametrize("suite", SUITES)
def test_model_gives_the_check_values_of_the_document(suite: int) -> None:
    rows = re.findall(
        r"^\| ([0-9a-f]{2}) ((?:\| [0-9a-f, ]+ ){5})\|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    values = {int(code, 16): [cell.strip() for cell in cells.split("|")[1:]] for code, cells in rows}
    if suite in (3, 4):  # key schedule and check values of suites 01 and 02, but for the suite's byte
        assert suite not in values
        return
    schedule, (r_i, r_r) = Schedule(suite, worked.psk(suite), ID_I, ID_R), worked.randoms(suite)
    macs = [schedule.hello_mac(r_i, HELLO_NUMBER), schedule.reply_mac(r_i, r_r), schedule.confirm_mac(r_i, r_r)]
    ways = schedule.directions(r_i, r_r)
    keys = ", ".join(way.key[:8].hex() for way in ways)
    assert values[suite] == [*(mac.hex() for mac in macs), keys, ", ".join(way.salt[:8].hex() for way in ways)]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("suite", SUITES)
def test_model_gives_the_worked_messages(suite: int, version: int) -> None:
    messages = of_suite(suite, version)
    schedule = Schedule(suite, worked.psk(suite), ID_I, ID_R, version)
    r_i, r_r = worked.randoms(suite)
    number = {1: 0, 2: 0xB0B1B2B3B4B5B6B7}[version]
    for name, kind, sid, sender, r, mac, count in (
        ("hello", HELLO, bytes(4), ID_I, r_i, schedule.hello_mac(r_i, number), number),
        ("hello-reply", REPLY, r_i[:4], ID_R, r_r, schedule.reply_mac(r_i, r_r), 0),
        ("confirm", CONFIRM, r_r[:4], ID_I, r_i, schedule.confirm_mac(r_i, r_r), 0),
    ):
        assert message(suite, kind, sid, sender, r, mac, count, version) == messages.pop(name)
    for end, way in zip(ends(suite, version), ("i-r", "r-i"), strict=True):
        assert end.tx
        assert end.tx.seal(0, b"\0") == messages.pop(f"keep-alive-{way}")
        assert end.tx.seal(1, FRAME) == messages.pop(f"frame-{way}")
    assert not messages


@pytest.mark.parametrize("version", [1, 2])
def test_model_writes_the_file_of_worked_messages(version: int) -> None:
    assert worked.text(version) == FILES[version].read_text(encoding="utf-8")


def test_the_version_enters_every_key_and_mac() -> None:
    """No output of the schedule is that of the other version, nor the MAC of a hello, nor the associated data."""
    for c in (*range(6), 0xFE, 0xFF):
        one, two = (derive(2, PSK, ID_I, ID_R, c, R_I + R_R, version) for version in (1, 2))
        assert one != two
    old, new = (Schedule(2, PSK, ID_I, ID_R, version) for version in (1, 2))
    assert old.hello_mac(R_I) != new.hello_mac(R_I)
    assert old.ad(1, b"abcd")[8] == 1 and new.ad(1, b"abcd")[8] == 2


def test_a_header_is_read_as_it_is_written() -> None:
    packet = header(0x12, 4660, b"abcd", 2**63 + 5, 0x23)
    assert Header.parse(packet + b"more") == (2, 3, 0x12, 4660, b"abcd", 2**63 + 5)
    assert Header.parse(b"\x10") == (1, 0, 0, 0, bytes(4), 0)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("size", [1, 14, 63, 64, 65, 128, 1500])
def test_model_agrees_with_the_library(suite: int, size: int) -> None:
    initiator, _ = ends(suite)
    assert initiator.tx
    message = random.randbytes(size)
    packet = initiator.seal(message)
    sealed = AEAD(SUITES[suite].scheme, initiator.tx.key).encrypt(
        initiator.tx.salt + bytes(8), message, initiator.tx.ad
    )
    assert packet[16:] == sealed


def test_the_window_holds_64_numbers() -> None:
    window = Window()
    window.mark(100)
    assert [window.stale(number) for number in (100, 99, 37, 36, 0, 101, 2**40)] == [
        True,
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    window.mark(37)
    assert window.stale(37) and window.next == 101
    window.mark(101)
    assert window.stale(37) and window.stale(100) and not window.stale(38)


@pytest.mark.parametrize("suite", SUITES)
def test_lengths_end_where_the_wire_format_says(suite: int) -> None:
    end, tag = ends(suite)[1], SUITES[suite].tag_bytes
    right = 24 + SUITES[suite].n // 2
    lengths = {0x20: (tag, tag + 1, tag + 9600, tag + 9601), 0x21: (right - 1, right, right + 1)}
    causes = {
        first: [end.receive(header(suite, size, b"none", 0, first) + bytes(size)) for size in sizes]
        for first, sizes in lengths.items()
    }
    assert causes == {
        0x20: ["drop_length", "drop_session", "drop_session", "drop_length"],
        0x21: ["drop_length", "drop_session", "drop_length"],
    }


def test_model_keeps_the_order_of_the_rules() -> None:
    """A packet that breaks a rule and all later ones is counted under the first."""
    initiator, responder = ends(2)
    good = initiator.seal(bytes(20))
    causes = []
    for first, suite, length, sid, number in [
        (0x15, 9, 60000, b"zzzz", 2**63), (0x15, 9, 1, b"zzzz", 2**63), (0x25, 9, 1, b"zzzz", 2**63),
        (0x20, 9, 1, b"zzzz", 2**63), (0x20, 2, 1, b"zzzz", 2**63), (0x20, 2, 52, b"zzzz", 2**63),
        (0x20, 2, 52, R_R[:4], 2**48),
    ]:  # fmt: skip
        causes.append(responder.receive(header(suite, length, sid, number, first) + bytes(52)))
    responder.receive(good)
    causes.append(responder.receive(good[:-1] + bytes([good[-1] ^ 1])))
    causes.append(responder.receive(header(2, 52, R_R[:4], 1) + bytes(52)))
    assert causes == [f"drop_{name}" for name in RULES]
