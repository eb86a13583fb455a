# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe` on the masked AES S-box, and on the S-box with defects."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check

SBOX = Path(__file__).parent / "aes_masked_sbox.toml"
COLUMN = Path(__file__).parent / "aes_masked_column.toml"
RANDOM = 8
NETLISTS = ("ecp5", "xcup")
#: Registers of terms that join both domains, and of the one value that is multiplied by both of its neighbours.
CROSS = {
    "u_inverse.norm_cross_1": 8,
    "u_inverse.inner_cross_3": 4,
    "u_inverse.inner_4": 4,
    "u_inverse.root_cross_5": 8,
    "u_inverse.result_cross_7": 16,
}


def verdicts(where: str = "rtl", path: Path = SBOX, **more: Any) -> dict[str, Any]:
    return check.check(path, where, lambda *_: None, lambda *_: None, **more)


def reported(result: dict[str, Any]) -> bool:
    return bool(result["leaks"] or result["not_uniform"])


def bits(name: str, count: int) -> list[str]:
    return [f"{name}[{bit}]" for bit in range(count)]


#: Layers of registers, and whether a wire in the place of each is a leak
LAYERS = [
    (bits("u_inverse.norm_2", 8), True),
    (bits("u_inverse.root_6", 8), True),
    (bits("u_inverse.result_own_7", 16), True),
    # Delays of one domain's values
    (bits("u_inverse.a_6", 16), False),
    (bits("u_inverse.norm_3", 8), False),
    (bits("u_inverse.inner_5", 4), False),
    # One domain alone: what a glitch adds to a product's view is that domain's share and masked terms.
    (bits("u_inverse.norm_2", 4), False),
]


@pytest.mark.parametrize("where", ["rtl", "ecp5", pytest.param("xcup", marks=pytest.mark.exhaustive)])
def test_the_sbox_is_secure_and_its_shares_are_uniform(where: str) -> None:
    result = verdicts(where)
    assert [result[key] for key in ("leaks", "undecided", "not_uniform", "undecided_uniform")] == [[], [], [], []]
    assert (result["registers"], result["probes"]) == (212, 140)


def test_two_probes_see_a_byte_of_two_shares() -> None:
    found = verdicts(order=2, first=True)["pairs"]
    assert found["leaks"] and found["named"][0]["sees"] and found["count"] > 40000


@pytest.mark.parametrize(
    "bit", [pytest.param(bit, marks=() if bit == 7 else pytest.mark.exhaustive) for bit in range(RANDOM)]
)
@pytest.mark.parametrize("where", ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in NETLISTS)])
def test_every_random_bit_that_is_held_is_reported(where: str, bit: int) -> None:
    assert verdicts(where, hold=[f"random[{bit}]"])["leaks"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(*pair, marks=() if pair == (4, 5) else pytest.mark.exhaustive)
        for pair in itertools.combinations(range(RANDOM), 2)
    ],
)
def test_every_pair_of_random_bits_that_are_equal_is_reported(one: int, other: int) -> None:
    assert reported(verdicts(same=[[f"random[{one}]", f"random[{other}]"]]))


@pytest.mark.parametrize(
    "register",
    [
        pytest.param(
            name, marks=() if name in ("u_inverse.norm_cross_1[0]", "u_inverse.inner_4[0]") else pytest.mark.exhaustive
        )
        for group, count in CROSS.items()
        for name in bits(group, count)
    ],
)
def test_every_register_of_a_term_across_domains_matters(register: str) -> None:
    assert verdicts(bypass=[register], limit=24)["leaks"]


@pytest.mark.parametrize(
    ("registers", "matters"),
    [
        ([*bits("tower0", 8), *bits("tower1", 8)], True),
        (bits("u_inverse.a_1", 16), False),
        *(pytest.param(*layer, marks=pytest.mark.exhaustive) for layer in LAYERS),
    ],
)
def test_layers_of_registers_that_are_wires_are_reported_unless_they_delay(registers: list[str], matters: bool) -> None:
    assert bool(verdicts(bypass=registers)["leaks"]) == matters


@pytest.mark.parametrize(
    ("where", "upper", "probes"),
    [
        ("rtl", 0, 1296),
        ("rtl", 1, 1232),
        pytest.param("xcup", 0, 1300, marks=pytest.mark.exhaustive),
        pytest.param("xcup", 1, 1233, marks=pytest.mark.exhaustive),
    ],
)
def test_a_column_is_secure_from_one_round_into_the_next_without_the_key(where: str, upper: int, probes: int) -> None:
    result = verdicts(where, COLUMN, parameters={"UPPER": upper})
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["probes"] == result["by_rule"] == probes


def test_equal_random_bits_of_an_sbox_are_leaks_in_the_next_round() -> None:
    # No wire of the S-box shows both of the bits; the next round's products do.
    assert not verdicts(same=[["random[4]", "random[6]"]])["leaks"]
    assert verdicts(path=COLUMN, same=[["random[4]", "random[6]"]], limit=20)["leaks"]
