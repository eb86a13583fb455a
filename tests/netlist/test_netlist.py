# SPDX-License-Identifier: Apache-2.0
"""Known answers on the netlist after synthesis: one core of each primitive, and proof that a fault shows."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sealwire_lab import cores, kat, netlist, toolchain
from sealwire_lab.build import Netlist
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import targets
from sealwire_model.answers import parse

VECTORS = Path(__file__).parents[2] / "vectors"
SMALLEST = ("ascon-aead128-r1", "asconaead128.rsp")
SMALL = ("omd-sha256-r1", "omdsha256k256n248tau256v2.rsp")
#: (core, file, target, records)
SLOW = [
    (*SMALL, "ecp5", 40),
    (*SMALL, "xcup", 40),
    ("omd-sha512-r1", "omdsha512k512n256tau256v2.rsp", "ecp5", 20),
    ("omd-blake2b-h", "omdblake2bk512n256tau256v2.rsp", "ecp5", 20),
    ("omd-blake2b-f", "omdblake2bk512n256tau256v2.rsp", "xcup", 20),
    ("ascon-aead128-m1", "asconaead128.rsp", "ecp5", 20),
]
#: Cores in which one wrong table must show, and modules whose tables are meant.
FAULTY = [(*SMALL, "u_compress"), ("otr-aes128-p-r1", "aes128otrpv3.rsp", "u_core.gen_whole_round.u_aes")]


def test_the_smallest_core_passes(capsys: pytest.CaptureFixture[str]) -> None:
    core, name = SMALLEST
    words = ["kat", "--core", core, "--netlist", "ecp5", "--limit", "40", "--stall", "both", str(VECTORS / name)]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "40 passed, 0 failed" and f"the ecp5 netlist of {core}" in err


@pytest.mark.exhaustive
@pytest.mark.parametrize(("core", "name", "target", "limit"), SLOW)
def test_a_core_passes(core: str, name: str, target: str, limit: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kat", "--core", core, "--netlist", target, "--limit", str(limit), str(VECTORS / name)]
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{limit} passed, 0 failed"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "target"), [("asconprf64-r1", "xc7"), ("asconfarfalle-p6", "xc7"), ("asconmac-m1", "ecp5")]
)
def test_a_mac_core_passes(name: str, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = cores.find(name).vectors()[0]
    assert main(["kat", "--core", name, "--netlist", target, "--limit", "20", "--stall", "both", str(vectors)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "20 passed, 0 failed"


def made(core: str, name: str) -> Netlist:
    sizes = kat.parameters_for(cores.find(core), parse(VECTORS / name))
    return netlist.make(cores.find(core), sizes, targets.find("ecp5"), lambda *_: None, 1200)


def verdicts(core: str, name: str, cells: Netlist) -> list[bool]:
    found = kat.run(cores.find(core), parse(VECTORS / name), limit=3, netlist=cells)
    return [verdict.passed for verdict in found]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("core", "name", "module"), FAULTY)
def test_one_wrong_table_of_the_netlist_fails(core: str, name: str, module: str, tmp_path: Path) -> None:
    cells = made(core, name)
    assert all(verdicts(core, name, cells))
    quiet, source, model = cells.sources
    text = source.read_text()
    # A LUT of the primitive: every bit of its table the other way round.
    found = re.search(rf"LUT4 #\(\s*\.INIT\(16'h([0-9a-f]{{4}})\)\s*\) \\{re.escape(module)}\.", text)
    assert found
    broken = tmp_path / "netlist.v"
    broken.write_text(text[: found.start(1)] + f"{int(found[1], 16) ^ 0xFFFF:04x}" + text[found.end(1) :])
    assert not all(verdicts(core, name, replace(cells, sources=(quiet, broken, model))))


@pytest.mark.exhaustive
def test_a_wrong_model_of_a_cell_fails(tmp_path: Path) -> None:
    cells = made(*SMALL)
    quiet, source, models = cells.sources
    for path in (models, *cells.included):
        shutil.copy(path, tmp_path)
    carry = tmp_path / "ccu2c_sim.vh"
    right = carry.read_text()
    wrong = right.replace("assign COUT = (~LUT4_1 & gated_lut2_1)", "assign COUT = (LUT4_1 & gated_lut2_1)")
    assert wrong != right
    carry.write_text(wrong)
    there = tuple(tmp_path / path.name for path in cells.included)
    copied = tmp_path / models.name
    assert not any(verdicts(*SMALL, replace(cells, sources=(quiet, source, copied), included=there)))


def test_a_target_without_models_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(toolchain, "package", lambda *_: tmp_path)
    with pytest.raises(LabError, match="has no models of the cells of ecp5"):
        netlist.models(targets.find("ecp5"))
