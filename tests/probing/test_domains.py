# SPDX-License-Identifier: Apache-2.0
"""The two share domains of every masked core meet where its page says and nowhere else; planted meetings are found."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import domains
import pytest
from sealwire_lab import cores
from support import planted

CORES = ("otr-aes128-p-m1", "ascon-aead128-m1", "asconmac-m1")


@dataclass(frozen=True)
class Defect:
    """A change of a core's source, and what a finding says of it."""

    core: str
    says: str
    change: planted.Change
    finding: str
    fast: bool = False  # in the fast set: each defect takes an elaboration of some seconds


DEFECTS = [
    Defect(
        "otr-aes128-p-m1",
        "a choice brings a share of a result into the other domain",
        ("otr_masked_datapath.sv", ".result(aes_result[d])", ".result(aes_result[aes_upper ? 1 : d])"),
        "domain 0 takes the other domain",
        fast=True,
    ),
    Defect(
        "otr-aes128-p-m1",
        "a sum brings a share of a result into the other domain",
        ("otr_masked_datapath.sv", ".result(aes_result[d])", ".result(aes_result[d] ^ (d == 0 ? aes_result[1] : '0))"),
        "domain 0 takes the other domain",
    ),
    Defect(
        "otr-aes128-p-m1",
        "the key's shares change places in their upper halves, under which all answers stay right",
        (
            "aes_masked_r1.sv",
            "assign key_shares = {key1, key0};",
            "assign key_shares = {key0[127:64], key1[63:0], key1[127:64], key0[63:0]};",
        ),
        "domain 1 takes the other domain",
        fast=True,
    ),
    Defect(
        "otr-aes128-p-m1",
        "both domains have one share of the key",
        ("aes_masked_r1.sv", "assign key_shares = {key1, key0};", "assign key_shares = {key1, key1};"),
        "domain 0 takes the other domain",
    ),
    Defect(
        "otr-aes128-p-m1",
        "shares of a result meet in front of the gates",
        ("otr_masked_datapath.sv", "made_q[63:0] <= opened[0]", "made_q[63:0] <= aes_result[0]"),
        "u_datapath.made_q = u_core.u_datapath.u_again.item, which takes u_core.aes_result",
        fast=True,
    ),
    Defect(
        "otr-aes128-p-m1",
        "a bit of domain 0 clears domain 1",
        ("otr_masked_datapath.sv", "d == 0 ? clear : clear_late_q", "clear || (d == 1 && computed[0][0])"),
        "domain 1 takes the other domain",
    ),
    Defect(
        "otr-aes128-p-m1",
        "a term across domains is in a register without a random bit",
        ("masked_and.sv", "own   <= {a1 & b1, a0 & b0};", "own   <= {a1 & b1, a0 & b1};"),
        "both domains meet in u_core.u_verdict.u_all.gen_level[*].u_and.own",
    ),
    Defect(
        "ascon-aead128-m1",
        "a share of the state goes to both domains",
        ("ascon_aead_masked_datapath.sv", ".y(y[d])", ".y(d == 0 && open ? y[1] : y[d])"),
        "domain 0 takes the other domain",
    ),
    Defect(
        "ascon-aead128-m1",
        "shares of the state meet in front of the gates",
        ("ascon_aead_masked_datapath.sv", "joined_q <= opened[0] ^ opened[1];", "joined_q <= opened[0] ^ y[1];"),
        "both domains meet in u_core.u_datapath.joined_q",
    ),
    Defect(
        "asconmac-m1",
        "words of the key's shares change places",
        ("sponge_masked_datapath.sv", ".key(key[d])", ".key({key[1-d][127:64], key[d][63:0]})"),
        "domain 1 takes the other domain",
    ),
    Defect(
        "asconmac-m1",
        "a state takes up a share of the other domain",
        ("sponge_masked_datapath.sv", "(d == 0 ? block_q : '0)", "(d == 0 ? block_q : {256'b0, state[0][0]})"),
        "domain 1 takes the other domain",
        fast=True,
    ),
]  # fmt: skip


@cache
def rtl_of(name: str) -> domains.Module:
    return domains.module(cores.find(name))


@pytest.mark.parametrize("name", CORES)
def test_domains_meet_in_the_rtl_where_the_page_of_the_core_says_and_nowhere_else(name: str) -> None:
    rtl = rtl_of(name)
    found = domains.Domains(rtl, rtl, domains.stated(cores.find(name)))
    assert found.findings() == []
    first, second = found.registers()
    assert first == second > 2000


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["ecp5", "xcup"])
@pytest.mark.parametrize("name", CORES)
def test_synthesis_brings_domains_together_nowhere_else(name: str, target: str) -> None:
    core = cores.find(name)
    made = domains.module(core, target)
    found = domains.Domains(made, rtl_of(name), domains.stated(core))
    assert found.findings() == []
    assert min(found.registers()) > 2000


def test_every_core_in_shares_is_looked_at() -> None:
    assert set(CORES) == {name for name, core in cores.load().items() if core.shares > 1}


@pytest.mark.parametrize(
    "defect",
    [
        pytest.param(defect, marks=() if defect.fast else pytest.mark.exhaustive, id=f"{defect.core}-{defect.says}")
        for defect in DEFECTS
    ],
)
def test_a_planted_meeting_is_found(defect: Defect, tmp_path: Path) -> None:
    core = cores.find(defect.core)
    rtl = domains.module(core, sources=planted.sources(core, [defect.change], tmp_path))
    found = domains.Domains(rtl, rtl, domains.stated(core)).findings()
    assert any(defect.finding in one for one in found), found


def test_a_stated_place_with_other_sources_or_without_a_meeting_is_found() -> None:
    rtl = rtl_of(CORES[0])
    first, second, *others = domains.stated(cores.find(CORES[0]))
    missing = domains.Domains(rtl, rtl, [second, *others]).findings()
    assert any("both domains meet in u_core.u_aes.gen_byte[*].u_inverse.norm_cross_1" in one for one in missing)
    (swapped,) = domains.Domains(rtl, rtl, [first, replace(second, takes=first.takes), *others]).findings()
    assert "inner_cross_3, which takes u_core.u_aes.gen_byte[*].u_inverse.norm_2" in swapped
    idle = replace(second, register=re.compile("u_core.u_aes.upper"))
    assert (
        "no shares meet in u_core.u_aes.upper" in domains.Domains(rtl, rtl, [first, second, idle, *others]).findings()
    )
