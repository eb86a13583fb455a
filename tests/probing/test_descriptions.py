# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` refuses, or decides rightly, what lies outside a plain pipeline or a description of it."""

from pathlib import Path

import pytest
from sealwire_assurance.probe import check
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError

SECRET = '[secrets]\na = ["a0", "a1"]\n'


def probe(folder: Path, ports: str, body: str, about: str = SECRET, *words: str) -> int:
    """The status of the check of a module `m` with a clock, these ports and this body."""
    (folder / "m.sv").write_text(f"module m (input logic clk, {ports});\n{body}\nendmodule\n", encoding="utf-8")
    (folder / "m.toml").write_text(f'top = "m"\nsources = ["m.sv"]\n{about}', encoding="utf-8")
    return main(["probe", str(folder / "m.toml"), *words])


GATED = "logic gclk, q; assign gclk = clk & en; always_ff @(posedge gclk) q <= a0; assign y = q ^ a1;"
OTHER = "logic q; always_ff @(posedge en) q <= a0; assign y = q ^ a1;"
BY_DATA = "logic q; always_ff @(posedge a0) q <= a1; always_ff @(posedge clk) y <= q ^ en;"
FALLING = "logic q; always_ff @(negedge clk) q <= a0; assign y = q ^ a1 ^ en;"
AS_MASK = "logic u, v; always_ff @(posedge clk) begin u <= a0 ^ clk; v <= a1 ^ en; end assign y = u ^ v;"


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        (GATED, "rtl", "the clock of q is gclk, not clk"),
        (GATED, "ecp5", "not clk; one clock is decided"),
        (OTHER, "rtl", "the clock of q is en, not clk"),
        (BY_DATA, "rtl", "the clock of q is a0, not clk"),
        (FALLING, "ecp5", 'has CLKMUX "INV"'),
        (AS_MASK, "rtl", "the clock clk is data of"),
    ],
)
def test_another_clock_than_the_one_is_refused(
    body: str, where: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    about = f'public = ["en"]\n{SECRET}'
    assert probe(tmp_path, "input logic a0, a1, en, output logic y", body, about, "--netlist", where) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err


def test_an_input_that_is_named_as_the_clock_is_no_mask(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = "logic u, v; always_ff @(posedge clk) begin u <= a0 ^ mode; v <= a1; end assign y = u ^ v;"
    about = f'clock = "mode"\npublic = ["clk"]\n{SECRET}'
    assert probe(tmp_path, "input logic mode, a0, a1, output logic y", body, about) == 2
    assert "is clk, not mode" in capfd.readouterr().err


NUMBERED = "always_ff @(posedge clk) y <= x[1] ^ x[2];"


@pytest.mark.parametrize("bits", ["[0:3]", "[3:0]", "[4:1]", "[1:4]"])
def test_bits_of_ports_have_the_numbers_of_the_source(bits: str, tmp_path: Path) -> None:
    rest = ["x[0]", "x[3]"] if "0" in bits else ["x[3]", "x[4]"]
    secrets = '[secrets]\na = ["x[1]", "x[2]"]\n'
    ports = f"input logic {bits} x, output logic y"
    assert probe(tmp_path, ports, NUMBERED, f"random = {rest}\n{secrets}") == 1
    assert probe(tmp_path, ports, NUMBERED.replace("x[1]", "x[3]"), f"random = {rest}\n{secrets}") == 0


def test_a_port_whose_lowest_bit_has_another_number_than_0(tmp_path: Path) -> None:
    body = "always_ff @(posedge clk) y <= x[1] ^ x[5];"
    assert probe(tmp_path, "input logic [8:1] x, output logic y", body, '[secrets]\na = ["x[4:1]", "x[8:5]"]\n') == 1


@pytest.mark.parametrize("outputs", ["{~u[0], u[0]}", "{u[0] ^ u[1], u}", "{u[1] ^ ~u[0], u[1], u[0]}"])
def test_bits_whose_sum_is_constant_are_not_uniform(
    outputs: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    width = 1 if outputs.startswith("{~") else 2
    body = f"logic [1:0] u; always_ff @(posedge clk) u <= a0 ^ r; assign c = {outputs};"
    ports = f"input logic [1:0] a0, a1, r, output logic [{width}:0] c"
    about = f'random = ["r"]\nuniform = ["c"]\n{SECRET}'
    assert probe(tmp_path, ports, body, about) == 1
    assert "not uniform: the bits of c together" in capfd.readouterr().out
    assert probe(tmp_path, ports, body.replace(outputs, "u"), about.replace('"c"]', '"c[1:0]"]')) == 0


@pytest.mark.parametrize(
    "words", [["--limit", "61"], ["--limit", "74"], ["--cycles", "17"], ["--cycles", "0"], ["--cycles", "4294967297"]]
)
def test_numbers_that_no_check_can_have_are_refused(
    words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "always_ff @(posedge clk) y <= a0 ^ a1;"
    with pytest.raises(SystemExit) as end:
        probe(tmp_path, "input logic a0, a1, output logic y", body, SECRET, *words)
    assert end.value.code == 2 and f"'{words[1]}' is not a whole number from" in capfd.readouterr().err


@pytest.mark.parametrize("more", [{"limit": 74}, {"limit": 2**64}, {"cycles": 0}, {"cycles": 2**32 + 1}])
def test_the_program_itself_refuses_such_numbers(more: dict[str, int]) -> None:
    gadget = Path(__file__).parent / "gadgets" / "dom_and.toml"
    with pytest.raises(LabError, match="which is no whole number from"):
        check.check(gadget, "rtl", lambda *_: None, lambda *_: None, **more)  # type: ignore[arg-type]


MASKED = "logic u, v; always_ff @(posedge clk) begin u <= a0 ^ r[0]; v <= a1 ^ r[2]; end assign y = u ^ v;"
THREE = "input logic a0, a1, input logic [2:0] r, input logic s, output logic y"
RANDOM = f'random = ["r", "s"]\n{SECRET}'


@pytest.mark.parametrize(
    "words",
    [
        ["--same", "r[0]=r[1]", "r[1]=r[2]"],
        ["--same", "r[1]=r[0]", "r[1]=r[2]"],
        ["--same", "r[2]=s", "r[0]=r[1]", "s=r[1]"],
        ["--hold", "r[1]", "s", "--same", "r[0]=r[1]", "r[2]=s"],
        ["--hold", "r[0]", "--hold", "r[2]", "--hold", "s"],
        ["--same", "r[0]=r[2]", "--same", "r[1]=s"],
        ["--hold", "r[1]", "s", "--same", "r[1]=r[0]", "s=r[2]"],
    ],
)
def test_defects_are_planted_together(words: list[str], tmp_path: Path) -> None:
    assert probe(tmp_path, THREE, MASKED, RANDOM) == 0
    assert probe(tmp_path, THREE, MASKED, RANDOM, *words) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--same", "r=s"], "same: r has 3 bits and s 1"),
        (["--same", "s=s"], "same: s is named twice"),
        (["--same", "r[0]=a0"], "same takes random bits, and a0 is none"),
        (["--same", "r[0]=y"], "y is an output"),
        (["--hold", "a0"], "hold takes random bits, and a0 is none"),
        (["--hold", "y"], "y is an output"),
        (["--hold", "clk"], "hold takes random bits, and clk is none"),
        (["--params", "WIDTH=2"], "no parameter of m is called 'WIDTH'"),
    ],
)
def test_defects_that_cannot_be_planted_are_refused(
    words: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert probe(tmp_path, THREE, MASKED, RANDOM, *words) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ("parameters = {WIDTH = 2}\n", "no parameter of m is called 'WIDTH'"),
        ("parameters = {WIDTH = 2.5}\n", "no table of whole numbers"),
        ("clock = 1\n", "clock is 1, which is no name of a port"),
    ],
)
def test_a_description_of_another_module_is_refused(
    about: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert probe(tmp_path, THREE, MASKED, about + RANDOM) == 2
    assert message in capfd.readouterr().err


def test_parameters_are_those_of_the_top_module() -> None:
    text = (
        "module a #(parameter int X = 1) (input b); endmodule\n"
        "module m import p::*; #(parameter int unsigned A = 1, // C = 2;\n"
        "  B = $clog2(A), parameter logic [3:0] T [2] = X, localparam int L = A == 1) (input b);\n"
        "  parameter D = 4; localparam E = 5;\nendmodule\n"
    )
    assert check._parameters(text, "m") == ["A", "B", "T", "D"]


@pytest.mark.parametrize(
    "about",
    ['[secrets]\na = ["a0", "c"]\n', f'random = ["c"]\n{SECRET}', f'public = ["c"]\n{SECRET}'],
)
def test_an_output_is_no_share_and_no_random_bit(about: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    body = "always_ff @(posedge clk) begin c <= a1; y <= a0 ^ a1; end"
    assert probe(tmp_path, "input logic a0, a1, output logic c, y", body, about) == 2
    assert "c is an output" in capfd.readouterr().err
