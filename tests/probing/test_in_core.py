# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe`'s check on gadgets as they stand in the netlist of a whole core, and on them with defects."""

import itertools
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import domains
import pytest
from cut import Core, cut, whole
from sealwire_assurance.probe import check
from sealwire_lab import cores

CORE = "otr-aes128-p-m1"
AES, VERDICT = "u_core.u_aes", "u_core.u_verdict"
NETLISTS = ["rtl", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("ecp5", "xcup"))]


@cache
def core(where: str) -> Core:
    about = cores.find(CORE)
    return Core(domains.netlist_of(about, where), domains.netlist_of(about), about.top)


def probed(gadget: Path, hold: Sequence[str] = (), limit: int = check.LIMIT) -> dict[str, Any]:
    about = {
        "top": "gadget", "clock": "clk", "random": ["random"], "public": ["public"], "uniform": [],
        "secrets": {"x": ["x0", "x1"]}, "hold": hold, "same": [], "bypass": [], "limit": limit,
    }  # fmt: skip
    return check.answer("sealwire-probe", gadget, about, lambda *_: None)


def inversion(where: str, byte: int, folder: Path) -> Path:
    """The inversion of a byte of the S-boxes, from the registers in front of it to those that take its result.

    Between its last registers and those lie the affine map and a choice between the result and zero.
    """
    bits = f"[{8 * byte + 7}:{8 * byte}]"
    share = {d: f"{AES}.gen_domain[{d}].u_share" for d in range(2)}
    inputs = {
        "x0": [f"{share[0]}.state{bits}"], "x1": [f"{share[1]}.state{bits}"], "random": [f"u_core.random{bits}"],
        "public": [f"{AES}.{name}" for name in ("mix", "show", "wipe")],
    }  # fmt: skip
    users = [f"{share[d]}.{name}{bits}" for d in range(2) for name in ("mix_q", "show_q")]
    return cut(core(where), f"{AES}.gen_byte[{byte}].u_inverse.", inputs, folder, users=users)


def comparison(where: str, folder: Path) -> Path:
    """The tree of ANDs, from the registers of the difference to its last ones, with the random bits that it draws.

    Behind the last ones the shares of the verdict, which is public, are added up.
    """
    place = f"{VERDICT}.u_all."
    inputs = {
        "x0": [f"{VERDICT}.equal[127:0]"], "x1": [f"{VERDICT}.equal[255:128]"], "random": ["u_core.random"],
        "public": [],
    }  # fmt: skip
    last = [f"{place}gen_level[6].u_and.{kind}" for kind in ("own", "joint")]
    return cut(core(where), place, inputs, folder, last=last)


@pytest.mark.parametrize("where", NETLISTS)
@pytest.mark.parametrize("byte", [0, *(pytest.param(byte, marks=pytest.mark.exhaustive) for byte in range(1, 8))])
def test_an_inversion_is_secure_as_it_stands_in_the_core(where: str, byte: int, tmp_path: Path) -> None:
    result = probed(inversion(where, byte, tmp_path))
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["registers"] == 196


@pytest.mark.parametrize("where", NETLISTS)
def test_the_comparison_is_secure_as_it_stands_in_the_core_with_the_bits_that_it_draws(
    where: str, tmp_path: Path
) -> None:
    result = probed(comparison(where, tmp_path))
    assert (result["leaks"], result["undecided"]) == ([], [])
    assert result["registers"] == 508
    assert result["probes"] == result["by_rule"]


@pytest.mark.parametrize("where", NETLISTS)
def test_a_random_bit_that_is_held_is_reported_in_the_core_too(where: str, tmp_path: Path) -> None:
    assert probed(inversion(where, 0, tmp_path), ["random[7]"])["leaks"]
    assert probed(comparison(where, tmp_path), ["random[63]"])["leaks"]


def test_a_choice_between_two_tables_shows_as_one_table_what_it_showed_as_two() -> None:
    def table(init: str, *inputs: int | str) -> dict[str, Any]:
        return {
            "type": "LUT4", "parameters": {"INIT": init},
            "connections": {pin: [bit] for pin, bit in zip("ABCD", inputs, strict=True)},
        }  # fmt: skip

    low, high = table("1001011011110000", 5, 6, 7, 8), table("0110100011010010", 8, 5, "1", 9)
    choice = {"type": "PFUMX", "connections": {"BLUT": [2], "ALUT": [3], "C0": [7], "Z": [4]}}
    made = whole(choice, {2: low, 3: high})
    assert made["type"] == "LUT5" and made["connections"].pop("O") == [4]
    taken = [made["connections"][f"I{number}"][0] for number in range(5)]
    assert sorted(taken) == [5, 6, 7, 8, 9]
    for values in itertools.product("01", repeat=5):
        at = dict(zip(taken, reversed(values), strict=True))
        inputs = (at[9], "1", at[5], at[8]) if at[7] == "1" else (at[8], at[7], at[6], at[5])
        init = (high if at[7] == "1" else low)["parameters"]["INIT"]
        assert made["parameters"]["INIT"][-1 - int("".join(values), 2)] == init[-1 - int("".join(inputs), 2)]
