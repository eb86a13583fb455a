# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab probe --order 2` on gadgets: what follows from their equations, and every assignment, in Python."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sealwire_assurance.probe import check
from sealwire_lab.cli import main

GADGETS = Path(__file__).parent / "gadgets"
NETLISTS = ("rtl", "ecp5", "xcup")
#: An input bit, or a term of a domain-oriented AND.
Source = tuple[str, int] | tuple[str, int, int]
#: An input bit of a cycle, counted backwards.
Variable = tuple[str, int, int]


def verdicts(gadget: str, where: str = "rtl", **more: Any) -> dict[str, Any]:
    path = GADGETS / f"{gadget}.toml"
    return check.check(path, where, lambda *_: None, lambda *_: None, order=2, **more)


def pairs(gadget: str, where: str = "rtl", **more: Any) -> dict[str, Any]:
    result = verdicts(gadget, where, **more)
    assert (result["leaks"], result["undecided"]) == ([], [])
    found: dict[str, Any] = result["pairs"]
    assert sum(found[key] for key in ("by_rule", "enumerated", "leaks", "undecided")) == found["count"]
    return found


@pytest.mark.parametrize("where", NETLISTS)
def test_two_probes_see_the_secrets_of_two_shares(where: str) -> None:
    found = pairs("dom_and", where)
    assert found["leaks"] and found["undecided"] == 0
    assert ["a0", "a1"] in [sorted(leak["sees"]) for leak in found["named"]]


@pytest.mark.parametrize("where", NETLISTS)
def test_two_probes_see_no_secret_of_three_shares(where: str) -> None:
    found = pairs("dom_and3", where)
    assert (found["leaks"], found["undecided"]) == (0, 0) and found["count"] > 100


@pytest.mark.parametrize("bit", range(3))
def test_a_random_bit_that_is_held_matters_to_two_probes_and_not_to_one(bit: int) -> None:
    assert pairs("dom_and3", hold=[f"r[{bit}]"])["leaks"]


def test_two_probes_that_are_a_cycle_apart_are_a_pair() -> None:
    found = pairs("share_delay", cycles=1)
    assert [(leak["wires"], leak["apart"]) for leak in found["named"]] == [(["sum", "a[2]"], 1)]
    # A probe that sees two cycles sees what the other one's shares were, too.
    assert pairs("share_delay")["named"][0]["apart"] == 0


