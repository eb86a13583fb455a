# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab board provision`, `status`, `noise` and `zeroise` with the firmware itself behind a pseudo-terminal."""

import hashlib
import json
import os
import re
import tty
from pathlib import Path

import host
import pytest
from console_line import Line
from sealwire_lab import cli
from sealwire_lab.board import console
from sealwire_lab.errors import LabError
from sealwire_model.stanzas import key_id

PSK = bytes(range(100, 164))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "board.key"
    path.write_text(f"# sealwire key\npurpose: link\nid: {key_id(2, PSK).hex()}\n{PSK.hex()}\n")
    path.chmod(0o600)
    return path


def words(line: Line, key: Path, *more: str) -> list[str]:
    return [
        "board", "provision", "--port", line.port, "--id", "1", "--peer-id", "fF00", "--peer-mac", "02:00:5e:10:00:07",
        "--key-file", str(key), *more,
    ]  # fmt: skip


def test_a_provisioned_board_runs_with_what_it_was_given(
    line: Line, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words(line, key, "--rekey-seconds", "60", "--max-age-seconds", "90")) == 0
    told = capsys.readouterr()
    own, peer = bytes(7) + b"\1", bytes.fromhex("000000000000ff00")
    derived = hashlib.blake2s(b"sealwire board" + own + peer).digest()[:6]
    mac = bytes([derived[0] & 0xFC | 2]) + derived[1:]
    assert f'peer-mac = "{mac.hex(":")}"' in told.out and 'id = "fF00"\npeer-id = "1"' in told.out
    first = line.board.flash
    seed = first[116:148]
    assert first[:152] == host.record(
        host.payload(
            PSK, seed, local_id=own, peer_id=peer, local_mac=mac, peer_mac=bytes.fromhex("02005e100007"),
            t_rekey=60_000, t_max=90_000,
        )
    )  # fmt: skip
    assert line.board.psk() == PSK
    assert cli.main(words(line, key, "--mac", "02:00:00:00:00:09")) == 0
    assert line.board.flash[116:148] != seed, "a seed serves once"
    assert PSK.hex()[:16] not in told.out + told.err + capsys.readouterr().out


