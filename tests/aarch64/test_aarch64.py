# SPDX-License-Identifier: Apache-2.0
"""The library on AArch64, in an emulator: every path gives the known answers and takes its instructions."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest
from emulated import COMMON, FULL, ROOT, TARGET, build, cargo, emulated, missing, paths, trace

pytestmark = pytest.mark.xdist_group("aarch64")

#: Paths, and what an emulated machine must have for each.
PATHS = ["portable", "neon", "neon-sha2", "neon-sha3"]
#: A short file for each kind of kernel: AES, its inverse, its rounds, GHASH, SHA-2, BLAKE2b, Ascon, bytes side by side.
SAMPLE = [
    "aes128otrpv3.rsp",
    "aeadaes256ocbtaglen128v1.rsp",
    "deoxysi128v143.rsp",
    "aegis128ltau128.rsp",
    "aes128gcmv1.rsp",
    "omdsha256k128n96tau128v2.rsp",
    "omdsha512k512n256tau256v2.rsp",
    "omdblake2bk512n256tau256v2.rsp",
    "asconmacv12.rsp",
    "asconfarfalle.rsp",
    "scream10v3.rsp",
    "minalpherv11.rsp",
]


def records(files: list[Path]) -> int:
    return sum(file.read_text(encoding="utf-8").count("\nCount = ") for file in files)


def known(names: list[str]) -> list[Path]:
    return [ROOT / "vectors" / name for name in names]


@pytest.fixture(scope="module")
def program() -> Path:
    if lacking := missing():
        pytest.skip(lacking)
    return build("dev")


def answered(program: Path, files: list[Path], machine: str = FULL) -> dict[str, int]:
    """Right answers by path; a wrong one is an error."""
    done = subprocess.run(emulated(program, "answers", *files, machine=machine), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path: int(passed) for path, passed in re.findall(r"^(\S+): (\d+) passed$", done.stdout, re.MULTILINE)}


def test_a_machine_has_the_paths_that_its_extensions_allow(program: Path) -> None:
    assert paths(program, FULL) == PATHS
    assert paths(program, COMMON) == PATHS[:3], "no SHA-512 there: an instruction for it ends the program"


def test_known_answers_on_every_path(program: Path) -> None:
    files = known(SAMPLE)
    assert answered(program, files) == dict.fromkeys(PATHS, records(files))
    assert answered(program, files, COMMON) == dict.fromkeys(PATHS[:3], records(files))


#: The bits of an instruction, and which of them tell it from others (Arm Architecture Reference Manual, chapter C7.2).
#: The disassembler of qemu knows fewer instructions than its processor.
ENCODINGS = {
    "AESE": (0x4E284800, 0xFFFFFC00),
    "AESD": (0x4E285800, 0xFFFFFC00),
    "AESMC": (0x4E286800, 0xFFFFFC00),
    "PMULL": (0x0EE0E000, 0xBFE0FC00),
    "SHA256H": (0x5E004000, 0xFFE0FC00),
    "SHA512H": (0xCE608000, 0xFFE0FC00),
    "XAR": (0xCE800000, 0xFFE00000),
    "EOR3": (0xCE000000, 0xFFE08000),
    "BCAX": (0xCE200000, 0xFFE08000),
    # Words of 32 and of 64 bits
    "ADD4": (0x4EA08400, 0xFFE0FC00),
    "ADD2": (0x4EE08400, 0xFFE0FC00),
}

#: For calls on a path, instructions that it takes and others that it does without.
TAKEN = [
    ("seal otr-aes128-p 1500 1", {"portable": ("", "PMULL"), "neon": ("AESE AESMC PMULL", "")}),
    ("seal ocb-aes128 1500 1", {"neon": ("AESE AESMC", "")}),
    ("seal aegis-128l 1500 1", {"neon": ("AESE AESMC", "")}),
    ("seal gcm-aes128 1500 1", {"neon": ("AESE AESMC PMULL", "")}),
    ("seal omd-sha256 1500 4", {"neon": ("ADD4", "")}),
    ("seal omd-sha256 1500 1", {"neon-sha2": ("SHA256H", "")}),
    (
        "seal omd-sha512 1500 1",
        {"portable": ("", "SHA512H"), "neon-sha2": ("", "SHA512H"), "neon-sha3": ("SHA512H", "")},
    ),
    ("tag ascon-mac 1500 4", {"neon-sha2": ("", "BCAX EOR3 XAR"), "neon-sha3": ("BCAX EOR3 XAR", "")}),
    ("tag ascon-farfalle 1500 1", {"neon-sha2": ("", "BCAX EOR3 XAR"), "neon-sha3": ("BCAX EOR3 XAR", "")}),
    ("seal omd-blake2b 1500 2", {"portable": ("", "XAR"), "neon-sha2": ("ADD2", "XAR"), "neon-sha3": ("ADD2 XAR", "")}),
]


def executed(program: Path, path: str, call: str, machine: str = FULL) -> set[str]:
    """Those of the instructions above that qemu translates for a call."""
    command = emulated(program, "calls", path, *call.split(), 1, 1, machine=machine)
    command[1:1] = ["-d", "in_asm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-300:]
    words = {int(word, 16) for word in re.findall(r"^0x[0-9a-f]+: +([0-9a-f]{8}) ", done.stderr, re.MULTILINE)}
    return {name for name, (bits, own) in ENCODINGS.items() if any(word & own == bits for word in words)}


CASES = [(call, path, *words) for call, by_path in TAKEN for path, words in by_path.items()]


@pytest.mark.parametrize(("call", "path", "there", "not_there"), CASES)
def test_a_path_takes_its_instructions(program: Path, call: str, path: str, there: str, not_there: str) -> None:
    taken = executed(program, path, call)
    assert set(there.split()) <= taken
    assert not set(not_there.split()) & taken


def places(program: Path, path: str, call: str, seed: int) -> str:
    """A digest of where the instructions of a call lie, one after the other."""
    digest = hashlib.sha256()
    for line in trace(program, path, call, 1, seed):
        found = re.search(rb"\[[0-9a-f]+/([0-9a-f]+)/", line)
        assert found, line
        digest.update(found.group(1))
    return digest.hexdigest()


@pytest.mark.parametrize("call", ["seal otr-aes128-p 200 1", "seal omd-blake2b 200 2", "tag ascon-mac 200 4"])
def test_neither_key_nor_message_decides_what_is_executed(program: Path, call: str) -> None:
    for path in PATHS:
        assert len({places(program, path, call, seed) for seed in (1, 2)}) == 1, path
    longer = call.replace("200", "201")
    assert places(program, path, call, 1) != places(program, path, longer, 1), "a difference would be seen"


def test_aes_needs_no_other_extension(program: Path) -> None:
    """PMULL tells the library's own engine from that of the crate below it."""
    for path in PATHS[1:3]:
        assert {"AESE", "PMULL"} <= executed(program, path, "seal otr-aes128-p 1500 1", COMMON)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("program")