def test_a_pair_beyond_the_limit_is_undecided_and_no_success(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", str(GADGETS / "dom_and.toml"), "--order", "2", "--limit", "0"]) == 1
    assert ", 0 leak, 39 undecided" in capfd.readouterr().out
    assert main(["probe", str(GADGETS / "dom_and3.toml"), "--order", "2"]) == 0


def test_the_command_names_what_two_probes_see(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", str(GADGETS / "dom_and.toml"), "--order", "2"]) == 1
    out = capfd.readouterr().out
    assert "order 2: 51 pairs of probes with an input in common: 12 by rule" in out
    assert "leak: probes on cross0 and cross1 see a1, a0" in out and "and 34 pairs more that leak" in out
    assert main(["probe", str(GADGETS / "share_delay.toml"), "--order", "2", "--cycles", "1", "--first"]) == 1
    assert "leak: probes on sum and, a cycle before, a[2] see" in capfd.readouterr().out


class Dom:
    """A domain-oriented AND of `shares` shares, its terms registered; `randoms` gives each two domains their bit."""

    def __init__(self, shares: int, randoms: Mapping[tuple[int, int], int | None]) -> None:
        self.domains, self.randoms = range(shares), randoms

    def random(self, i: int, j: int) -> int | None:
        return self.randoms[min(i, j), max(i, j)] if i != j else None

    def probes(self) -> list[set[Source]]:
        found: list[set[Source]] = []
        for i in self.domains:
            found.append({("term", i, j) for j in self.domains})
            for j in self.domains:
                bit = self.random(i, j)
                found.append({("a", i), ("b", j)} | (set() if bit is None else {("r", bit)}))
        return [one for place, one in enumerate(found) if not any(one < other for other in found)]

    def made_of(self, source: Source, ago: int) -> set[Variable]:
        if len(source) == 2:
            return {(*source, ago)}
        _, i, j = source
        bit = self.random(i, j)
        return {("a", i, ago + 1), ("b", j, ago + 1)} | (set() if bit is None else {("r", bit, ago + 1)})

    def value(self, source: Source, ago: int, given: Mapping[Variable, int]) -> int:
        if len(source) == 2:
            return given[*source, ago]
        _, i, j = source
        bit = self.random(i, j)
        return given["a", i, ago + 1] & given["b", j, ago + 1] ^ (0 if bit is None else given["r", bit, ago + 1])

    def leaks(self, view: set[tuple[Source, int]]) -> bool:
        variables = sorted(set().union(*(self.made_of(*one) for one in view)))
        secrets = [
            [(name, i, ago) for i in self.domains]
            for name, ago in {(name, ago) for name, _, ago in variables if name != "r"}
            if all((name, i, ago) in variables for i in self.domains)
        ]
        seen: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
        for bits in itertools.product((0, 1), repeat=len(variables)):
            given = dict(zip(variables, bits, strict=True))
            secret = tuple(sum(given[share] for share in shares) % 2 for shares in secrets)
            values = tuple(self.value(*one, given) for one in sorted(view))
            seen.setdefault(secret, Counter())[values] += 1
        first, *others = seen.values()
        return any(other != first for other in others)

    def pairs(self, cycles: int) -> Iterator[set[tuple[Source, int]]]:
        """What two probes see that have a random bit or a secret in common."""

        def inputs(view: set[tuple[Source, int]]) -> set[tuple[str, int, int]]:
            made = set().union(*(self.made_of(*one) for one in view))
            return {(name, place if name == "r" else 0, ago) for name, place, ago in made}

        for one, other in itertools.combinations_with_replacement(self.probes(), 2):
            for apart in range(1 if one == other else -4, 5):
                early, late = max(0, -apart), max(0, apart)
                views = [
                    {(source, last + cycle) for source in probe for cycle in range(cycles)}
                    for probe, last in ((one, early), (other, late))
                ]
                if inputs(views[0]) & inputs(views[1]):
                    yield views[0] | views[1]


@pytest.mark.parametrize(
    ("gadget", "cycles", "randoms", "planted"),
    [
        ("dom_and", 1, {(0, 1): 0}, {}),
        ("dom_and", 2, {(0, 1): 0}, {}),
        ("dom_and3", 1, {(0, 1): 0, (0, 2): 1, (1, 2): 2}, {}),
        ("dom_and3", 1, {(0, 1): None, (0, 2): 1, (1, 2): 2}, {"hold": ["r[0]"]}),
        ("dom_and3", 1, {(0, 1): 0, (0, 2): 1, (1, 2): None}, {"hold": ["r[2]"]}),
        ("dom_and3", 1, {(0, 1): 0, (0, 2): 0, (1, 2): 2}, {"same": [["r[1]", "r[0]"]]}),
        ("dom_and3", 1, {(0, 1): 0, (0, 2): 1, (1, 2): 1}, {"same": [["r[2]", "r[1]"]]}),
    ],
)
def test_pairs_are_what_every_assignment_says(
    gadget: str, cycles: int, randoms: dict[tuple[int, int], int | None], planted: dict[str, Any]
) -> None:
    module = Dom(3 if len(randoms) == 3 else 2, randoms)
    expected = [module.leaks(view) for view in module.pairs(cycles)]
    found = verdicts(gadget, cycles=cycles, **planted)["pairs"]
    assert (found["count"], found["leaks"], found["undecided"]) == (len(expected), sum(expected), 0)
