# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on the tree of masked ANDs that compares tags, and on the tree with defects."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check
from sealwire_lab import cores

TREE = Path(__file__).parent / "masked_all.toml"
#: Random bits of a tree over eight bits, which is small enough for every defect
RANDOM = 7
#: ANDs of each of its levels, and its netlists: defects are planted in RTL, in the exhaustive set in the others, too.
LEVELS = (4, 2, 1)
NETLISTS = ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("ecp5", "xcup"))]


def verdicts(width: int, where: str = "rtl", **more: Any) -> dict[str, Any]:
    return check.check(TREE, where, lambda *_: None, lambda *_: None, parameters={"WIDTH": width}, **more)


@pytest.mark.parametrize(
    ("width", "where"), [(128, "rtl"), (8, "rtl"), pytest.param(8, "ecp5", marks=pytest.mark.exhaustive)]
)
def test_the_tree_is_secure(width: int, where: str) -> None:
    result = verdicts(width, where)
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["registers"] == 4 * (width - 1)


@pytest.mark.parametrize("bit", range(RANDOM))
@pytest.mark.parametrize("where", NETLISTS)
def test_every_random_bit_that_is_held_is_reported(where: str, bit: int) -> None:
    assert verdicts(8, where, hold=[f"random[{bit}]"])["leaks"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(*pair, marks=() if pair in ((0, 1), (2, 6), (4, 6)) else pytest.mark.exhaustive)
        for pair in itertools.combinations(range(RANDOM), 2)
    ],
)
@pytest.mark.parametrize("where", NETLISTS)
def test_every_pair_of_random_bits_that_are_equal_is_reported_by_a_probe_that_sees_both(
    where: str, one: int, other: int
) -> None:
    # A word takes the bits of the lowest level and of the third one two cycles apart: a probe of two cycles sees one.
    apart = one < LEVELS[0] and other == RANDOM - 1
    same = [[f"random[{one}]", f"random[{other}]"]]
    assert bool(verdicts(8, where, same=same)["leaks"]) != apart
    assert not apart or verdicts(8, where, same=same, cycles=3)["leaks"]


def registers(kind: str, level: int) -> list[str]:
    """Of both domains"""
    return [f"gen_level[{level}].u_and.{kind}[{bit}]" for bit in range(2 * LEVELS[level])]


@pytest.mark.parametrize(
    "register",
    [
        pytest.param(name, marks=() if bit == level % 2 else pytest.mark.exhaustive)
        for level in range(len(LEVELS))
        for bit, name in enumerate(registers("joint", level))
    ],
)
@pytest.mark.parametrize("where", NETLISTS)
def test_every_register_of_a_term_across_domains_matters(where: str, register: str) -> None:
    assert verdicts(8, where, bypass=[register])["leaks"]


@pytest.mark.parametrize("where", NETLISTS)
def test_registers_of_terms_of_one_domain_delay(where: str) -> None:
    own = [registers("own", level) for level in range(len(LEVELS))]
    for wires in (*own, own[0][: LEVELS[0]], [name for level in own for name in level]):
        result = verdicts(8, where, bypass=wires)
        assert (result["leaks"], result["undecided"]) == ([], [])


def drawn() -> list[int]:
    """Which of 64 random bits each AND of the tree over 128 bits takes in AES-OTR, masked, as its RTL says."""
    source = (cores.root() / "hdl" / "aead" / "otr" / "otr_masked_core.sv").read_text(encoding="utf-8")
    (parts,) = re.findall(r"assign tree_random = \{([^}]*)\};", source)
    bits: list[int] = []
    for part in reversed(parts.split(",")):
        found = re.fullmatch(r"random(?:\[(\d+)(?::(\d+))?\])?", part.strip())
        assert found, f"{part!r} is no part of random"
        high = int(found[1] or 63)
        bits += range(int(found[2] or found[1] or 0), high + 1)
    return bits


@pytest.mark.parametrize("where", ["rtl", "ecp5", "xcup"])
def test_levels_may_share_bits_that_no_and_has_in_common_with_those_below(where: str) -> None:
    bits = drawn()
    assert len(bits) == 127 and bits[:64] == [*range(64)]
    # Bits of the lowest level stand for those of a cycle, which the other levels take as well.
    same = [[f"random[{bit}]", f"random[{place}]"] for place, bit in enumerate(bits) if place != bit]
    result = verdicts(128, where, same=same)
    assert (result["leaks"], result["undecided"]) == ([], [])
    # By rule, however cells hide the sums that the masks join.
    assert result["by_rule"] == result["probes"] == 510


@pytest.mark.parametrize("below", [0, 16, 32, 48])
@pytest.mark.parametrize("where", ["rtl", "ecp5", "xcup"])
def test_an_and_that_shares_its_bit_with_one_below_it_or_its_neighbour_is_reported(below: int, where: str) -> None:
    assert verdicts(128, where, same=[[f"random[{below}]", "random[64]"]], limit=20)["leaks"]
