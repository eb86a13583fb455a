# SPDX-License-Identifier: Apache-2.0
"""The model of the link against the check values of the specification and against the Rust library's AEAD."""

import random
from pathlib import Path

import link_model
import pytest
from link_end import End
from link_model import CONFIRM, HELLO, REPLY, SUITES, Schedule, derive

ID_I, ID_R = (1).to_bytes(8, "big"), (2).to_bytes(8, "big")
RULES = ["short", "version", "type", "suite", "length", "session", "number", "replay", "auth"]
PSK, R_I, R_R = bytes(range(64)), bytes(range(0xA0, 0xC0)), bytes(range(0xC0, 0xE0))
#: A handshake, its keep-alives and this frame each way, printed by an independent executable model.
WORKED = Path(__file__).parents[2] / "crates" / "sealwire-link" / "tests" / "data" / "worked-messages.txt"
FRAME = bytes((7 * i + 3) % 256 for i in range(60))
#: Check values of the specification.
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


def worked(suite: int) -> dict[str, bytes]:
    """The worked messages of a suite by name."""
    lines = (line.split() for line in WORKED.read_text().splitlines() if not line.startswith("#"))
    return {name: bytes.fromhex(text) for code, name, text in lines if int(code, 16) == suite}


def ends(suite: int) -> tuple[End, End]:
    pair = End(suite, ID_I, ID_R), End(suite, ID_R, ID_I)
    for end in pair:
        end.psk = PSK
        end.install(R_I, R_R)
        assert end.alt
        end.promote(end.alt)
    return pair


@pytest.mark.parametrize("suite", CHECK)
def test_model_gives_the_check_values(suite: int) -> None:
    initiator, responder = ends(suite)
    check = CHECK[suite]
    assert initiator.tx and initiator.rx
    macs = [
        derive(suite, PSK, ID_I, ID_R, c, chain)[:16]
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
def test_model_gives_the_worked_messages(suite: int) -> None:
    messages, schedule = worked(suite), Schedule(suite, PSK, ID_I, ID_R)
    for name, kind, sid, sender, r, mac in (
        ("hello", HELLO, bytes(4), ID_I, R_I, schedule.hello_mac(R_I)),
        ("hello-reply", REPLY, R_I[:4], ID_R, R_R, schedule.reply_mac(R_I, R_R)),
        ("confirm", CONFIRM, R_R[:4], ID_I, R_I, schedule.confirm_mac(R_I, R_R)),
    ):
        assert link_model.message(suite, kind, sid, sender, r, mac) == messages.pop(name)
    for end, way in zip(ends(suite), ("i-r", "r-i"), strict=True):
        assert end.tx
        assert end.tx.seal(0, b"\0") == messages.pop(f"keep-alive-{way}")
        assert end.tx.seal(1, FRAME) == messages.pop(f"frame-{way}")
    assert not messages


@pytest.mark.parametrize("suite", CHECK)
@pytest.mark.parametrize("size", [1, 14, 63, 64, 65, 128, 1500])
def test_model_agrees_with_the_library(suite: int, size: int) -> None:
    sealwire = pytest.importorskip("sealwire")
    initiator, _ = ends(suite)
    assert initiator.tx
    message = random.randbytes(size)
    aead = {1: sealwire.OMDSHA512, 2: sealwire.OMDBLAKE2b}[suite](initiator.tx.key)
    packet = initiator.seal(message)
    assert packet[16:] == aead.encrypt(initiator.tx.salt + bytes(8), message, initiator.tx.ad)


def test_model_keeps_the_order_of_the_rules() -> None:
    """A packet that breaks a rule and all later ones is counted under the first."""
    initiator, responder = ends(2)
    good = initiator.seal(bytes(20))
    causes = []
    for first, suite, length, sid, number in [
        (0x25, 9, 60000, b"zzzz", 2**63), (0x25, 9, 1, b"zzzz", 2**63), (0x15, 9, 1, b"zzzz", 2**63),
        (0x10, 9, 1, b"zzzz", 2**63), (0x10, 2, 1, b"zzzz", 2**63), (0x10, 2, 52, b"zzzz", 2**63),
        (0x10, 2, 52, R_R[:4], 2**48),
    ]:  # fmt: skip
        causes.append(responder.receive(link_model.header(suite, length, sid, number, first) + bytes(52)))
    responder.receive(good)
    causes.append(responder.receive(good[:-1] + bytes([good[-1] ^ 1])))
    causes.append(responder.receive(link_model.header(2, 52, R_R[:4], 1) + bytes(52)))
    assert causes == [f"drop_{name}" for name in RULES]
