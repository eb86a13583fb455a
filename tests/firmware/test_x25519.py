# SPDX-License-Identifier: Apache-2.0
"""One X25519 on the processor of a board: its result, and the figures that docs/firmware.md gives for it.

The processor, its bus and its memory are board_cpu with 32 KiB of RAM in place of 16, for the firmware's linker script
wants 2 KiB for a stack beside the program. It needs cargo and `rustup target add` of the targets that MACHINES names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sealwire_lab import build, cores, files, firmware
from sealwire_lab.board import boards

HERE = Path(__file__).parent / "x25519"
#: Target of the program by what is added to the processor's parameters: as a board has it, and with its multiplier
MACHINES = {
    "": "riscv32i-unknown-none-elf",
    ".ENABLE_FAST_MUL(1'b1), ": "riscv32im-unknown-none-elf",
}
#: What the document calls each
NAMES = dict(zip(MACHINES, ("as the board has it", "with its multiplier"), strict=True))
RAM_KIB = 32
BIT_CYCLES = 16
PATIENCE = 4_000_000_000
#: RFC 7748, 5.2, the first vector.
PRODUCT = bytes.fromhex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
DOCUMENT = cores.root() / "docs" / "firmware.md"


@dataclass(frozen=True)
class Figures:
    """Cycles of the call, bytes of the whole program and of its stack."""

    cycles: int
    program: int
    stack: int


def replaced(path: Path, old: str, new: str) -> str:
    text = files.read(path)
    assert text.count(old) == 1, f"{path} has no single {old!r}"
    return text.replace(old, new)


def image(target: str) -> Path:
    """The program for $readmemh."""
    script = firmware.room() / "firmware.ld"
    sources = [HERE / "Cargo.toml", HERE / "Cargo.lock", HERE / "src" / "main.rs", firmware.room() / "start.S", script]
    rust = subprocess.run(["rustc", "--version"], cwd=HERE, check=True, capture_output=True, text=True).stdout

    def make(scratch: Path) -> None:
        text = replaced(script, "LENGTH = 16K", f"LENGTH = {RAM_KIB}K")
        (scratch / "program.ld").write_text(text, encoding="utf-8")
        flags = f"-Clinker=rust-lld\x1f-Clink-arg=-T{scratch / 'program.ld'}"
        folder = scratch / "target"
        subprocess.run(
            ["cargo", "build", "--quiet", "--locked", "--release", "--target", target, "--target-dir", folder],
            cwd=HERE, check=True, env=os.environ | {"CARGO_ENCODED_RUSTFLAGS": flags},
        )  # fmt: skip
        words = firmware.memory_words((folder / target / "release" / "x25519-on-a-board").read_bytes())
        (scratch / "program.hex").write_text("".join(f"{word:08x}\n" for word in words), encoding="utf-8")
        shutil.rmtree(folder)

    name = f"firmware/x25519-{build.digest(['x25519', target, rust, *sources, Path(__file__)])}"
    return build.cached(name, make) / "program.hex"


def machine(program: Path, more: str) -> Path:
    """The simulation of board_cpu with the program in its memory, and more parameters of its processor."""
    (cpu,) = (path for path in firmware.own() if path.name == "board_cpu.sv")
    others = [path for path in firmware.rtl() if path != cpu]
    main = HERE / "bench.cpp"

    def make(scratch: Path) -> None:
        larger = scratch / cpu.name
        text = replaced(cpu, "RAM_BYTES = 16384", f"RAM_BYTES = {RAM_KIB * 1024}")
        assert text.count("picorv32_axi #(") == 1
        larger.write_text(text.replace("picorv32_axi #(", f"picorv32_axi #({more}"), encoding="utf-8")
        parameters: dict[str, int | str] = {"IMAGE": f'"{program}"', "UART_BIT_CYCLES": BIT_CYCLES}
        build.program(
            scratch, "board", "board_cpu", [*others, larger], parameters, "Vboard", main=main, optimise="-O2"
        )  # fmt: skip

    name = f"simulations/x25519-{build.digest([str(program), more, cpu, *others, main, Path(__file__)])}"
    return build.cached(name, make) / "board"


def measured(more: str) -> tuple[bytes, Figures]:
    """What the program says it computed, and what that took."""
    program = image(MACHINES[more])
    words = [str(word) for word in (machine(program, more), 4 + len(PRODUCT), BIT_CYCLES, PATIENCE)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert not done.returncode, done.stdout + done.stderr
    cycles, said = done.stdout.split()
    answer = bytes.fromhex(said)
    size = 4 * len(files.source(program).splitlines())
    return answer[4:], Figures(int(cycles), size, int.from_bytes(answer[:4], "little"))


def documented(more: str) -> Figures:
    text = files.read(DOCUMENT)
    found = re.search(rf"^\| {NAMES[more]} \| ([\d,]+) \|.* \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
    assert found, f"{DOCUMENT} has no figures of X25519 {NAMES[more]}"
    return Figures(*(int(number.replace(",", "")) for number in found.groups()))


@pytest.mark.parametrize("more", MACHINES, ids=["board", "multiplier"])
def test_the_documents_seconds_are_those_of_its_cycles(more: str) -> None:
    row = next(line for line in files.read(DOCUMENT).splitlines() if line.startswith(f"| {NAMES[more]} |"))
    cycles = documented(more).cycles
    clocks = sorted((board.core_mhz for board in boards.load().values()), reverse=True)
    assert f"| seconds at {clocks[0]:g} MHz | at {clocks[1]:g} MHz |" in files.read(DOCUMENT)
    for seconds, mhz in zip(row.split(" | ")[2:4], clocks, strict=True):
        assert float(seconds) == pytest.approx(cycles / mhz / 1e6, rel=0.02)


@pytest.mark.exhaustive
@pytest.mark.parametrize("more", MACHINES, ids=["board", "multiplier"])
def test_x25519_is_right_and_takes_what_the_document_says(more: str) -> None:
    target = MACHINES[more]
    done = subprocess.run(["rustc", "--print", "sysroot"], cwd=HERE, check=True, capture_output=True, text=True)
    if not (Path(done.stdout.strip()) / "lib" / "rustlib" / target).is_dir():
        pytest.skip(f"without Rust's standard library for the target (rustup target add {target})")
    product, figures = measured(more)
    print(figures)
    assert product == PRODUCT
    told = documented(more)
    assert (figures.program, figures.stack) == (told.program, told.stack)
    assert figures.cycles == pytest.approx(told.cycles, rel=0.05)
