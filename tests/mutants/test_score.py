# SPDX-License-Identifier: Apache-2.0
"""What docs/assurance.md and README.md say of the campaign of planted defects is what its recorded verdicts say."""

import re

from sealwire_assurance.mutants import campaign, trial
from sealwire_lab import cores

SEED, COUNT = 2, 420
TOLD = re.compile(
    rf"Seed {SEED}, {COUNT} of ([\d,]+) places, [\d-]+: (\d+) run[^.]*\.\s+(\d+) found, (\d+) equivalent[^.]*?, "
    r"(\w+) survives?[^.]*\.\s+So (\d+) of the (\d+) that were run and can be found are found, ([\d.]+) %"
)


def read(name: str) -> str:
    return (cores.root() / name).read_text(encoding="utf-8")


def told() -> list[str]:
    match = TOLD.search(read("docs/assurance.md"))
    assert match, f"docs/assurance.md does not tell the score of seed {SEED}, or in other words than this test reads"
    return list(match.groups())


def test_the_figures_agree_with_one_another_and_with_the_readme() -> None:
    _, run, found, equivalent, survivors, of_these, findable, percent = told()
    left = 0 if survivors == "none" else int(survivors)
    assert int(run) == int(found) + int(equivalent) + left
    assert (int(of_these), int(findable)) == (int(found), int(found) + left)
    assert float(percent) == round(100 * int(found) / int(findable), 1)
    assert re.search(rf"the tests find \[{found} of the {findable}\]", read("README.md")), (
        "README.md tells another score"
    )


def test_the_figures_are_those_of_the_recorded_verdicts() -> None:
    """As long as the sources are those of the campaign: a verdict counts until its file changes."""
    places, run, found, equivalent, survivors, *_ = told()
    drawn = campaign.prepare(SEED, COUNT)
    if len(drawn.verdicts) < int(run):
        return  # later sources; the next campaign tells of them
    assert f"{drawn.places:,}" == places
    assert str(len(drawn.of(trial.FOUND))) == found
    assert str(len(drawn.of(trial.SURVIVES, recorded=True))) == equivalent
    assert str(len(drawn.of(trial.SURVIVES, recorded=False)) or "none") == survivors
    assert not drawn.of(trial.FOUND, recorded=True), "recorded as equivalent, but found"
