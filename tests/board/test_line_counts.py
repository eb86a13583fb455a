# SPDX-License-Identifier: Apache-2.0
"""Which counts of the ports the processor reads where: no bench tells two from one another that are 0 all the time."""

import json
import re

import pytest
from sealwire_lab.board import boards
from sealwire_lab.implement import yosys

WHOLE = ("board_port", "board_cpu", "sealwire_link_axil")
COUNTS = ("count_line", "count_underrun")
ORDER = [(port, count) for port in ("u_trusted", "u_untrusted") for count in COUNTS]
SWAPPED = [ORDER[at] for at in (0, 3, 2, 1)]  # the underruns


def read_by_the_processor(sources: dict[str, str]) -> list[tuple[str, str]]:
    """The port and its output behind each word of `line_counts`, the lowest first."""
    flags = (f"--blackboxed-module {module}" for module in WHOLE)
    elaboration = yosys.elaboration("board_device", {}, sources, *flags)
    script = "\n".join((elaboration, "opt_expr", "opt_clean", "write_json netlist.json"))
    failure = "board_device is not elaborated: {reason} ({folder})"
    folder = yosys.passes("counts", "board_device", sources, script, lambda *_: None, 600, failure)
    cells = json.loads((folder / "netlist.json").read_text(encoding="utf-8"))["modules"]["board_device"]["cells"]
    outputs = {
        tuple(cell["connections"][count]): (name.rsplit(".")[-1], count)
        for name, cell in cells.items()
        if cell["type"] == "board_port"
        for count in COUNTS
    }
    (cpu,) = (cell for cell in cells.values() if cell["type"] == "board_cpu")
    counts = cpu["connections"]["line_counts"]
    return [outputs[tuple(counts[at : at + 32])] for at in range(0, len(counts), 32)]


@pytest.fixture
def sources() -> dict[str, str]:
    found = yosys.named(boards.sources(boards.find("ecp5-versa")))
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


def test_the_processor_reads_each_count_of_each_port(sources: dict[str, str]) -> None:
    assert read_by_the_processor(sources) == ORDER


@pytest.mark.parametrize(("module", "pin"), [("board_device", "line_counts"), ("board_link", "count_underrun")])
def test_counts_of_underruns_in_each_others_place_are_found(sources: dict[str, str], module: str, pin: str) -> None:
    (name,) = (name for name in sources if name.endswith(f"_{module}.sv"))
    other = {"trusted": "untrusted", "untrusted": "trusted"}
    sources[name] = re.sub(
        rf"\.{pin}\(.*\)",
        lambda pins: re.sub(r"(un)?trusted(?=_count_underrun)", lambda side: other[side[0]], pins[0]),
        sources[name],
    )
    assert read_by_the_processor(sources) == SWAPPED
