# SPDX-License-Identifier: Apache-2.0
"""The control plane of the link: the registers in simulation, and what is generated from their description."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import generate
import pytest
from generated.sealwire_link_regs import REGISTERS
from sealwire_demo.rules import CAUSES
from support import hdl_bench

CONTROL = hdl_bench.ROOT / "hdl" / "link" / "control"
LISTS = tomllib.loads((hdl_bench.ROOT / "hdl" / "link" / "sources.toml").read_text())
SOURCES = [hdl_bench.ROOT / name for name in LISTS["sources"] + LISTS["control"]]


#: Parameters besides the suite: with protected writes, without them and with slices, and with streams of 128 bits
BUILDS = {
    "protected": {"PROTECTED_WRITES": 1},
    "open": {"PROTECTED_WRITES": 0, "SLICES": 1},
    "wide": {"PROTECTED_WRITES": 1, "DATA_BITS": 128},
}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("control_bench"))
@pytest.mark.parametrize(
    "build", [name if name == "protected" else pytest.param(name, marks=pytest.mark.exhaustive) for name in BUILDS]
)
def test_control(build: str, test: str) -> None:
    parameters = BUILDS[build]
    directory = hdl_bench.simulation("sealwire_link_axil", SOURCES, {"SUITE": 2} | parameters)
    hdl_bench.check(directory, "sealwire_link_axil", "control_bench", test, **parameters)


#: What a module of the counters needs ahead of it
PACKAGES = [source for source in SOURCES if source.stem in ("link_pkg", "link_types_pkg")]


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("counter_read_bench"))
def test_counter_read(test: str) -> None:
    sources = [*PACKAGES, CONTROL / "link_counter_read.sv"]
    directory = hdl_bench.simulation("link_counter_read", sources, {})
    hdl_bench.check(directory, "link_counter_read", "counter_read_bench", test)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("counter_memory_bench"))
def test_counter_memory(test: str) -> None:
    stats = hdl_bench.ROOT / "hdl" / "link" / "stats"
    sources = [*PACKAGES, stats / "counter_registers.sv", stats / "counter_memory.sv"]
    directory = hdl_bench.simulation("counter_memory", sources, {})
    hdl_bench.check(directory, "counter_memory", "counter_memory_bench", test)


#: Channels, and periods in ps of the counting and of the counted clock: the fewest channels, as many as the link has,
#: and the most at the ratio of clocks that the module's header states. Last, SLICES.
EVENTS = {
    "2-near": (2, 10000, 10006, 0),
    "2-far": (2, 1300, 27100, 0),
    "11-near": (11, 10006, 10000, 0),
    "11-near-slices": (11, 10006, 10000, 1),
    "11-far": (11, 27100, 1300, 0),
    "16-far": (16, 1000, 90000, 0),
    "16-far-slices": (16, 1000, 90000, 1),
}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("event_cdc_bench"))
@pytest.mark.parametrize("events", EVENTS)
def test_event_cdc(events: str, test: str) -> None:
    channels, s_period, m_period, slices = EVENTS[events]
    crossing = [hdl_bench.library(name) for name in ("sync_bits", "cdc_reset", "cdc_word", "cdc_bus")]
    flat = Path(__file__).with_name("flat_event_cdc.sv")
    sources = [*PACKAGES, *crossing, hdl_bench.ROOT / "hdl" / "link" / "stats" / "event_cdc.sv", flat]
    directory = hdl_bench.simulation("flat_event_cdc", sources, {"CHANNELS": channels, "SLICES": slices})
    settings = {"CHANNELS": channels, "S_PERIOD": s_period, "M_PERIOD": m_period}
    hdl_bench.check(directory, "flat_event_cdc", "event_cdc_bench", test, **settings)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("write_guard_bench"))
def test_write_guard(test: str) -> None:
    directory = hdl_bench.simulation("axil_write_guard", [CONTROL / "axil_write_guard.sv"], {})
    hdl_bench.check(directory, "axil_write_guard", "write_guard_bench", test)


def test_generated_files_are_fresh() -> None:
    assert not generate.stale(), "run hdl/link/control/generate.py"


def test_counters_stand_in_the_order_of_their_registers() -> None:
    """`counter_e` and the register description agree; every counter but the two numbers of the session is a port."""
    link = hdl_bench.ROOT / "hdl" / "link"
    types = (link / "link_types_pkg.sv").read_text(encoding="utf-8")
    names = re.findall(r"\bCOUNT_(\w+)", types.split("} counter_e;")[0].rsplit("typedef enum", maxsplit=1)[1])
    registers = generate.compile_description().get_child_by_name("counters")
    assert [name.lower() for name in names] == [register.inst_name for register in registers.children()], (
        "counter_e (hdl/link/link_types_pkg.sv) and sealwire_link_regs.rdl (hdl/link/control) must name the same "
        "counters in one order; then run hdl/link/control/generate.py"
    )
    top = (link / "sealwire_link.sv").read_text(encoding="utf-8")
    ports = re.findall(r"output logic \[ *63:0\] count_(\w+)", top)
    expected = {name.lower() for name in names} - {"session_sent", "session_received"}
    assert set(ports) == expected, (
        f"hdl/link/sealwire_link.sv: add port count_... and its line `assign` for {sorted(expected - set(ports))}, "
        f"remove them for {sorted(set(ports) - expected)}"
    )
    assert re.findall(r"assign count_(\w+) = counts\[COUNT_(\w+)\];", top) == [(port, port.upper()) for port in ports]


def read(name: str) -> str:
    return (hdl_bench.ROOT / name).read_text(encoding="utf-8")


KEPT = {name.removeprefix("counters.") for name in REGISTERS if name.startswith("counters.")} - {
    "session_sent",
    "session_received",
}
DROPS = {name for name in KEPT if name.startswith("drop_")}
TRUSTED_DROPS = {name for name in DROPS if name.startswith("drop_trusted_")}


def counted_along() -> dict[str, tuple[set[str], set[str]]]:
    """By place where counters stand by name and nothing derives them: those that stand there, and those that should."""
    link = read("hdl/link/README.md")
    table = link.split("| counter `count_...` |")[1].split("\n\n")[0].splitlines()[2:]
    rows = {name for row in table for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    sums = {left: set(re.findall(r"\w+", right)) for left, right in re.findall(r"    (\w+) += (.*(?:\n +\+.*)*)", link)}
    received = {"delivered", "keepalives_in", "handshakes_in"}
    return {
        "CAUSES in demo/sealwire_demo/rules.py": ({f"drop_{cause}" for cause in CAUSES}, DROPS - TRUSTED_DROPS),
        "the table of counters in hdl/link/README.md": (rows, KEPT),
        "the sum of trusted_in in hdl/link/README.md": (sums["trusted_in"], TRUSTED_DROPS | {"sealed"}),
        "the sum of untrusted_in in hdl/link/README.md": (sums["untrusted_in"], DROPS - TRUSTED_DROPS | received),
    }


@pytest.mark.parametrize("place", counted_along())
def test_every_counter_stands_where_somebody_counts_along(place: str) -> None:
    found, expected = counted_along()[place]
    assert found == expected, f"{place}: add {sorted(expected - found)}, remove {sorted(found - expected)}"


@pytest.mark.parametrize("clock", ["TRUSTED", "UNTRUSTED"])
def test_each_counter_of_an_outer_clock_has_a_channel(clock: str) -> None:
    """A counter that an outer clock counts without a channel stops every simulation that counts it (`event_cdc`)."""
    types = read("hdl/link/link_types_pkg.sv")
    listed = re.findall(r"COUNT_\w+", types.split(f" {clock}_COUNTERS = {{")[1].split("}")[0])
    channels = int(re.findall(rf" {clock}_CHANNELS = (\d+);", types)[0])
    assert channels == len(set(listed)) == len(listed) <= 16, (
        f"hdl/link/link_types_pkg.sv: {clock}_COUNTERS names {len(set(listed))} counters in {len(listed)} lines, so "
        f"{clock}_CHANNELS must be {len(set(listed))}, not {channels}; 16 at most, each once"
    )


def test_the_guides_say_where_the_counters_stand_and_how_long_a_turn_takes() -> None:
    guide, link = read("docs/control.md"), read("hdl/link/README.md")
    registers = [register for name, register in REGISTERS.items() if name.startswith("counters.")]
    last = max(register.address for register in registers) + 7
    turns = len(registers)
    window = f"| {registers[0].address:03x} - {last:03x} | `counters` | r | {len(registers)} of 64 bits"
    assert window in guide, f"docs/control.md must say: {window}"
    for words in (f"its turn once in {turns} cycles", f"hold {turns} cycles"):
        assert words in link, f"hdl/link/README.md must say: {words}"
    words = f"A low word is answered within {turns + 8} cycles"
    assert words in guide, f"docs/control.md must say: {words}"


def test_a_stale_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate.write(tmp_path)
    monkeypatch.setattr(generate, "GENERATED", tmp_path)
    assert not generate.stale()
    (tmp_path / "sealwire_link_regs.h").write_text("old")
    (tmp_path / "left_over.py").write_text("")
    assert generate.stale() == ["left_over.py", "sealwire_link_regs.h"]


def test_html_page_is_made(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, CONTROL / "generate.py", "--html", tmp_path], check=False)
    assert done.returncode == 0 and (tmp_path / "index.html").exists()


def test_c_example_of_the_guide_compiles(tmp_path: Path) -> None:
    """The C code of the guide with the generated header; the addresses of both languages agree."""
    guide = (hdl_bench.ROOT / "docs" / "control.md").read_text(encoding="utf-8")
    example = guide.split("```c\n")[1].split("```")[0]
    checks = [
        f'_Static_assert(offsetof(sealwire_link_regs_t, {name}) == {register.address}, "{name}");'
        for name, register in REGISTERS.items()
    ]
    program = tmp_path / "example.c"
    program.write_text(example + "\n".join(checks) + "\n", encoding="utf-8")
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", CONTROL / "generated", "-c", program]
    subprocess.run([str(part) for part in [*command, "-o", tmp_path / "example.o"]], check=True)
