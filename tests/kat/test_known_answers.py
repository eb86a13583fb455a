# SPDX-License-Identifier: Apache-2.0
"""Every vector file through every core that it fits: a sample with pauses in the fast set, every line in the other."""

import re
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "vectors"

#: One parameter set of each version is enough to exercise a core quickly; the others only change sizes.
FAST = re.compile(r"k512n256tau256v2|k128n128tau128v1|k512n256tau512v1")

PAIRS = [
    (core, path)
    for core in cores.load().values()
    for path in sorted(VECTORS.glob("*.rsp"))
    if core.kind == "aead" and core.parameters_of_scheme(path.name.split(".")[0]) is not None
]


def group(core: cores.Core, path: Path) -> pytest.MarkDecorator:
    """Files that need the same build go to the same worker."""
    return pytest.mark.xdist_group(f"{core.name}-{path.name.split('.')[0]}")


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("core", "path"),
    [
        pytest.param(core, path, id=f"{core.name}-{path.stem}", marks=group(core, path))
        for core, path in PAIRS
        if FAST.search(path.name)
    ],
)
def test_core_gives_the_published_answers_under_pauses(core, path, capsys):
    assert main(["kat", "--core", core.name, "--stall", "both", "--limit", "60", str(path)]) == 0
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed", last_line(capsys))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("core", "path"),
    [pytest.param(core, path, id=f"{core.name}-{path.stem}", marks=group(core, path)) for core, path in PAIRS],
)
def test_core_gives_every_published_answer(core, path, capsys):
    assert main(["kat", "--core", core.name, str(path)]) == 0
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed", last_line(capsys))


def test_every_core_has_vectors():
    assert {core.name for core, _ in PAIRS} == {core.name for core in cores.load().values() if core.kind == "aead"}
