# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab board flash`, with a program in place of the loader."""

import os
from pathlib import Path

import pytest
from sealwire_lab import cli
from sealwire_lab.board import boards

BITSTREAM = b"\xff\x00Lattice Semiconductor Corporation Bitstream\x00Part: LFE5UM5G-45F-8CABGA381\x00\xff"


@pytest.fixture
def loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the loader was called with is in the file; a file `fails` beside it says how it ends."""
    program = tmp_path / "openFPGALoader"
    program.write_text(f'#!/bin/sh\ncd {tmp_path}\necho "$@" >called\n[ ! -e fails ] || {{ cat fails >&2; exit 1; }}\n')
    program.chmod(0o755)
    (tmp_path / "board.bit").write_bytes(BITSTREAM)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def flash(folder: Path, *more: str, board: str = "ecp5-versa") -> int:
    return cli.main(["board", "flash", board, "--bitstream", str(folder / "board.bit"), *more])


@pytest.mark.parametrize(("more", "where"), [((), "--write-flash"), (("--once",), "--write-sram")])
def test_the_loader_is_told_the_cable_and_where_to(loader: Path, more: tuple[str, ...], where: str) -> None:
    assert flash(loader, *more) == 0
    assert (loader / "called").read_text().split() == ["--cable", "ft2232", where, str(loader / "board.bit")]


def test_a_bitstream_of_another_device_is_not_loaded(loader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert flash(loader, board="colorlight-i9") == 2
    assert "is no bitstream for LFE5U-45F-6BG381C" in " ".join(capsys.readouterr().err.split())
    (loader / "board.bit").unlink()
    assert flash(loader) == 2
    assert not (loader / "called").exists()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("unable to open ftdi device", "is the board connected"),
        ("caf\udce9", "is the board connected"),  # no UTF-8
        ("error while loading shared libraries: libftdi1.so.2", "install Debian's libftdi1-2"),
    ],
)
def test_a_loader_that_fails_is_said_to_with_what_to_do(
    loader: Path, said: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (loader / "fails").write_bytes(said.encode(errors="surrogateescape"))
    assert flash(loader) == 2
    err = capfd.readouterr().err
    assert said.rstrip("\udce9") in err and message in " ".join(err.split())


def test_a_loader_that_is_no_program_is_an_error(loader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (loader / "openFPGALoader").write_text("junk")
    assert flash(loader) == 2
    assert "cannot run" in " ".join(capsys.readouterr().err.split())


def test_the_loader_of_the_package_knows_the_boards() -> None:
    """Where the USB libraries are there."""
    import subprocess
    import sys

    listed = subprocess.run(
        [sys.executable, "-m", "openfpgaloader", "--list-boards"], capture_output=True, text=True, check=False
    )
    if "error while loading shared libraries" in listed.stderr:
        pytest.skip("libftdi1-2 (for openFPGALoader) is not installed")
    cables = subprocess.run(
        [sys.executable, "-m", "openfpgaloader", "--list-cables"], capture_output=True, text=True, check=True
    )
    known = {line.split()[0] for line in (listed.stdout + cables.stdout).splitlines() if line.split()}
    for board in boards.load().values():
        assert board.loader[1] in known
