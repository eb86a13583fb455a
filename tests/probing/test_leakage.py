# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab leakage`: its simulation and test on a circuit whose answers are known, and on a masked core."""

from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.leakage import campaign
from sealwire_assurance.probe import check
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement.targets import TARGETS
from sealwire_lab.masked import Masked

CORE = "otr-aes128-p-m1"
#: Both shares of a byte in registers, and their sum in a third one. The logic of the sum is a lookup table's.
SOURCE = """
module shares (input logic clk, input logic [15:0] x, output logic [7:0] q0, q1, sum);
  always_ff @(posedge clk) begin q0 <= x[7:0]; q1 <= x[15:8]; sum <= q0 ^ q1; end
endmodule
"""


#: That circuit with the logic of the sum at a port, too.
AT_A_PORT = SOURCE.replace("q0, q1, sum);", "q0, q1, sum, seen);\n  assign seen = q0 ^ q1;")


def synthesised(folder: Path, text: str) -> Path:
    source = folder / "shares.sv"
    source.write_text(text, encoding="utf-8")
    return check.netlist(Masked("shares", (source,), {}, {}), {}, TARGETS["ecp5"], lambda *_: None)


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthesised(tmp_path_factory.mktemp("shares"), SOURCE)


def t_values(cells: Path, more: dict[str, Any] | None = None, **about: Any) -> list[float]:
    """Welch's t of three cycles: x comes, its shares and the logic of their sum change, the sum's register changes."""
    x = {"value": "ff", "fixed": True, "shared": True, **(more or {})}
    steps = [{"set": {"x": {"value": "0"}}, "cycles": 4}, {"set": {"x": x}, "cycles": 3, "record": True}]
    campaign = {"top": "shares", "secret": ["x"], "steps": steps, "traces": 4096, "seed": 1, **about}
    found: list[float] = check.answer("sealwire-leakage", cells, campaign, lambda *_: None)["t"]
    return found


def test_shares_at_a_port_do_not_leak_and_their_sum_does(cells: Path) -> None:
    port, logic, register = map(abs, t_values(cells))
    assert port < 4.5 and logic > 4.5 and register > 4.5


def test_a_public_register_is_left_out_and_so_is_the_logic_that_it_alone_takes(cells: Path, tmp_path: Path) -> None:
    port, logic, register = map(abs, t_values(cells, public=["sum"]))
    assert port < 4.5 and logic < 4.5 and register == 0.0
    port, logic, register = map(abs, t_values(synthesised(tmp_path, AT_A_PORT), public=["sum"]))
    assert port < 4.5 and logic > 4.5 and register == 0.0


def test_shares_in_registers_do_not_leak(cells: Path) -> None:
    # With one share's register at 0 the logic of the sum shows the other share.
    assert all(abs(t) < 4.5 for t in t_values(cells, hold=["q1", "sum"]))


def test_bare_values_leak_at_once(cells: Path) -> None:
    assert all(abs(t) > 4.5 for t in t_values(cells, {"bare": True})[:2])


def test_registers_that_are_held_show_nothing(cells: Path) -> None:
    assert t_values(cells, {"bare": True}, hold=["q0", "q1", "sum"])[1:] == [0.0, 0.0]


def test_the_threshold_grows_with_the_points() -> None:
    assert 4.41 < campaign.threshold(1) < 4.42 < campaign.threshold(100) < campaign.threshold(1000) < 6


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--core", CORE, "--fixed", "tag"], "no class is called 'tag'"),
        (["--core", "otr-aes128-p-r1", "--fixed", "key"], "no masked core is called 'otr-aes128-p-r1'"),
    ],
)
def test_what_cannot_be_measured_is_one_line(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["leakage", *words]) == 2
    assert message in capfd.readouterr().err


@pytest.mark.parametrize("words", [["--traces", "9" * 23], ["--traces", "0"], ["--seed", str(2**64)]])
def test_numbers_that_no_campaign_can_have_are_refused(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["leakage", "--core", CORE, "--fixed", "key", *words])
    assert end.value.code == 2 and f"'{words[1]}' is not a whole number from" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["traces", "seed", "delays"])
def test_the_program_itself_refuses_numbers_of_more_than_64_bits(name: str, cells: Path) -> None:
    with pytest.raises(LabError, match=f"{name} is .*, which is no number of 64 bits"):
        t_values(cells, None, **{name: 2**64})


@pytest.mark.parametrize(
    ("place", "message"), [("", "names no file"), ("folder", "names no file"), ("file/t.svg", "cannot write")]
)
def test_a_plot_that_cannot_be_written_is_told_before_the_simulation(
    place: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(campaign, "measure", lambda *_: pytest.fail("simulated"))
    plot = str(tmp_path / place) if place else ""
    assert main(["leakage", "--core", CORE, "--fixed", "key", "--plot", plot]) == 2
    assert message in capfd.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("core", "fixed", "operation"),
    [
        (name, fixed, operation)
        for name, kind in ((CORE, "aead"), ("asconmac-m1", "mac"))
        for fixed in campaign.CLASSES[kind]
        for operation in campaign.OPERATIONS[kind]
    ],
)
def test_a_masked_core_leaks_without_its_masks_alone(core: str, fixed: str, operation: str) -> None:
    def beyond(masks: str) -> int:
        wanted = campaign.Campaign(cores.find(core), TARGETS["ecp5"], fixed, operation, masks)
        found: int = campaign.measure(wanted, lambda *_: None, lambda *_: None)["beyond"]
        return found

    assert beyond("on") == 0 and beyond("off") > 0 and beyond("stuck") > 0
