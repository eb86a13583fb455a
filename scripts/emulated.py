# SPDX-License-Identifier: Apache-2.0
"""The library in an emulator: builds for AArch64, and instructions a byte there and on x86-64 without AVX-512.

`python scripts/emulated.py` counts what sealing executes on every path, one instruction after the other in
qemu-user. These are no cycles: they stand for machines that were not measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Linked statically by what Rust brings along (.cargo/config.toml): neither a cross compiler nor libraries are needed.
TARGET = "aarch64-unknown-linux-musl"
EMULATOR = "qemu-aarch64"
#: By architecture: the target of Rust (None: that of this machine), the emulator, and how many messages fill the lanes
#: of SHA-256 and those of 64-bit words. qemu 7.2 knows neither AVX-512 nor the SHA instructions of x86-64.
ARCHITECTURES: dict[str, tuple[str | None, str, int, int]] = {
    "aarch64": (TARGET, EMULATOR, 4, 2),
    "x86_64": (None, "qemu-x86_64", 8, 4),
}
#: All that the library knows, and what most machines have: AES and SHA-256, but neither SHA-512 nor SHA-3.
FULL, COMMON = "max", "cortex-a72"


def counted(sha256: int, words: int) -> tuple[tuple[str, str, int], ...]:
    """Schemes whose instructions are counted, with the messages a call: one, and as many as fill the lanes."""
    return (
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
        ("seal", "omd-sha256", sha256),
        ("seal", "omd-sha512", 1),
        ("seal", "omd-sha512", words),
        ("seal", "omd-blake2b", 1),
        ("seal", "omd-blake2b", words),
        ("seal", "minalpher", 1),
        ("seal", "scream-10", 1),
        ("tag", "ascon-mac", 1),
        ("tag", "ascon-mac", 4),
        ("tag", "ascon-farfalle", 1),
    )


def missing(architecture: str = "aarch64") -> str | None:
    """What lacks, in one line; None if nothing does."""
    target, emulator, *_ = ARCHITECTURES[architecture]
    lacking = []
    if shutil.which(emulator) is None:
        lacking.append(f"{emulator} (Debian: qemu-user)")
    if target is None and platform.machine() != architecture:
        lacking.append("a machine of that kind to build on")
    if target and not (Path(sysroot()) / "lib/rustlib" / target).is_dir():
        lacking.append(f"Rust's standard library for the target (rustup target add {target})")
    return f"{architecture}: without {' and '.join(lacking)}; make test-tools installs them" if lacking else None


def sysroot() -> str:
    done = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.strip()


def cargo(*words: str, folder: Path = ROOT / "target", flags: str = "", target: str | None = TARGET) -> None:
    """Runs cargo for a target, whose programs run in the emulator."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(folder)}
    if flags:
        environment["RUSTFLAGS"] = flags
    to = ["--target", target] if target else []
    command = ["cargo", words[0], "--locked", "--quiet", *to, *words[1:]]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)


def build(profile: str, flags: str = "", target: str | None = TARGET) -> Path:
    """The program that does the library's work on every path."""
    folder = ROOT / "target" / ("soft" if flags else "")
    words = ("build", "--profile", profile, "-p", "sealwire", "--example", "every_path")
    cargo(*words, folder=folder, flags=flags, target=target)
    return folder / (target or "") / {"dev": "debug"}.get(profile, profile) / "examples" / "every_path"


def emulated(program: Path, *words: object, machine: str = FULL, emulator: str = EMULATOR) -> list[str]:
    return [emulator, "-cpu", machine, str(program), *map(str, words)]


def trace(program: Path, path: str, call: str, times: int, seed: int = 1, emulator: str = EMULATOR) -> Iterator[bytes]:
    """What so many calls execute, a line an instruction."""
    command = emulated(program, "calls", path, *call.split(), times, seed, emulator=emulator)
    command[1:1] = ["-singlestep", "-d", "nochain,exec"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        yield from process.stderr
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")


def instructions(program: Path, path: str, call: str, emulator: str) -> int:
    """What a call executes: three calls less two, since the first ones may choose between kernels."""
    fewer, more = (sum(1 for _ in trace(program, path, call, times, emulator=emulator)) for times in (2, 3))
    return more - fewer


def paths(program: Path, machine: str = FULL, emulator: str = EMULATOR) -> list[str]:
    command = emulated(program, "paths", machine=machine, emulator=emulator)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def counts(program: Path, architecture: str, sizes: list[int], chosen: list[str]) -> Iterator[dict[str, object]]:
    _, emulator, *lanes = ARCHITECTURES[architecture]
    for operation, scheme, batch in counted(*lanes):
        if chosen and scheme not in chosen:
            continue
        for size in sizes:
            call = f"{operation} {scheme} {size} {batch}"
            row = {
                path: round(instructions(program, path, call, emulator) / (size * batch), 2)
                for path in paths(program, emulator=emulator)
            }
            yield {"scheme": scheme, "batch": batch, "bytes": size, **row}


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts instructions a byte in qemu-user.")
    parser.add_argument(
        "--architecture", choices=ARCHITECTURES, default="aarch64", help="what to emulate; aarch64 if nothing is given"
    )
    parser.add_argument(
        "--bytes", type=int, action="append", help="length of a message; 1500 and 16384 if none is given"
    )
    parser.add_argument("--scheme", action="append", default=[], help="a scheme of the table; all if none is given")
    parser.add_argument(
        "--soft", action="store_true", help="build the crates below the library without the CPU's own instructions"
    )
    parser.add_argument("--json", action="store_true", help="write JSON objects, one a line")
    options = parser.parse_args()
    if lacking := missing(options.architecture):
        sys.exit(lacking)
    crates = ("aes", "polyval", "sha2") if options.soft else ()
    flags = " ".join(f'--cfg {crate}_backend="soft"' for crate in crates)
    program = build("release", flags, ARCHITECTURES[options.architecture][0])
    heading = None
    for row in counts(program, options.architecture, options.bytes or [1500, 16384], options.scheme):
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        if heading is None:
            heading = list(row)
            print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
        print("| " + " | ".join(str(value) for value in row.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
