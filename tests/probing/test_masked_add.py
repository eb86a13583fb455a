# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on the masked adder, and on the adder with defects."""

from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check

ADDER = Path(__file__).parent / "masked_add.toml"
#: Random bits of an adder of four bits, which is small enough for every defect
RANDOM = 7
#: Its registers of terms across domains: where, and how many
CROSS = {
    "gen_level[0].gen_bits.u_make": 6,
    "gen_level[1].gen_groups.u_make": 4,
    "gen_level[1].gen_groups.gen_pass.u_pass": 2,
    "gen_level[2].gen_groups.u_make": 2,
}


def verdicts(width: int, where: str = "rtl", **more: Any) -> dict[str, Any]:
    return check.check(ADDER, where, lambda *_: None, lambda *_: None, parameters={"WIDTH": width}, **more)


@pytest.mark.parametrize(
    ("width", "where"),
    [
        (64, "rtl"),  # whose result is longer than a pipe is wide
        (4, "ecp5"),
        (8, "xcup"),
        *(pytest.param(64, where, marks=pytest.mark.exhaustive) for where in ("ecp5", "xcup")),
    ],
)
def test_the_adder_is_secure(width: int, where: str) -> None:
    result = verdicts(width, where)
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["by_rule"] == result["probes"]


@pytest.mark.parametrize("bit", range(RANDOM))
def test_every_random_bit_that_is_held_is_reported(bit: int) -> None:
    assert verdicts(4, hold=[f"random[{bit}]"])["leaks"]


@pytest.mark.parametrize(
    "register", [f"{place}.joint[{bit}]" for place, count in CROSS.items() for bit in range(count)]
)
def test_every_register_of_a_term_across_domains_matters(register: str) -> None:
    assert verdicts(4, bypass=[register])["leaks"]


def test_random_bits_that_meet_may_not_be_equal() -> None:
    assert verdicts(4, same=[["random[0]", "random[1]"]])["leaks"]
