# SPDX-License-Identifier: Apache-2.0
"""Known answers on the cores: a sample of every matching vector file, and under pauses; all of it in the long form."""

from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.rsp import parse

VECTORS = Path(__file__).parents[2] / "vectors"
PAIRS = [
    (core.name, path.name)
    for core in cores.load().values()
    if core.kind == "aead"
    for path in sorted(VECTORS.glob("*.rsp"))
    if core.parameters_of_scheme(path.name.split(".", 1)[0]) is not None
]
FILES = [name for _, name in PAIRS]


def kat(capsys: pytest.CaptureFixture[str], core: str, name: str, *options: str) -> str:
    """Run `sealwire-lab kat`; the last line of its standard output."""
    status = main(["kat", "--core", core, *options, str(VECTORS / name)])
    out, err = capsys.readouterr()
    last = out.splitlines()[-1]
    assert status == (0 if last.endswith(" 0 failed") else 1), err
    assert status == 0, err
    return last


def test_every_core_has_vectors() -> None:
    assert {core for core, _ in PAIRS} == {core.name for core in cores.load().values()}


@pytest.mark.parametrize(("core", "name"), PAIRS, ids=FILES)
def test_a_sample_of_the_file_passes(core: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    limit = 2 if ".long." in name else 24
    assert kat(capsys, core, name, "--limit", str(limit)) == f"{limit} passed, 0 failed"


@pytest.mark.parametrize("stall", ["idle", "backpressure", "both"])
@pytest.mark.parametrize("core", sorted({core for core, _ in PAIRS}))
def test_a_sample_passes_under_pauses(core: str, stall: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = next(name for other, name in PAIRS if other == core and "k512n256tau256v2.rsp" in name)
    assert kat(capsys, core, name, "--limit", "40", "--stall", stall, "--seed", "5") == "40 passed, 0 failed"


@pytest.mark.exhaustive
@pytest.mark.parametrize("stall", ["none", "both"])
@pytest.mark.parametrize(("core", "name"), PAIRS, ids=FILES)
def test_the_whole_file_passes(core: str, name: str, stall: str, capsys: pytest.CaptureFixture[str]) -> None:
    count = len(parse(VECTORS / name).aead)
    assert kat(capsys, core, name, "--stall", stall) == f"{count} passed, 0 failed"


@pytest.mark.parametrize(("field", "problem"), [("CT", "seal differs"), ("PT", "seal differs"), ("AD", "seal differs")])
def test_a_wrong_answer_fails(field: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core, name = next(pair for pair in PAIRS if "blake2b" in pair[0] and ".long." not in pair[1])
    head, *records = (VECTORS / name).read_text().split("\n\n")
    wrong = next(record for record in records if "AD = 0" in record and "PT = 0" in record)
    lines = [line[:-1] + ("1" if line[-1] == "0" else "0") if line.startswith(field + " ") else line
             for line in wrong.splitlines()]  # fmt: skip
    path = tmp_path / name
    path.write_text("\n\n".join([head, records[0], "\n".join(lines)]) + "\n")
    assert main(["kat", "--core", core, str(path)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "1 passed, 1 failed"
    assert problem in err
