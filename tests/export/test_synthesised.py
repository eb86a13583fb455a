# SPDX-License-Identifier: Apache-2.0
"""Exported Verilog does the same after a synthesis of its own: known answers, forgeries and malformed packets."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from sealwire_lab import cores, lint, tops
from sealwire_lab.publish.export import bench, package, verilog
from sealwire_lab.publish.export.package import Package
from support.tools import tool

LIMIT = 1200
#: One core of each family, interleaved ones apart, on one of the two buses; AES-COPA and SCREAM have the parts of COLM
#: and Deoxys-I.
FAST = {
    "axis": (
        "omd-sha256-r1", "sivomdp-sha512-r1", "omd-sha512-x4", "ocb-aes128-p2", "deoxysii-128-r1", "aegis128l-r1",
        "minalpher-p2",
    ),
    "lwc": (
        "omd-sha256-r1", "pomd-sha256-r1", "otr-aes128-p-r1", "ascon-aead128-r1", "deoxysi-128-p2", "colm-aes128-r1",
        "gcm-aes128-p2",
    ),
}  # fmt: skip
KINDS = [
    pytest.param(core.name, bus, None, marks=() if core.name in FAST[bus] else pytest.mark.exhaustive)
    for core in cores.load().values()
    if core.kind == "aead" and core.shares == 1
    for bus in tops.WIDTHS
]
OTHER_WIDTHS = [
    pytest.param("omd-sha256-r1", bus, width, marks=pytest.mark.exhaustive)
    for bus, widths in tops.WIDTHS.items()
    for width in widths[1:]
]


def quiet(_what: str, _seconds: float, _line: str) -> None:
    pass


def exported(core: str, bus: str, width: int | None = None) -> tuple[Package, str]:
    made = package.gather(cores.find(core), bus, width, {})
    return made, verilog.make(made.top, quiet, LIMIT)


@pytest.mark.parametrize(("core", "bus", "width"), [*KINDS, *OTHER_WIDTHS])
def test_an_export_passes_after_synthesis(core: str, bus: str, width: int | None, tmp_path: Path) -> None:
    made, text = exported(core, bus, width)
    (tmp_path / "plain.v").write_text(text)
    assert lint.plain(made.name, [tmp_path / "plain.v"]) == []
    passed, output = bench.run(made, verilog.synthesised(made.name, text, quiet, LIMIT))
    assert passed, output


@pytest.mark.parametrize(
    ("bus", "complaint"),
    [("axis", "not refused as it should be: a short beat in the middle of the message"), ("lwc", "expected f0000000")],
)
def test_an_engine_that_forgets_faults_fails(bus: str, complaint: str, tmp_path: Path) -> None:
    made, text = exported("omd-sha256-r1", bus)
    wrong, count = re.subn(r"\bwork_code <= \w+;", "work_code <= 4'h0;", text)
    assert count == 1
    (tmp_path / "wrong.v").write_text(wrong)
    passed, output = bench.run(made, tmp_path / "wrong.v")
    assert not passed and complaint in output, output


@pytest.mark.parametrize("bus", ["axis", pytest.param("lwc", marks=pytest.mark.exhaustive)])
def test_the_bench_runs_in_four_states(bus: str, tmp_path: Path) -> None:
    iverilog = tool("iverilog")
    made, text = exported("omd-sha256-r1", bus)
    files = {"plain.v": text, **bench.files(made)}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    sources = ["plain.v", *bench.sources(made)]
    compiled = [iverilog, "-g2012", "-o", "compiled", "-s", f"{made.name}_tb", *sources]
    subprocess.run(compiled, cwd=tmp_path, check=True)
    words = ["vvp", "-n", "compiled", "+every=1000"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert bench.passed(done.stdout), done.stdout[-2000:] + done.stderr
