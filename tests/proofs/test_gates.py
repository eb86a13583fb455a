# SPDX-License-Identifier: Apache-2.0
"""What a graph says of its registers, forwards, is what a search backwards from each of them says."""

import random

import pytest
from proofs import gates


def some_graph(chance: random.Random) -> gates.Graph:
    made = gates.Graph()
    made.registers = {bit for bit in range(60) if chance.random() < 0.3}
    for bit in range(60):
        made.needs[bit].update(chance.randrange(60) for _ in range(chance.randrange(4)))
    return made


@pytest.mark.parametrize("seed", range(20))
def test_registers_are_entered_by_what_they_need(seed: int) -> None:
    chance = random.Random(seed)
    graph = some_graph(chance)
    start = {bit for bit in range(60) if chance.random() < 0.1}

    def before(bit: int) -> set[int]:
        return set() if bit in graph.registers else graph.needs[bit]

    expected = {bit for bit in graph.registers if graph.reach(graph.needs[bit], before).keys() & start}
    assert graph.entered(start).keys() == expected


@pytest.mark.parametrize("seed", range(20))
def test_a_path_is_found_for_each_output_that_depends_on_a_source(seed: int) -> None:
    chance = random.Random(seed)
    graph = some_graph(chance)
    sources = {bit for bit in range(60) if chance.random() < 0.05}
    depending = [bit for bit in range(60) if graph.reach([bit], lambda one: graph.needs[one]).keys() & sources]
    assert len(list(graph.paths(range(60), sources))) == len(depending)
