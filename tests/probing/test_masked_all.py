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
