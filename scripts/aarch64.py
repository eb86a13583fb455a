# SPDX-License-Identifier: Apache-2.0
"""The library on AArch64, in an emulator: builds for it, and instructions a byte.

`python scripts/aarch64.py` counts what sealing executes on every path, one instruction after the other in
qemu-user. These are no cycles: no AArch64 machine was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Linked statically by what Rust brings along (.cargo/config.toml): neither a cross compiler nor libraries are needed.
TARGET = "aarch64-unknown-linux-musl"
EMULATOR = "qemu-aarch64"
#: All that the library knows, and what most machines have: AES and SHA-256, but neither SHA-512 nor SHA-3.
FULL, COMMON = "max", "cortex-a72"
#: Schemes whose instructions are counted, with the messages a call.
COUNTED = (
    ("seal", "otr-aes128-p", 1),
    ("seal", "otr-aes256-p", 1),
    ("seal", "ocb-aes128", 1),
    ("seal", "gcm-aes128", 1),
    ("seal", "aegis-128l", 1),
    ("seal", "deoxys-i-128", 1),
    ("seal", "deoxys-ii-128", 1),
    ("seal", "copa-aes128", 1),
    ("seal", "colm-aes128", 1),
    ("seal", "omd-sha256", 1),
    ("seal", "omd-sha256", 4),
    ("seal", "omd-sha512", 1),
    ("seal", "omd-sha512", 2),
    ("seal", "omd-blake2b", 1),
    ("seal", "omd-blake2b", 2),
    ("seal", "minalpher", 1),
    ("seal", "scream-10", 1),
    ("tag", "ascon-mac", 1),
    ("tag", "ascon-mac", 4),
    ("tag", "ascon-farfalle", 1),
)


def missing() -> str | None:
    """What lacks, in one line; None if nothing does."""
    lacking = []
    if shutil.which(EMULATOR) is None:
        lacking.append(f"{EMULATOR} (Debian: qemu-user)")
    if not (Path(sysroot()) / "lib/rustlib" / TARGET).is_dir():
        lacking.append(f"Rust's standard library for the target (rustup target add {TARGET})")
    return f"AArch64: without {' and '.join(lacking)}; make test-tools installs them" if lacking else None


def sysroot() -> str:
    done = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.strip()


def cargo(*words: str, folder: Path = ROOT / "target", flags: str = "") -> None:
    """Runs cargo for the target, whose programs run in the emulator."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(folder)}
    if flags:
        environment["RUSTFLAGS"] = flags
    command = ["cargo", words[0], "--locked", "--quiet", "--target", TARGET, *words[1:]]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)


def build(profile: str, flags: str = "") -> Path:
    """The program that does the library's work on every path."""
    folder = ROOT / "target" / ("aarch64-soft" if flags else "")
    cargo("build", "--profile", profile, "-p", "sealwire", "--example", "every_path", folder=folder, flags=flags)
    return folder / TARGET / {"dev": "debug"}.get(profile, profile) / "examples" / "every_path"


def emulated(program: Path, *words: object, machine: str = FULL) -> list[str]:
    return [EMULATOR, "-cpu", machine, str(program), *map(str, words)]


def trace(program: Path, path: str, call: str, times: int, seed: int = 1) -> Iterator[bytes]:
    """What so many calls execute, a line an instruction."""
    command = emulated(program, "calls", path, *call.split(), times, seed)
    command[1:1] = ["-singlestep", "-d", "nochain,exec"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        yield from process.stderr
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")


def instructions(program: Path, path: str, call: str) -> int:
    """What a call executes: two calls less one."""
    once, twice = (sum(1 for _ in trace(program, path, call, times)) for times in (1, 2))
    return twice - once


def paths(program: Path, machine: str = FULL) -> list[str]:
    done = subprocess.run(emulated(program, "paths", machine=machine), check=True, capture_output=True, text=True)
    return done.stdout.split()


def counts(program: Path, sizes: list[int], chosen: list[str]) -> Iterator[dict[str, object]]:
    for operation, scheme, batch in COUNTED:
        if chosen and scheme not in chosen:
            continue
        for size in sizes:
            row = {
                path: round(instructions(program, path, f"{operation} {scheme} {size} {batch}") / (size * batch), 2)
                for path in paths(program)
            }
            yield {"scheme": scheme, "batch": batch, "bytes": size, **row}


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts instructions a byte on AArch64, in qemu-user.")
    parser.add_argument(
        "--bytes", type=int, action="append", help="length of a message; 1500 and 16384 if none is given"
    )
    parser.add_argument("--scheme", action="append", default=[], help="a scheme of the table; all if none is given")
    parser.add_argument(
        "--soft", action="store_true", help="build the crates below the library without the CPU's own instructions"
    )
    parser.add_argument("--json", action="store_true", help="write JSON objects, one a line")
    options = parser.parse_args()
    if lacking := missing():
        sys.exit(lacking)
    crates = ("aes", "polyval", "sha2") if options.soft else ()
    flags = " ".join(f'--cfg {crate}_backend="soft"' for crate in crates)
    program = build("release", flags)
    heading = None
    for row in counts(program, options.bytes or [1500, 16384], options.scheme):
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        if heading is None:
            heading = list(row)
            print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
        print("| " + " | ".join(str(value) for value in row.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
