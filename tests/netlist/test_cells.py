# SPDX-License-Identifier: Apache-2.0
"""A core in standard cells: what it computes, and its energy against the loads that the library's file tells."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest
from sealwire_lab import activity, cores
from sealwire_lab.cli import main
from sealwire_lab.implement import cells, stages, yosys
from sealwire_lab.implement.designs import Request
from support.standard_cells import TARGET, described, installed

SMALLEST = "asconprf64-r1"


@pytest.fixture(autouse=True)
def library() -> None:
    installed()


@pytest.mark.exhaustive
def test_the_energy_of_the_nets_is_that_of_their_toggles_and_loads() -> None:
    core = cores.find(SMALLEST)
    request = Request(core, TARGET, core.parameters())
    done = yosys.synthesise(request, lambda *_: None)
    power, joule = cells.energy(core, done, request, lambda *_: None)
    counted = activity.count(core, request.parameters, TARGET, cells.MESSAGE_BYTES, 1, lambda *_: None)
    library = described()
    loads: dict[object, float] = defaultdict(float)
    driven = set()
    for cell in counted.top["cells"].values():
        for pin, (bit,) in cell["connections"].items():
            if cell["port_directions"][pin] == "output":
                driven.add(bit)
            else:
                loads[bit] += library[cell["type"]][1][pin]
    farad_volts = sum(toggles * loads[bit] for bit, (toggles, _) in counted.nets.items() if bit in driven)
    switching = farad_volts * 1e-12 * 1.8**2 / 2
    said = re.search(r"^Total\s+\S+\s+(\S+)", (power.folder / stages.LOG).read_text(), re.MULTILINE)
    assert said and joule
    assert switching == pytest.approx(float(said[1]) * 100e-9 * counted.cycles, rel=0.02)
    assert switching / (8 * cells.MESSAGE_BYTES) * 1e12 < joule


@pytest.mark.exhaustive
def test_the_activity_of_an_aead_core_is_counted_from_command_to_result(capsys: pytest.CaptureFixture[str]) -> None:
    name = "ascon-aead128-r1"
    assert main(["activity", "--core", name, "--bytes", "1600", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(["cycles", "--core", name, "--blocks", "100", "--json"]) == 0
    assert found["cycles"] == json.loads(capsys.readouterr().out)["total"]["100"]
    # Half of the bits of the state change in a round.
    assert 160 < found["toggles"] / found["cycles"] < found["nets"] / 2


@pytest.mark.exhaustive
def test_a_core_in_standard_cells_gives_known_answers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kat", "--core", SMALLEST, "--netlist", "osu018", "--limit", "20", "--stall", "both"]
    assert main([*words, str(cores.root() / "vectors" / "asconprf64.rsp")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "20 passed, 0 failed"
