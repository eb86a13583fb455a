# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab results --unchanged`: which records an edit of the sources leaves true."""

import subprocess
from pathlib import Path

import pytest
import tiny_house
from record_maker import record
from sealwire_lab.cli import main
from sealwire_lab.implement import designs
from sealwire_lab.results import shipped

SOURCE = """\
module alpha #(
    parameter int unsigned WIDTH = 1
) (
    input logic clk,
    input logic [WIDTH-1:0] a,
    output logic [WIDTH-1:0] y
);
  if (WIDTH == 3) begin : gen_three
    assign y = ~a;
  end else begin : gen_other
    always_ff @(posedge clk) y <= a;
  end
endmodule
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The source of the only core of a repository, committed; a shipped record is of it."""
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    manifest = tiny_house.entry("alpha-r1", "defaults = { WIDTH = 2 }", top="alpha")
    path = tiny_house.make(tmp_path, manifest, alpha=SOURCE) / "hdl" / "alpha.sv"
    made = [record(target=target, params={"WIDTH": 2}) for target in ("ecp5", "xcup")]
    known = str(designs.current_hash(made[0]))
    shipped.write([record(target=one.target, params=one.params, sources_sha256=known) for one in made])
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return path


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("  if (WIDTH == 3) begin", "  localparam int unsigned MORE = 1;\n  if (WIDTH == 3) begin", True),
        ("assign y = ~a;", "assign y = a + 1;", True),
        ("y <= a;", "y <= ~a;", False),
        ("always_ff @(posedge clk)", "always_ff @(negedge clk)", False),
        ("output logic [WIDTH-1:0] y", "output logic [WIDTH-1:0] y, output logic z", False),
    ],
)
def test_a_record_stays_true_where_the_design_is_what_it_was(
    source: Path, capfd: pytest.CaptureFixture[str], old: str, new: str, same: bool
) -> None:
    before = shipped.load()
    source.write_text(SOURCE.replace(old, new), encoding="utf-8")
    assert main(["results", "--unchanged"]) == 0
    told, after = capfd.readouterr().err, shipped.load()
    for target in "ecp5", "xcup":
        assert (f"as it was: alpha-r1 on {target}" in told) == same
        assert (f"another design: alpha-r1 on {target}" in told) != same
    assert all((designs.current_hash(one) == one.sources_sha256) == same for one in after)
    assert [one.fmax_mhz for one in after] == [one.fmax_mhz for one in before]
    assert (after == before) != same


@pytest.mark.parametrize(("instance", "same"), [("", True), ("beta u_beta (.*);", False)])
def test_a_source_that_came_after_the_commit_is_none_of_the_record(
    source: Path, capfd: pytest.CaptureFixture[str], instance: str, same: bool
) -> None:
    (source.parent / "beta.sv").write_text("module beta (input logic clk);\nendmodule\n", encoding="utf-8")
    source.write_text(SOURCE.replace("endmodule", f"{instance}\nendmodule"), encoding="utf-8")
    manifest = source.parent / "cores.toml"
    manifest.write_text(manifest.read_text().replace('"hdl/alpha.sv"', '"hdl/beta.sv", "hdl/alpha.sv"'))
    assert main(["results", "--unchanged"]) == 0
    assert ("as it was: alpha-r1 on ecp5" in capfd.readouterr().err) == same


def test_a_record_of_neither_source_is_left(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What it was made of is not in the commit."""
    old = [record(params={"WIDTH": 2}, sources_sha256="11")]
    shipped.write(old)
    assert main(["results", "--unchanged"]) == 0
    assert "another design: alpha-r1 on ecp5" in capfd.readouterr().err and shipped.load() == old


def test_sources_that_cannot_be_compared_are_named(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "--unchanged"]) == 0
    assert "nothing to do" in capfd.readouterr().err
    assert main(["results", "--unchanged", "nothing"]) == 2
    assert "git has no nothing: fatal: " in capfd.readouterr().err
    source.write_text(SOURCE.replace("y <= a", "y <= b"), encoding="utf-8")
    assert main(["results", "--unchanged"]) == 2
    assert "alpha cannot be elaborated" in capfd.readouterr().err
