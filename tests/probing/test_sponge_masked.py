# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on what a masked sponge MAC does between two calls, and on it with defects."""

from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check

HERE = Path(__file__).parent
NETLISTS = ["rtl", "ecp5", "xcup"]


def verdicts(first: int, where: str = "rtl", **more: Any) -> dict[str, Any]:
    path = HERE / "sponge_masked_call.toml"
    return check.check(path, where, lambda *_: None, lambda *_: None, parameters={"FIRST": first}, **more)


@pytest.mark.parametrize("where", ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in NETLISTS[1:])])
@pytest.mark.parametrize("first", [0, 1])
def test_key_and_state_go_from_one_call_into_the_next_without_a_leak(where: str, first: int) -> None:
    result = verdicts(first, where)
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["by_rule"] == result["probes"] > 2000


@pytest.mark.parametrize("bit", [0, 64, 128])
def test_a_random_bit_of_the_round_that_is_held_is_reported(bit: int) -> None:
    assert verdicts(0, hold=[f"random_before[{bit}]"], limit=20)["leaks"]


def test_a_state_masked_by_random_bits_of_its_round_is_reported() -> None:
    assert verdicts(0, same=[["end_mask[0]", "random_before[0]"]], limit=20)["leaks"]


@pytest.mark.parametrize("domain", range(2))
def test_a_register_of_a_term_across_domains_that_is_a_wire_is_reported(domain: int) -> None:
    assert verdicts(0, bypass=[f"u_first.u_sbox.gen_word[0].u_and.joint[{64 * domain}]"], limit=20)["leaks"]
