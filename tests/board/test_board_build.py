# SPDX-License-Identifier: Apache-2.0
"""What `sealwire-lab board build` says, with programs in place of the tools that take long."""

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
from sealwire_lab import cli, firmware
from sealwire_lab.board import boards, flow, pins, record
from sealwire_lab.errors import LabError
from sealwire_lab.implement import flow as implement
from sealwire_lab.implement import stages, yosys

BOARD = boards.find("ecp5-versa")


def _outcome(folder: Path, status: str = stages.OK, reason: str = "") -> stages.Outcome:
    return stages.Outcome(status, reason, 1.0, 1.0, "", folder)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Stages that end at once; the clocks that nextpnr reaches, by name."""
    reached = {"core_clk": 110.0, "stream_clk": 80.0, "trusted_rx_clk": 130.0}
    asked = {"core_clk": 104.167, "stream_clk": 62.5, "trusted_rx_clk": 125.0}

    def run(what: str, folder: Path, prepare: object, **_: object) -> stages.Outcome:
        made = tmp_path / folder.name
        made.mkdir(exist_ok=True)
        missed = False
        if what == "synthesis":
            (made / implement.STAT).write_text(
                json.dumps({"design": {"num_cells_by_type": {"LUT4": 5, "TRELLIS_FF": 7}}})
            )
            (made / implement.NETLIST).write_text("{}")
        elif what.startswith("place"):
            fmax = {f"$glbnet${name}": {"achieved": reached[name], "constraint": asked[name]} for name in asked}
            used = {name: {"used": 3} for name in ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD")}
            (made / implement.REPORT).write_text(json.dumps({"fmax": fmax, "utilization": used}))
            missed = any(reached[name] < asked[name] for name in asked)
        elif what.startswith("packing"):
            (made / flow.BITSTREAM).write_bytes(b"bits")
        return _outcome(made, stages.FAILED, "place and route failed") if missed else _outcome(made)

    monkeypatch.setattr(stages, "run", run)
    monkeypatch.setattr(boards, "sources", lambda board: [board.pins])
    monkeypatch.setattr(firmware, "image", lambda: BOARD.pins)
    monkeypatch.setattr(flow, "pll", lambda board, *_: board.pins)
    monkeypatch.setattr(pins, "check", lambda *_: None)
    return reached


def test_a_board_that_meets_its_clocks_has_a_bitstream(
    tools: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["board", "build", "ecp5-versa", "--seeds", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [seed["seed"] for seed in told["seeds"]] == [1, 2] and told["comb"] == 5 and told["ff"] == 7
    first = told["seeds"][0]
    assert first["sha256"] == hashlib.sha256(b"bits").hexdigest()
    slack = {clock["clock"]: clock["slack_ns"] for clock in first["clocks"]}
    assert slack == {"core_clk": 0.509, "stream_clk": 3.5, "trusted_rx_clk": 0.308}


def test_a_clock_that_is_missed_is_named_with_its_slack(
    tools: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    tools["core_clk"] = 50.0
    assert cli.main(["board", "build", "ecp5-versa"]) == 1
    told = capsys.readouterr()
    assert "core_clk misses 104.167 MHz by 10.4 ns (50 MHz)" in told.err and "stream_clk misses" not in told.err
    assert "sha256" not in told.out


def test_a_recorded_build_is_a_row_of_the_documents(
    tools: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its bitstream's sum and no place of this machine; it says so when the sources are others."""
    kept = tmp_path / "boards.json"
    monkeypatch.setattr(record, "path", lambda: kept)
    board = dataclasses.replace(BOARD, core_mhz=104.166)
    monkeypatch.setattr(boards, "find", lambda _: board)
    assert cli.main(["board", "build", "ecp5-versa", "--record"]) == 0
    assert str(tmp_path) in capsys.readouterr().out and str(tmp_path) not in kept.read_text()
    row = record.table(["ecp5-versa"]).splitlines()[-1]
    sha256 = hashlib.sha256(b"bits").hexdigest()
    assert row == f"| `ecp5-versa` | 1 | 110 (104.17) | 80 (62.5) | 130 (125) | 3 | 3 | 3 | `{sha256}` |"
    area = record.areas(["ecp5-versa"]).splitlines()[-1]
    assert area == f"| `ecp5-versa` | {board.device} | 104.17 | 110 to 110 | 3 | 3 | 3 |"
    tools["core_clk"] = 50.0
    assert cli.main(["board", "build", "ecp5-versa", "--record", "--force"]) == 1
    assert "| 104.17 | none | 3 |" in record.areas(["ecp5-versa"])
    row = record.table(["ecp5-versa"]).splitlines()[-1]
    assert "| 50 (104.17) |" in row and row.endswith("| none: core_clk misses 104.167 MHz by 10.4 ns (50 MHz) |")
    tools["core_clk"] = 110.0
    assert cli.main(["board", "build", "ecp5-versa", "--record", "--seed", "3"]) == 0
    rows = record.table(["ecp5-versa"]).splitlines()[-2:]
    assert "| 1 | 50 (104.17) |" in rows[0] and "| 3 | 110 (104.17) |" in rows[1], "placements of one netlist"
    monkeypatch.setattr(boards, "sources", lambda board: [board.pins, Path(__file__)])
    for table in (record.table, record.areas):
        assert "| `ecp5-versa` (earlier sources) |" in table(["ecp5-versa"])
    assert cli.main(["board", "build", "ecp5-versa", "--record", "--seed", "2"]) == 0
    assert [seed["seed"] for seed in record.load()["ecp5-versa"]["seeds"]] == [2], "the others were of earlier sources"
    with pytest.raises(LabError, match="ecp5-versa"):
        record.table(["ecp5-vers"])


