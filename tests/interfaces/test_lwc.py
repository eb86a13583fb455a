# SPDX-License-Identifier: Apache-2.0
"""Behaviour of AEAD cores behind the LWC hardware API: one pytest test for each cocotb test and variant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from interface_top import build_top, variants, vector_file
from sealwire_lab import cores, kat, lwc
from sealwire_lab.cli import main
from support import hdl_bench

ROOT = hdl_bench.ROOT
BEHAVIOURS = hdl_bench.cocotb_tests("lwc_behaviours")
IN_SHARES = hdl_bench.cocotb_tests("lwc_shares_behaviours")
STORE_BYTES = 1024
REPLAY = ["replays_vector_files", "replays_vector_files_under_stalls"]
#: Without pauses of the test's own and without long messages: what a slow simulation can afford.
SOME = [
    *REPLAY,
    "joins_segments_of_any_length",
    "refuses_malformed_inputs_under_stalls",
    "releases_nothing_of_a_forgery",
]
#: What depends on the width beside the answers: where segments end, what is wrong, what a reset finds.
WIDTH = [
    *SOME,
    "joins_a_string_that_ends_with_an_empty_segment",
    "refuses_malformed_inputs",
    "refuses_other_instructions",
    "refuses_messages_until_there_is_a_good_key",
    "starts_anew_after_a_reset_in_mid_message",
    "rst_wipes_every_register_and_the_store",
]

#: (core, parameter set, W, behaviours).  Every width of the bus on a core that is quick to build and to run.
FAST = [
    ("omd-blake2b-f", "k512n256tau256v2", 32, BEHAVIOURS),
    ("otr-aes128-s-r1", "v3", 8, WIDTH),
    ("otr-aes128-s-r1", "v3", 16, WIDTH),
    ("otr-aes128-p-r1", "v3", 32, [*REPLAY, "releases_nothing_of_a_forgery"]),
    ("otr-aes128-s-r1", "v3", 64, WIDTH),
    ("otr-aes128-s-r1", "v3", 128, WIDTH),
    ("pomd-blake2b-f", "k512n256tau256", 64, [*REPLAY, "refuses_ad_longer_than_its_fifo"]),
    ("ascon-aead128-r1", "", 32, REPLAY),
    ("ocb-aes128-p2", "taglen128v1", 32, REPLAY),
    ("deoxysii-128-p2", "256v143", 64, REPLAY),
    ("deoxysi-128-p2", "128v143", 32, REPLAY),
    ("scream12-p2", "", 32, REPLAY),
    ("colm-aes128-p2", "", 32, REPLAY),
    ("copa-aes128-r1", "", 32, REPLAY),
    ("aegis128l-r1", "tau128", 32, REPLAY),
    ("minalpher-p2", "", 32, REPLAY),
    ("gcm-aes128-r1", "v1", 32, REPLAY),
]
#: k256n248tau256: a nonce that is no whole number of words.
SLOW = [
    ("omd-blake2b-f", "k256n128tau128v2", 8, REPLAY),
    ("omd-blake2b-f", "k512n256tau256v2", 128, REPLAY),
    ("omd-blake2b-f", "k512n256tau256v2", 8, BEHAVIOURS),
    ("omd-blake2b-f", "k512n256tau256v2", 16, BEHAVIOURS),
    ("omd-blake2b-f", "k512n256tau256v2", 64, BEHAVIOURS),
    ("omd-blake2b-f", "k256n128tau128v2", 128, BEHAVIOURS),
    ("pomd-blake2b-f", "k512n256tau256", 32, BEHAVIOURS),
    ("omd-sha256-r1", "k256n248tau256v2", 32, SOME),
    ("omd-sha512-r1", "k128n128tau128v1", 16, SOME),
    ("omd-blake2b-x8", "k512n256tau256v2", 64, SOME),
    ("omd-blake2b-f", "k512n256tau512v1", 64, REPLAY),
    ("otr-aes128-p-r1", "v3", 8, REPLAY),
    ("otr-aes128-p-r1", "v3", 32, BEHAVIOURS),
    ("otr-aes128-p-p2", "v3", 64, SOME),
    ("otr-aes256-p-r1", "v3", 16, SOME),
    ("otr-aes128-p-p4", "v3", 32, SOME),
    ("otr-aes128-p-p21", "v3", 32, SOME),
    ("otr-aes128-p-p21b", "v3", 32, SOME),
    ("ocb-aes128-p21b", "taglen128v1", 32, SOME),
    ("deoxysii-128-p29", "128v143", 32, SOME),
    ("ascon-aead128-r2", "", 32, BEHAVIOURS),
    ("ascon-aead128-r4", "", 128, SOME),
    ("ascon-aead128-m1", "", 32, [*BEHAVIOURS, *IN_SHARES]),
    ("otr-aes128-p-m1", "v3", 64, [*BEHAVIOURS, *IN_SHARES]),
    ("minalpher-r1", "", 64, SOME),
    ("colm-aes128-r1", "", 64, SOME),
    ("copa-aes128-p2", "", 64, SOME),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest):
    """Vector files by core, sizes and width: the whole .rsp with --exhaustive, a few records otherwise."""
    made: dict[tuple[str, str, int], Path] = {}

    def make(name: str, sizes: str, width: int) -> Path:
        place = (name, sizes, width)
        if place not in made:
            limit = None if request.config.getoption("--exhaustive") else 4 if width == 8 else 8
            core, folder = cores.find(name), tmp_path_factory.mktemp("lwc")
            vectors = kat.read(core, [vector_file(name, sizes)])[0]
            short = [record for record in vectors.aead if len(record.plaintext) <= 700 and len(record.ad) <= 700]
            vectors.aead[:] = short
            lwc.write(
                lwc.cases(core, vectors, limit), folder, width,
                shares=core.shares, seed=int(os.environ["SEALWIRE_SEED"]),
            )  # fmt: skip
            made[place] = folder
        return made[place]

    return make


@pytest.mark.parametrize(("name", "sizes", "width", "only", "behaviour"), variants("lwc", FAST, SLOW))
def test_lwc(
    name: str, sizes: str, width: int, only: str, behaviour: str, files, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = cores.find(name)
    given = {"STORE_BYTES": STORE_BYTES, "PACKET_BYTES": STORE_BYTES}
    if core.ad_with_msg:
        given["AD_FIFO_BYTES"] = 1024
    top, directory, parameters = build_top(core, "lwc", width, sizes, given)
    monkeypatch.setenv("SEALWIRE_ONLY", only)
    hdl_bench.check(
        directory,
        top.name,
        "lwc_shares_behaviours" if behaviour in IN_SHARES else "lwc_behaviours",
        behaviour,
        SCHEME=core.scheme,
        FILES=files(name, sizes, width),
        **{"AD_FIFO_BYTES": 0, **parameters},
    )


def test_command_writes_the_three_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = ROOT / "vectors" / "omdblake2bk256n128tau128v2.rsp"
    words = ["lwc", "--core", "omd-blake2b-f", str(vectors), "-o", str(tmp_path / "x"), "--width", "16", "--limit", "2"]
    assert main(words) == 0
    assert "12 messages under" in capsys.readouterr().out
    pdi, sdi, do = ((tmp_path / "x" / f"{name}.txt").read_text() for name in ("pdi", "sdi", "do"))
    assert sdi.splitlines()[2:4] == ["INS = 4000", "HDR = C7000020"]
    assert [line for line in pdi.splitlines() if line.startswith("INS")][:3] == [
        "INS = 7000",
        "INS = 2000",
        "INS = 3000",
    ]
    assert "# TB :20101" in do and "# TB :30106" in do
    assert do.count("STT = E000") == 4 and do.count("STT = F000") == 8
    assert all(text.endswith("###EOF\n") for text in (pdi, sdi, do))


def test_command_writes_the_keys_of_a_core_in_shares_as_shares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["lwc", "--core", "otr-aes128-p-m1", str(ROOT / "vectors" / "aes128otrpv3.rsp"), "--limit", "3", "--seed"]
    for seed in (1, 2):
        assert main([*words, str(seed), "-o", str(tmp_path / str(seed))]) == 0
    assert "in 2 shares" in capsys.readouterr().out
    whole = main(["lwc", "--core", "otr-aes128-p-r1", *words[3:6], "-o", str(tmp_path / "whole")])
    assert whole == 0

    def keys(name: str) -> list[bytes]:
        lines = (tmp_path / name / "sdi.txt").read_text(encoding="ascii").splitlines()
        assert {line for line in lines if line.startswith("HDR")} == {f"HDR = C70000{10 if name == 'whole' else 20}"}
        return [bytes.fromhex(line[6:]) for line in lines if line.startswith("DAT")]

    first, second, expected = keys("1"), keys("2"), keys("whole")
    for files in (first, second):
        assert [bytes(a ^ b for a, b in zip(key[:16], key[16:], strict=True)) for key in files] == expected
        assert not any(part in expected or not any(part) for key in files for part in (key[:16], key[16:]))
    assert not set(first) & set(second)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--core", "omd-sha512-r1"], "implements omdsha512"),
        (["--core", "omd-blake2b-f", "--limit", "0"], "--limit: '0' is not a whole number"),
        (["--core", "omd-blake2b-f", "--segment", "65536"], "--segment 65536"),
    ],
)
def test_command_says_what_is_wrong(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vectors = ROOT / "vectors" / "omdblake2bk256n128tau128v2.rsp"
    try:
        status = main(["lwc", str(vectors), "-o", str(tmp_path), *options])
    except SystemExit as refused:  # as the parser of options ends
        status = int(str(refused.code))
    assert status == 2
    assert said in capsys.readouterr().err


def test_headers_are_those_of_the_api() -> None:
    """The values that the API's own description prints, W = 32, nonce of 12 bytes, key and tag of 16."""
    case = lwc.Case(bytes(16), bytes(12), b"", b"", bytes(16), b"")
    assert [line[6:] for line in lwc.input_lines(case, 32) if line.startswith("HDR")] == [
        "D600000C", "12000000", "52000000", "83000010",
    ]  # fmt: skip
    case = lwc.Case(bytes(16), bytes(12), b"abc", b"", None, b"", bytes(16))
    assert [line[6:] for line in lwc.input_lines(case, 32) if line.startswith("HDR")] == [
        "D200000C", "16000003", "43000000",
    ]  # fmt: skip
    case = lwc.Case(bytes(16), bytes(12), b"abc", b"hello", None, b"world", bytes(16))
    assert [line[6:] for line in lwc.input_lines(case, 32) if line.startswith("HDR")][2] == "47000005"
    assert list(lwc.output_lines(case, 32)) == [
        "HDR = 52000005", "DAT = 776F726C64000000", "HDR = 83000010", "DAT = " + 32 * "0", "STT = E0000000",
    ]  # fmt: skip
    assert list(lwc.key_lines(bytes(16), 32))[:2] == ["INS = 40000000", "HDR = C7000010"]
