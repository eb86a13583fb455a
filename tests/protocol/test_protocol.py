# SPDX-License-Identifier: Apache-2.0
"""The handshake and the rekey against an attacker who holds the network, in every order of events within bounds."""

from __future__ import annotations

import pytest
from protocol.explore import Explorer, Scenario
from protocol.scenarios import MUTANTS, QUICK, THOROUGH, Mutant, wrong

LONG = [pytest.param(scenario, marks=pytest.mark.exhaustive) for scenario in THOROUGH]


@pytest.mark.parametrize("scenario", QUICK + LONG, ids=lambda scenario: scenario.name)
def test_properties_hold_where_they_must_and_fail_where_they_must(scenario: Scenario) -> None:
    result = Explorer(scenario).run()
    assert not (said := wrong(scenario, result)), "\n".join(said)
    # Sessions are taken into use, by ends of one version: nothing holds because nothing happens.
    assert (result.sessions >= 2) == (len(set(scenario.versions)) < 2)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.says)
def test_a_changed_rule_is_refuted_by_messages(mutant: Mutant) -> None:
    result = Explorer(mutant.scenario).run(until=mutant.breaks)
    assert mutant.breaks in result.violations
    assert len(result.violations[mutant.breaks]) >= 2