def test_every_known_answer_with_the_command() -> None:
    """As users get it: the command that `make command-aarch64` builds."""
    subprocess.run(["make", "command-aarch64"], check=True, cwd=ROOT)
    command = ROOT / "target" / TARGET / "release" / "sealwire"
    kind = subprocess.run(["file", "--brief", command], check=True, capture_output=True, text=True).stdout
    assert "ARM aarch64" in kind and "statically linked" in kind
    files = sorted((ROOT / "vectors").glob("*.rsp"))
    for path in PATHS:
        done = subprocess.run(emulated(command, "kat", "--path", path, *files), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-300:] + done.stderr
        assert done.stdout.splitlines()[-1] == f"{records(files)} passed, 0 failed", path
    lacking = emulated(command, "kat", "--path", "neon-sha3", files[0], machine=COMMON)
    assert (
        "this CPU lacks instructions that the path neon-sha3 needs"
        in subprocess.run(lacking, capture_output=True, text=True).stderr
    )
    said = subprocess.run(emulated(command, "--version", machine=COMMON), capture_output=True, text=True).stdout
    assert "neon-sha2 on this machine" in said


@pytest.mark.exhaustive
@pytest.mark.usefixtures("program")
def test_the_tests_of_the_library() -> None:
    """What the library's own tests say of every path: random inputs against the portable one, every length, batches."""
    tests = ["--lib", "--test", "paths", "--test", "macs", "--test", "properties", "--test", "chained"]
    cargo("test", "-p", "sealwire", *tests)
