# SPDX-License-Identifier: Apache-2.0
"""Turns a core and a set of parameters into a simulation, once.

A build is named by the hash of everything that goes into it (sources, harness, parameters, tool versions, flags), made
in a private directory and moved into place in one step, under a lock: any number of processes may ask for the same one.
Verilator's own runtime is compiled once and shared.
"""

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import cores, files, toolchain
from .cores import Core
from .coverage import collect
from .errors import LabError

HARNESS = Path(__file__).parent / "harness"
#: Verilator's parts that a simulation may link: the linker leaves out those of cocotb and coverage otherwise.
_RUNTIME = ("verilated.cpp", "verilated_threads.cpp", "verilated_vcd_c.cpp", "verilated_vpi.cpp", "verilated_cov.cpp")
#: The state of a model is a waveform of one moment, whole whatever the size of a memory.
_STATE = ("--trace-vcd", "--trace-max-array", "1048576", "--trace-max-width", "1048576")
#: The C++ of models and main programs that ask for no newer one, which would have longer headers.
_STANDARD = "gnu++17"
_CXXFLAGS = ("-DVERILATOR=1", "-DVM_SC=0", "-DVM_TRACE=0", "-w", "-pthread")
#: What every model and most main programs include: parsing it takes longer than compiling a small model.
_HEADERS = ("verilated.h", "verilated_vcd_c.h", "deque", "functional", "iostream", "map", "sstream", "tuple")


@dataclass(frozen=True)
class Netlist:
    """A core in cells: Verilog that stands in for its RTL, and what that includes.  Its parameters are built in."""

    name: str
    sources: tuple[Path, ...]
    included: tuple[Path, ...] = ()


def build_dir() -> Path:
    """Where builds are kept: build/lab below the top of the checkout."""
    return cores.root() / "build" / "lab"


def _run(command: Sequence[object], cwd: Path) -> None:
    tools = toolchain.find()
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=tools.environment(), capture_output=True, text=True
    )
    if done.returncode != 0:
        log = build_dir() / "last-error.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(" ".join(map(str, command)) + "\n\n" + done.stdout + done.stderr, encoding="utf-8")
        lines = [line for line in (done.stderr + done.stdout).splitlines() if "rror" in line] or ["(no message)"]
        refused = re.search(r"USERFATAL: (\S+):\d+: (.*)", lines[0])
        if refused:
            where = "give another value, in the command or in the core's entry of hdl/cores.toml"
            raise LabError(f"{refused[2]} ({refused[1]}); {where}")
        raise LabError(f"{Path(str(command[0])).name} failed: {lines[0].strip()} (all of it: {log})")


def digest(parts: Iterable[str | Path]) -> str:
    """Short name for a set of inputs: strings as they are, files by name and content."""
    tools = toolchain.find()
    state = hashlib.sha256(f"{tools.verilator_version}|{tools.cxx_version}|{_CXXFLAGS}".encode())
    for part in (Path(__file__), *parts):  # this file holds the flags
        state.update(b"\0")
        if isinstance(part, Path):
            state.update(part.name.encode() + b"\0" + files.source(part))
        else:
            state.update(part.encode())
    return state.hexdigest()[:16]


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """The directory build/lab/<name>; `make` fills a private one first if it does not exist."""
    final = build_dir() / name
    if final.exists():
        return final
    with files.locked(build_dir() / "locks" / name.replace("/", "_")):
        if not final.exists():
            final.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=final.parent))
            try:
                make(scratch)
                scratch.rename(final)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return final


def compiler(optimise: str, standard: str = _STANDARD) -> list[object]:
    """The start of a command that compiles C++ of a simulation."""
    tools = toolchain.find()
    return [tools.cxx, optimise, f"-std={standard}", *_CXXFLAGS, "-I", tools.include, "-I", tools.include / "vltstd"]


def runtime() -> Path:
    """Verilator's runtime as one static library, compiled on first use."""
    tools = toolchain.find()

    def make(scratch: Path) -> None:
        for name in _RUNTIME:
            _run([*compiler("-O2"), "-c", tools.include / name], scratch)
        _run(["ar", "rcs", "libverilated.a", *(Path(name).stem + ".o" for name in _RUNTIME)], scratch)
        for leftover in scratch.glob("*.o"):
            leftover.unlink()

    return cached(f"runtime-{digest(_RUNTIME)}", make) / "libverilated.a"


