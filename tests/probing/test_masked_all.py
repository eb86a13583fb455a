# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on the tree of masked ANDs that compares tags, and on the tree with defects."""

from pathlib import Path
from typing import Any

import pytest
from sealwire_lab.probe import check

TREE = Path(__file__).parent / "masked_all.toml"
#: Random bits of a tree over eight bits, which is small enough for every defect
RANDOM = 7


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
def test_every_random_bit_that_is_held_is_reported(bit: int) -> None:
    assert verdicts(8, hold=[f"random[{bit}]"])["leaks"]


#: Bits of a tree over 128 bits as AES-OTR, masked, has them, which draws 64 a cycle: the lowest level takes them all,
#: the second takes 32 of them turned by one in each half, and the others go on from there.
SHARED = [*(16 * (i // 16) + (i + 1) % 16 for i in range(32)), *range(32, 63)]


@pytest.mark.parametrize("where", ["rtl", "ecp5", "xcup"])
def test_levels_may_share_bits_that_no_and_has_in_common_with_those_below(where: str) -> None:
    result = verdicts(128, where, same=[[f"random[{bit}]", f"random[{64 + i}]"] for i, bit in enumerate(SHARED)])
    assert (result["leaks"], result["undecided"]) == ([], [])
    # By rule, however cells hide the sums that the masks join.
    assert result["by_rule"] == result["probes"] == 510


@pytest.mark.parametrize("below", [0, 16, 32, 48])
@pytest.mark.parametrize("where", ["rtl", "ecp5", "xcup"])
def test_an_and_that_shares_its_bit_with_one_below_it_or_its_neighbour_is_reported(below: int, where: str) -> None:
    assert verdicts(128, where, same=[[f"random[{below}]", "random[64]"]], limit=20)["leaks"]
