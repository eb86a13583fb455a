# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on the masked S-box of Ascon-p, on a column behind a whole round, and on both with defects."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check

HERE = Path(__file__).parent
#: Random bits of a column
RANDOM = 3
NETLISTS = ["rtl", "ecp5", "xcup"]


def verdicts(name: str, where: str = "rtl", **more: Any) -> dict[str, Any]:
    return check.check(HERE / f"ascon_masked_{name}.toml", where, lambda *_: None, lambda *_: None, **more)


def bits(*numbers: int) -> list[str]:
    """Random bits of column 0 among those of 64 columns."""
    return [f"random[{64 * number}]" for number in numbers]


@pytest.mark.parametrize("where", NETLISTS)
def test_the_sbox_is_secure_and_its_shares_are_uniform(where: str) -> None:
    result = verdicts("sbox", where)
    assert [result[key] for key in ("leaks", "undecided", "not_uniform", "undecided_uniform")] == [[], [], [], []]
    assert (result["registers"], result["probes"], result["by_rule"]) == (40, 32, 32)


@pytest.mark.parametrize("where", ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in NETLISTS[1:])])
def test_a_column_is_secure_from_one_round_into_the_next(where: str) -> None:
    result = verdicts("rounds", where)
    assert (result["leaks"], result["undecided"]) == ([], [])


@pytest.mark.parametrize("where", ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in NETLISTS[1:])])
@pytest.mark.parametrize("last", [0, 1])
def test_a_call_begins_and_its_tag_leaves_without_a_leak(where: str, last: int) -> None:
    result = verdicts("call", where, parameters={"LAST": last})
    assert [result[key] for key in ("leaks", "undecided", "not_uniform", "undecided_uniform")] == [[], [], [], []]


def test_words_of_the_key_that_keep_their_masks_are_reported() -> None:
    # Without masks of the call the sum of two words has the mask of one of them: that of the key's share.
    assert verdicts("call", hold=["mask[255:192]", "mask[319:256]"], parameters={"LAST": 1})["leaks"]


def test_a_tag_masked_by_random_bits_of_its_round_is_reported() -> None:
    found = verdicts("call", same=[["end_mask[0]", "random_before[128]"]], parameters={"LAST": 1}, limit=20)
    assert any("computed" in leak["wire"] or "end" in leak["wire"] for leak in found["leaks"])


@pytest.mark.parametrize("bit", range(RANDOM))
@pytest.mark.parametrize("where", ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in NETLISTS[1:])])
def test_every_random_bit_that_is_held_is_reported(where: str, bit: int) -> None:
    assert verdicts("sbox", where, hold=[f"random[{bit}]"])["leaks"]


@pytest.mark.parametrize("pair", [*itertools.combinations(range(RANDOM), 2)])
def test_every_pair_of_random_bits_that_are_equal_is_reported_in_the_next_round(pair: tuple[int, int]) -> None:
    assert verdicts("rounds", same=[bits(*pair)], limit=20)["leaks"]


@pytest.mark.parametrize("word", range(5))
@pytest.mark.parametrize("domain", range(2))
def test_every_register_of_a_term_across_domains_matters(word: int, domain: int) -> None:
    assert verdicts("sbox", bypass=[f"gen_word[{word}].u_and.joint[{domain}]"])["leaks"]


def test_the_layer_of_registers_before_the_ands_matters() -> None:
    assert verdicts("sbox", bypass=[f"in{domain}[{word}]" for domain in range(2) for word in range(5)])["leaks"]
