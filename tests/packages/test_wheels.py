# SPDX-License-Identifier: Apache-2.0
"""The Python package as users get it: a wheel that needs no Rust, and sources that are whole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from support.tools import tool

ROOT = Path(__file__).resolve().parents[2]
#: As `make wheels` asks for them: what a manylinux2014 system has, and any Python from 3.11 on.
SHIPPED = re.compile(r"sealwire-[\d.]+-cp311-abi3-manylinux2014_(\w+)\.manylinux_2_17_\1\.whl")
#: Where a program says for what machine it is, and what it says there for AArch64.
MACHINE, AARCH64 = slice(18, 20), b"\xb7\x00"
#: A system with Python for AArch64, which an emulator runs
EMULATED = ROOT / "build" / "test-tools" / "aarch64"


def run(*words: object, **more: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def maturin(command: str, out: Path, *words: str) -> Path:
    """The only file that a command of maturin makes."""
    environment = {"CARGO_TARGET_DIR": str(ROOT / "target"), **os.environ}
    program = Path(sys.executable).parent / "maturin"
    run(program, command, "--out", out, *words, cwd=ROOT / "python", env=environment)
    (made,) = out.iterdir()
    return made


def crates(folder: Path) -> set[tuple[str, str]]:
    """Names and versions of the lock file."""
    locked = tomllib.loads((folder / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {(crate["name"], crate["version"]) for crate in locked}


def check_examples(python: list[Path | str], folder: Path, environment: dict[str, str]) -> None:
    """What README shows, run in a folder."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "python" / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert run(*python, "-c", "\n".join(blocks), cwd=folder, env=environment) == "refused\n"


def check_installed(wheel: Path, folder: Path) -> None:
    """A clean environment, without an index and with nothing but its own programs, runs what README shows."""
    venv.create(folder, with_pip=True)
    alone = {"PATH": str(folder / "bin"), "HOME": str(folder)}
    run(
        folder / "bin" / "python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel, env=alone
    )
    check_examples([folder / "bin" / "python"], folder, alone)


def check_emulated(wheel: Path, folder: Path) -> None:
    """A Python for AArch64 in an emulator imports what the wheel holds and runs what README shows."""
    with zipfile.ZipFile(wheel) as packed:
        assert packed.read("sealwire/_sealwire.abi3.so")[MACHINE] == AARCH64
        packed.extractall(folder)
    emulator = tool("qemu-aarch64")
    if not EMULATED.is_dir():
        pytest.skip("Python for AArch64 is not there (scripts/test-tools.sh installs it)")
    python: list[Path | str] = [emulator, "-L", EMULATED, EMULATED / "usr" / "bin" / "python3"]
    check_examples(python, folder, {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)})


def check_content(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if "dist-info" not in name}
        assert names == {
            f"sealwire/{name}"
            for name in ("__init__.py", "_sealwire.abi3.so", "_sealwire.pyi", "files.py", "mac.py", "py.typed")
        }
        assert any(name.endswith("/LICENSE") for name in packed.namelist())


def test_a_wheel_needs_no_rust(tmp_path: Path) -> None:
    """In the profile of the tests, for the system at hand: what they have compiled serves."""
    wheel = maturin("build", tmp_path / "wheels", "--profile", "dev", "--locked", "--compatibility", "linux")
    check_content(wheel)
    check_installed(wheel, tmp_path / "clean")


def test_the_sources_are_whole(tmp_path: Path) -> None:
    packed = maturin("sdist", tmp_path / "sources")
    with tarfile.open(packed) as files:
        files.extractall(tmp_path, filter="data")
    folder = tmp_path / packed.name.removesuffix(".tar.gz")
    assert (folder / "LICENSE").is_file() or (folder / "python" / "LICENSE").is_file()
    locked = crates(folder)
    run("cargo", "metadata", "--format-version", "1", cwd=folder)
    assert crates(folder) < locked, "cargo leaves out what the package lacks, and changes no version"
    wanted = {place.name for place in (ROOT / "python" / "src").iterdir()}
    assert wanted == {place.name for place in (folder / "python" / "src").iterdir()}


@pytest.mark.exhaustive
def test_the_sources_install_where_rust_is(tmp_path: Path) -> None:
    """As a user has them who finds no wheel: pip builds what it unpacks, with Rust and with what the index gives."""
    packed = maturin("sdist", tmp_path / "sources")
    folder = tmp_path / "clean"
    venv.create(folder, with_pip=True)
    # In the profile of the tests, so that crates from the index are not compiled a second time. `--locked` would ask
    # for a lock file that names nothing which the package lacks.
    building = {
        **os.environ,
        "CARGO_TARGET_DIR": str(ROOT / "target"),
        "MATURIN_PEP517_ARGS": "--profile dev",
        "PYTHONPATH": "",
    }
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-binary", "sealwire", "--disable-pip-version-check", packed, env=building)
    said = run(python, "-m", "pip", "show", "--files", "sealwire", env=building)
    assert {"sealwire/__init__.py", "sealwire/_sealwire.abi3.so", "sealwire/py.typed"} <= set(said.split())
    check_examples([python], folder, {"PATH": str(folder / "bin"), "HOME": str(folder)})


@pytest.mark.exhaustive
def test_the_shipped_wheel_runs_on_old_systems_too(tmp_path: Path) -> None:
    run("make", "wheels", "WHEELS=x86_64 aarch64", cwd=ROOT)
    *wheels, sources = sorted((ROOT / "build" / "wheels").iterdir())
    named = [SHIPPED.fullmatch(wheel.name) for wheel in wheels]
    assert [name and name[1] for name in named] == ["aarch64", "x86_64"] and sources.name.endswith(".tar.gz")
    for wheel in wheels:
        check_content(wheel)
    check_installed(wheels[1], tmp_path / "clean")
    check_emulated(wheels[0], tmp_path / "emulated")