def headers(optimise: str, standard: str) -> list[object]:
    """The words that give a compilation the common headers, precompiled on first use.

    The compiler takes the plain header instead where the precompiled one does not fit its other options.
    """
    command = compiler(optimise, standard)

    def make(scratch: Path) -> None:
        (scratch / "common.hpp").write_text("".join(f"#include <{name}>\n" for name in _HEADERS), encoding="utf-8")
        _run([*command, "-x", "c++-header", "common.hpp", "-o", "common.hpp.gch"], scratch)

    return ["-include", cached(f"headers-{digest([*_HEADERS, optimise, standard])}", make) / "common.hpp"]


def bench() -> Path:
    """The harness that runs any core, compiled on first use for all of them."""
    sources = sorted(HARNESS.glob("*.[ch]pp"))
    command = [*compiler("-O2", "gnu++20"), "-c", HARNESS / "harness.cpp", "-o", "harness.o"]
    return cached(f"harness-{digest(sources)}", lambda scratch: _run(command, scratch)) / "harness.o"


def program(
    scratch: Path,
    output: str,
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, int | str],
    prefix: str,
    flags: Sequence[str] = (),
    main: Path | None = None,
    words: Sequence[object] = (),
    optimise: str = "-Og",
    standard: str = _STANDARD,
) -> None:
    """Verilate `top` and compile it with `main` into scratch/output.  `flags` are Verilator's, `words` the compiler's.

    The main program and the whole model are one unit, since parsing the headers takes the compiler longer than a small
    model; what runs once stands last, without optimisation.  `-Og` compiles in two thirds of the time of `-O1`, and
    what it makes runs nine tenths as fast.
    """
    folder = scratch / "obj"
    _run(
        [
            toolchain.find().verilator, "--cc", "-O3", "--assert", "--no-timing",
            "-Wno-fatal", "-Werror-USERFATAL", "-Wno-lint", "-Wno-style",
            "--x-assign", "unique", "--x-initial", "unique", "--prefix", prefix, "--Mdir", "obj", "--top-module", top,
            *flags, *(f"-G{name}={value}" for name, value in parameters.items()), *sources,
        ],
        scratch,
    )  # fmt: skip
    once = sorted(folder.glob("*__Slow.cpp"))
    often = [*sorted({*folder.glob("*.cpp")} - {*once}), *([main] if main else [])]
    lines = [
        "#define VL_INCLUDE_OPT include",
        *(f'#include "{path}"' for path in often),
        '#pragma GCC optimize ("O0")',
        *(f'#include "{path}"' for path in once),
    ]
    (folder / "model.cc").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [*compiler(optimise, standard), *headers(optimise, standard), *collect.header(flags), "-I", "obj"]
    _run([*command, "obj/model.cc", *words, runtime(), "-o", output], scratch)
    shutil.rmtree(folder)


def simulation(core: Core, parameters: dict[str, int], netlist: Netlist | None = None) -> Path:
    """The program that runs `core` with `parameters` under the harness; `netlist` takes the RTL's place."""
    if core.kind not in ("aead", "mac"):
        raise LabError(f"{core.name} is a core of kind {core.kind!r}; the harness runs AEAD and MAC cores")
    files = list(netlist.sources if netlist else core.sources)
    included = list(netlist.included if netlist else ())
    folders = dict.fromkeys(f"-I{path.parent}" for path in included)
    harness = [*sorted(HARNESS.glob("*.[ch]pp")), *collect.SOURCES]
    options = [f"{name}={value}" for name, value in sorted(parameters.items())]
    if core.shares > 1:
        options.append(f"SHARES={core.shares}")
    if core.commands > 1:
        options.append(f"COMMANDS={core.commands}")
    counting = () if netlist else collect.flags()
    parts: list[str | Path] = [core.top, *options, *files, *included, *harness, *counting]
    name = f"{netlist.name if netlist else core.top}-{digest(parts)}"

    def make(scratch: Path) -> None:
        flags = [*_STATE, *counting, "-fno-lift-expr", *folders]
        defines = [*collect.defines(counting, name), *(f"-D{option}" for option in options)]
        program(
            scratch, "simulation", core.top, files, {} if netlist else parameters, "Vcore", flags,
            main=HARNESS / "model.cpp", words=["-I", HARNESS, *defines, bench()],
            # A cell is a line of C++: the compiler's time would be many times that of the simulation.
            optimise="-O0" if netlist else "-Og",
        )  # fmt: skip

    return cached(f"simulations/{name}", make) / "simulation"
