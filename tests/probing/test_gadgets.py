# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on gadgets whose answers follow from their equations, on RTL and on both vendors' cells."""

import json
from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check
from sealwire_lab.cli import main

GADGETS = Path(__file__).parent / "gadgets"
NETLISTS = ("rtl", "ecp5", "xcup")


def verdicts(gadget: str, where: str = "rtl", **more: Any) -> dict[str, Any]:
    path = GADGETS / f"{gadget}.toml"
    return check.check(path, where, lambda *_: None, lambda *_: None, **more)


def leaking(result: dict[str, Any]) -> list[str]:
    assert result["undecided"] == []
    assert result["by_rule"] + result["enumerated"] + len(result["leaks"]) == result["probes"]
    return sorted(leak["wire"] for leak in result["leaks"])


@pytest.mark.parametrize("where", NETLISTS)
def test_a_dom_and_is_secure(where: str) -> None:
    result = verdicts("dom_and", where)
    assert leaking(result) == []
    assert result["probes"] == 6  # inputs of its four registers, and both outputs


@pytest.mark.parametrize("where", NETLISTS)
def test_a_dom_and_without_its_random_bit_shows_a_secret_at_both_outputs(where: str) -> None:
    # Output 0 sees a0 b0 and a0 b1: where either is 1, a0 is 1 and b is known.
    assert leaking(verdicts("dom_and", where, hold=["r"])) == ["c0", "c1"]


def test_a_dom_and_whose_source_has_no_random_bit_leaks_like_one_whose_bit_is_held() -> None:
    assert leaking(verdicts("dom_and", parameters={"RANDOM": 0})) == ["c0", "c1"]


@pytest.mark.parametrize("where", NETLISTS)
def test_a_dom_and_without_registers_shows_glitches(where: str) -> None:
    # A glitch at output 0 shows a0, b0 and b1.
    assert leaking(verdicts("dom_and", where, parameters={"REGISTER": 0})) == ["c0", "c1"]


@pytest.mark.parametrize(
    ("register", "expected"), [("cross0_q", ["c0"]), ("cross1_q", ["c1"]), ("inner0_q", []), ("inner1_q", [])]
)
def test_the_registers_of_terms_across_domains_are_the_ones_that_matter(register: str, expected: list[str]) -> None:
    # A term of one domain shows one share of each secret, whether it is held or not.
    assert leaking(verdicts("dom_and", bypass=[register])) == expected


@pytest.mark.parametrize("where", NETLISTS)
@pytest.mark.parametrize("gadget", ["isw_and", "trichina_and"])
def test_orders_of_sums_do_not_survive_glitches(gadget: str, where: str) -> None:
    result = verdicts(gadget, where)
    assert leaking(result)[-1:] == ["c1"]


@pytest.mark.parametrize("where", NETLISTS)
def test_a_mask_that_is_a_function_is_decided_by_enumeration(where: str) -> None:
    result = verdicts("masked_by_function", where)
    assert leaking(result) == [] and result["enumerated"] == 1
    assert leaking(verdicts("masked_by_function", where, parameters={"MAJORITY": 0})) == ["sum"]


def test_two_equal_random_bits_are_found_where_they_matter() -> None:
    # The majority of r, r and s is r, which is uniform; the majority of r, r and 0 is, too; of r, 0 and 0 it is 0.
    assert leaking(verdicts("masked_by_function", same=[["r[0]", "r[1]"]])) == []
    assert leaking(verdicts("masked_by_function", same=[["r[0]", "r[1]"]], hold=["r[2]"])) == []
    assert leaking(verdicts("masked_by_function", hold=["r[1]", "r[2]"])) == ["sum"]


def test_masks_that_are_used_twice_hide_as_many_sums_as_their_rank() -> None:
    # By rule alone: an enumeration may have no variable.
    result = verdicts("masks_of_sums", limit=0)
    assert leaking(result) == [] and result["by_rule"] == result["probes"]