def test_without_a_key_file_the_board_waits_for_sessions_of_a_host(
    line: Line, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = words(line, key)
    at = given.index("--key-file")
    assert cli.main(given[:at] + given[at + 2 :]) == 0
    told = capsys.readouterr()
    assert "key-file" not in told.out and "link board" in told.err
    assert line.board.flash[52:116] == bytes(64) and line.board.state() == host.RUNS


def test_status_tells_state_and_counters_and_no_secret(
    line: Line, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["board", "status", "--port", line.port]) == 1, "an empty board does not run"
    assert "empty" in capsys.readouterr().out
    cli.main(words(line, key))
    capsys.readouterr()
    assert cli.main(["board", "status", "--port", line.port, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["boot"], told["phys"]) == ("runs", line.board.counter(), 2) and len(
        told["counters"]
    ) > 20


def said_words(line: Line) -> list[str]:
    """Collects the words of noise that the board says from now on."""
    words: list[str] = []

    def listen(sent: bytes, said: bytes) -> bytes:
        words.extend(re.findall(r"\b[0-9a-f]{8}\b", said.decode()))
        return said

    line.garbles = listen
    return words


@pytest.mark.parametrize("bits", [1, 65_536, 150_000])
def test_noise_fills_a_file_with_the_raw_bits_in_their_order(
    line: Line, tmp_path: Path, bits: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = said_words(line)
    file = tmp_path / "noise.bin"
    assert cli.main(["board", "noise", "--port", line.port, "--bits", str(bits), str(file)]) == 0
    got, runs = file.read_bytes(), -(-bits // 65_536)
    assert len(words) == 2048 * runs and len(got) == bits and set(got) <= {0, 1}
    expected = [int(word, 16) >> place & 1 for word in words for place in range(31, -1, -1)]
    assert list(got) == expected[:bits], "the oldest bit of a word is its highest"
    told = capsys.readouterr()
    assert f"{bits} bits, {sum(got)} of them 1, in {runs} run" in told.out and "alarm" not in told.err


def test_an_alarm_of_the_noise_is_said(line: Line, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line.board.board.noise = 0
    assert cli.main(["board", "noise", "--port", line.port, "--bits", "64", str(tmp_path / "noise.bin")]) == 0
    told = capsys.readouterr()
    assert "64 bits, 0 of them 1" in told.out and "alarm (1)" in told.err


#: What a board may say in place of its noise, and what is said of it
BAD_NOISE = {
    "lost": (lambda said: said.replace(b"ok\n", b"error words were lost\n"), "words were lost"),
    "short": (lambda said: said.replace(said[:9], b"", 1), "gave 65504 bits, must be 65536"),
    "no words": (lambda said: b"XYZ" + said[3:], "is not what a board says"),
}


@pytest.mark.parametrize("bad", BAD_NOISE)
def test_noise_with_a_gap_makes_no_file(
    line: Line, tmp_path: Path, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    garble, message = BAD_NOISE[bad]
    line.garbles = lambda sent, said: garble(said) if len(said) > 18_000 else said
    assert cli.main(["board", "noise", "--port", line.port, str(tmp_path / "noise.bin")]) == 2
    assert message in " ".join(capsys.readouterr().err.split()) and not (tmp_path / "noise.bin").exists()


def test_a_noise_source_that_stands_still_is_said_to(
    line: Line, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line.board.board.noise = 2
    assert cli.main(["board", "noise", "--port", line.port, str(tmp_path / "noise.bin")]) == 2
    assert "gave 0 bits" in " ".join(capsys.readouterr().err.split())


def test_noise_complains_of_a_folder_that_it_cannot_write_before_it_asks(
    line: Line, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = said_words(line)
    (tmp_path / "file").touch()
    assert cli.main(["board", "noise", "--port", line.port, str(tmp_path / "file" / "noise.bin")]) == 2
    assert "is not a folder" in " ".join(capsys.readouterr().err.split()) and not words


def test_half_a_command_that_somebody_typed_is_not_finished(line: Line, key: Path) -> None:
    cli.main(words(line, key))
    line.board.bytes(b"zeroise now")
    assert cli.main(["board", "status", "--port", line.port]) == 0
    assert PSK in line.board.flash


def test_zeroise_leaves_neither_key_nor_seed(line: Line, key: Path) -> None:
    cli.main(words(line, key))
    assert PSK in line.board.flash
    assert cli.main(["board", "zeroise", "--port", line.port]) == 0
    assert PSK not in line.board.flash and line.board.state() == host.EMPTY
    cli.main(words(line, key))
    line.board.board.writable = 0
    assert cli.main(["board", "zeroise", "--port", line.port]) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (["--id", "0"], "'0' is no id"),
        (["--id", "00000000000000001"], "is no id"),
        (["--id", "ff00"], "both ends have one id"),
        (["--peer-mac", "01:00:5e:10:00:07"], "is not the Ethernet address of a single station"),
        (["--peer-mac", "02:00:5e:10:00"], "is no Ethernet address"),
        (["--mac", "02:00:5e:10:00:07"], "both ends have one Ethernet address"),
        (["--rekey-seconds", "3"], "at least 4 s"),
        (["--max-age-seconds", "123"], "at least 4 s later"),
        (["--max-age-seconds", "999999", "--rekey-seconds", "1e9"], "not a number above 0"),
        (["--key-file", "/nowhere"], "cannot read /nowhere: No such file"),
    ],
)
def test_what_a_board_cannot_be_given_never_reaches_it(
    line: Line, key: Path, changed: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = cli.main(words(line, key, *changed))
    except SystemExit as exit:
        status = int(exit.code or 0)
    assert status == 2 and message in capsys.readouterr().err
    assert line.board.state() == host.EMPTY


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"purpose: file\n{PSK.hex()}\n", "is no key of a link"),
        (f"purpose: link\nid: 0011223344556677\n{PSK.hex()}\n", "its digits are not those"),
        (f"purpose : link for me\n{PSK.hex()}\n", "is no key of a link"),
        (f"{PSK.hex()}\n{PSK.hex()}\n", "does not hold one line of 128"),
        (f"{PSK.hex()[2:]}\n", "does not hold one line of 128"),
        ("00" * 64 + "\n", "bytes are all alike"),
        ("", "does not hold one line"),
    ],
)
def test_a_file_that_is_no_key_is_refused_without_a_word_of_it(
    line: Line, key: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    key.write_text(text)
    assert cli.main(words(line, key)) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert message in said and PSK.hex()[2:18] not in said
    assert line.board.state() == host.EMPTY


def test_a_key_that_others_can_read_is_refused(line: Line, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key.chmod(0o640)
    assert cli.main(words(line, key)) == 2
    assert "chmod 600" in capsys.readouterr().err


def test_a_board_that_says_nothing_is_an_error_that_says_what_to_look_at(
    line: Line, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "PATIENCE", 0.3)
    line.garbles = lambda sent, said: b""
    assert cli.main(["board", "status", "--port", line.port]) == 2
    assert "no answer of a board" in capsys.readouterr().err


def test_a_refusal_of_the_board_is_passed_on(line: Line, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line.board.board.writable = 0
    assert cli.main(words(line, key)) == 2
    assert "flash write failed" in " ".join(capsys.readouterr().err.split())


#: What comes in place of an answer once the line is in step, and what is said of it.
STRANGE = {
    "echo": (lambda sent, said: sent + said, "switch its echo off"),
    "echo in an error": (lambda sent, said: b"error " + sent, "switch its echo off"),
    "no pair": (lambda sent, said: b"state\nok\n", "is not what a board says"),
    "long number": (lambda sent, said: b"boot " + b"1" * 5000 + b"\nok\n", "switch its echo off"),
    "noise": (lambda sent, said: bytes(range(128, 256)) + b"\nok\n", "is not what a board says"),
    "chatter": (lambda sent, said: b"$GPGGA,1\n" * 300, "no answer of a board"),
    "half an answer": (lambda sent, said: said[: len(said) // 2], "no answer of a board"),
}


@pytest.mark.parametrize("command", ["status", "provision"])
@pytest.mark.parametrize("strange", STRANGE)
def test_what_is_no_answer_of_a_board_is_said_in_a_line_without_a_secret(
    line: Line,
    key: Path,
    command: str,
    strange: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(console, "PATIENCE", 0.5)
    garble, message = STRANGE[strange]
    line.garbles = lambda sent, said: (
        said if sent.startswith(b"\x01") and sent.count(b"\n") == 1 else garble(sent, said)
    )
    asked = words(line, key) if command == "provision" else ["board", "status", "--port", line.port]
    assert cli.main(asked) == 2
    told = capsys.readouterr()
    said = " ".join((told.out + told.err).split())
    # The echo of a command without a key is not told from an answer that is none.
    harmless = ("is not what a board says", "says: status")
    assert message in said or (command == "status" and any(each in said for each in harmless)), said
    assert PSK.hex()[:16] not in said


def test_signs_that_a_terminal_obeys_do_not_reach_it(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    line.garbles = lambda sent, said: said.replace(b"state empty", b"state \x1b[2Jempty")
    assert cli.main(["board", "status", "--port", line.port]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_ports_and_files_that_are_none_are_said_to_be_so(
    line: Line, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with console.Console(line.port):
        assert cli.main(["board", "status", "--port", line.port]) == 2
        assert "another program has it" in capsys.readouterr().err
    for port in (str(key), "/dev/null", "loop://?logging=zz"):
        assert cli.main(["board", "status", "--port", port]) == 2
        assert f"cannot open {port}" in " ".join(capsys.readouterr().err.split())
    os.mkfifo(tmp_path / "fifo")
    assert cli.main(words(line, tmp_path / "fifo")) == 2
    assert "is not a regular file" in capsys.readouterr().err


def test_a_port_that_goes_away_is_said_to_be_gone(capsys: pytest.CaptureFixture[str]) -> None:
    near, far = os.openpty()
    tty.setraw(far)
    with console.Console(os.ttyname(far)) as board:
        os.close(near)
        with pytest.raises(LabError, match="cannot use"):
            board.ask("status")
    os.close(far)