def test_an_unknown_board_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "build", "ecp5-vers"]) == 2
    assert "ecp5-versa" in capsys.readouterr().err


COUNTER = """\
module counter (input logic clk, output logic led);
  logic [47:0] count;
  always_ff @(posedge clk) count <= count + 48'd1;
  assign led = count[47];
endmodule
"""


@pytest.mark.parametrize("name", boards.load())
def test_the_pll_of_each_board_gives_its_clocks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By ecppll itself."""
    monkeypatch.setattr(yosys, "store", lambda: tmp_path)
    board = boards.find(name)
    for module in board.plls():
        assert f"module {module}" in flow.pll(board, module, 60, False, lambda *_: None).read_text()
    # The PLL divides and multiplies by whole numbers up to 128.
    other = dataclasses.replace(board, core_mhz=95.011)
    with pytest.raises(LabError, match="the PLL gives core_clk"):
        flow.pll(other, "core_pll", 60, False, lambda *_: None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("mhz", [50, 900])
def test_a_counter_goes_through_all_tools(mhz: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools themselves: a clock that is met gives a bitstream, always the same; one that is missed gives none."""
    monkeypatch.setattr(boards, "room", lambda: tmp_path / "boards")
    monkeypatch.setattr(yosys, "store", lambda: tmp_path / "store")
    board = dataclasses.replace(BOARD, name="counter", top="counter")
    board.folder.mkdir(parents=True)
    (board.folder / "counter.sv").write_text(COUNTER)
    board.pins.write_text(
        f'FREQUENCY PORT "clk" {mhz} MHZ;\nLOCATE COMP "clk" SITE "P3";\nIOBUF PORT "clk" IO_TYPE=LVCMOS33;\n'
        'LOCATE COMP "led" SITE "E16";\nIOBUF PORT "led" IO_TYPE=LVCMOS25;\n'
    )
    made = flow.synthesise("counter", [board.folder / "counter.sv"], {}, None, 3600, False, lambda *_: None)
    netlist = made.folder / implement.NETLIST
    placed = [flow.place(board, netlist, 1, 3600, force, lambda *_: None) for force in (False, True)]
    assert [clock.asked_mhz for clock in placed[0].clocks] == [pytest.approx(mhz, rel=0.01)]
    assert placed[0].sha256 == placed[1].sha256
    assert bool(placed[0].bitstream) == (mhz == 50)
    assert ("misses" in placed[0].verdict()) == (mhz == 900)
    assert flow.pll(board, "core_pll", 3600, False, lambda *_: None).read_text().count("module core_pll") == 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", boards.load())
def test_a_whole_board_is_built_as_it_was_recorded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By all tools, with the first seed of the record: the bitstream is the same to the bit."""
    monkeypatch.setattr(yosys, "store", lambda: tmp_path)
    kept, board = record.load()[name], boards.find(name)
    assert kept["sources_sha256"] == record.sources_hash(board), "build and record the board anew"
    (seed, *_) = kept["seeds"]
    built = flow.build(board, [seed["seed"]], route=True, limit=3600, force=False, progress=lambda *_: None).json()
    assert built["comb"] == kept["comb"] and built["seeds"][0]["sha256"] == seed["sha256"]