@pytest.mark.parametrize("defect", [{"parameters": {"RANK": 2}}, {"hold": ["r[3]"]}])
def test_a_sum_whose_masks_cancel_is_found(defect: dict[str, Any]) -> None:
    # The sum of the four values is the product of the secrets.
    assert leaking(verdicts("masks_of_sums", **defect)) == ["sum"]


def test_a_transition_is_seen_in_two_cycles_and_not_in_one() -> None:
    assert leaking(verdicts("share_transition", cycles=1)) == []
    assert leaking(verdicts("share_transition")) == ["sum"]


def test_a_view_of_more_bits_than_a_word_is_compared_whole() -> None:
    assert leaking(verdicts("wide_view")) == ["y"]


def test_an_undecided_probe_is_counted_and_no_success(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", str(GADGETS / "masked_by_function.toml"), "--limit", "4", "--json"]) == 1
    result = json.loads(capfd.readouterr().out)
    assert [one["variables"] for one in result["undecided"]] == [5] and result["leaks"] == []


def test_the_command_names_what_a_leaking_probe_sees(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", str(GADGETS / "dom_and.toml")]) == 0
    assert "0 leak, 0 undecided" in capfd.readouterr().out
    assert main(["probe", str(GADGETS / "dom_and.toml"), "--hold", "r"]) == 1
    assert "leak: a probe on c0 sees inner0_q, cross0_q" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dom_and.toml", "--hold", "q"], 'no port is called "q"; ports: a0, a1, b0, b1, c0, c1, clk, r'),
        (["dom_and.toml", "--bypass", "none_q"], "no register is called none_q"),
        (["dom_and.toml", "--netlist", "ecp"], "no netlist is called 'ecp'; did you mean ecp5?"),
        (["none.toml"], "cannot read"),
        (["enabled.toml"], "depends on itself; only pipelines are decided"),
        (["enabled.toml", "--netlist", "xcup"], "has an enable or a reset at CE"),
    ],
)
def test_what_cannot_be_checked_is_one_line_and_status_2(
    words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe", str(GADGETS / words[0]), *words[1:]]) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('top = "x"\nsecret = 1\n', "no key of bad.toml is called 'secret'; did you mean secrets?"),
        ('top = "x"\n', "has no table [secrets]"),
        ("top = \n", "is not TOML"),
    ],
)
def test_a_bad_description_is_one_line(
    text: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    assert main(["probe", str(tmp_path / "bad.toml")]) == 2
    assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("uniform", "biased", "more"),
    [
        ('["q0"]', [], {}),
        ('["q0", "q1"]', [], {}),
        ('["q0"]', ["q0"], {"hold": ["r[0]"]}),
        ('["q0", "q1"]', ["q0", "q1"], {"same": [["r[0]", "r[1]"]]}),
    ],
)
def test_shares_that_are_not_uniform_are_reported(
    uniform: str, biased: list[str], more: dict[str, Any], tmp_path: Path
) -> None:
    # Two bits (a0 a1 masked by r0, a secret AND masked by r1): uniform together only with both masks.
    source = (
        "module pair (input logic clk, input logic [1:0] a0, a1, r, output logic [1:0] q0, q1);\n"
        "  logic [1:0] t0;\n"
        "  assign t0 = {a0[1] & a0[0], a0[1] & a1[0]};\n"
        "  always_ff @(posedge clk) begin q0 <= t0 ^ r; q1 <= r; end\n"
        "endmodule\n"
    )
    (tmp_path / "pair.sv").write_text(source, encoding="utf-8")
    text = f'top = "pair"\nsources = ["pair.sv"]\nrandom = ["r"]\nuniform = {uniform}\n'
    (tmp_path / "pair.toml").write_text(text + '[secrets]\na = ["a0", "a1"]\n', encoding="utf-8")
    result = check.check(tmp_path / "pair.toml", "rtl", lambda *_: None, lambda *_: None, **more)
    assert result["not_uniform"] == biased and result["undecided_uniform"] == []
