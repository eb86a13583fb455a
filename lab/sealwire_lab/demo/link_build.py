# SPDX-License-Identifier: Apache-2.0
"""Builds the host program: hdl/link/sealwire_link.sv Verilated for one suite, between a TAP interface and a wire."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

from .. import build, cores, toolchain
from ..errors import LabError

SUITES = {"omd-sha512": 1, "omd-blake2b": 2}
_TOP = "sealwire_link"
_SOURCES = Path(__file__).parent / "host"


def link_sources() -> list[Path]:
    """The link's SystemVerilog files in compile order, from hdl/link/sources.toml."""
    manifest = cores.root() / "hdl" / "link" / "sources.toml"
    try:
        names = tomllib.loads(manifest.read_text(encoding="utf-8"))["sources"]
    except OSError as error:
        raise LabError(f"cannot read the list of the link's sources {manifest}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise LabError(f"{manifest} is not a list of sources: {error}") from error
    return [cores.root() / name for name in names]


def link_host(suite: str) -> Path:
    """The host program for a suite, built on first use."""
    tools = toolchain.find()
    sources = link_sources()
    host = sorted(_SOURCES.iterdir())
    programs = [path for path in host if path.suffix == ".cpp"]
    flags = ["-std=c++17", "-O2", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVL_TIME_CONTEXT"]

    def make(scratch: Path) -> None:
        library = build.runtime()
        archive = build.verilate(scratch, _TOP, sources, {"SUITE": SUITES[suite]}, f"V{_TOP}")
        command: list[str | Path] = [tools.cxx, *flags, "-isystem", tools.include, "-isystem", "obj", "-I", _SOURCES]
        command += [*programs, archive, library, "-pthread", "-o", "link_host"]
        done = subprocess.run(list(map(str, command)), cwd=scratch, capture_output=True, text=True)
        if done.returncode != 0:
            raise LabError(f"the host program does not compile: {done.stderr.strip()[:2000]}")
        shutil.rmtree(scratch / "obj")
        scratch.chmod(0o755)  # for other users of the machine too

    name = f"link-host-{suite}-{build.digest([suite, *flags, *sources, *host])}"
    return build.cached(f"simulations/{name}", make) / "link_host"
