# SPDX-License-Identifier: Apache-2.0
"""Known answers on the cores: a sample of some parameter sets under pauses; all of all files in the exhaustive set."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.simulation import Report, Simulation
from sealwire_model.answers import parse

VECTORS = Path(__file__).parents[2] / "vectors"
each_mac = pytest.mark.parametrize(
    "core", [core for core in cores.load().values() if core.kind == "mac"], ids=lambda core: core.name
)
PAIRS = [
    pytest.param(
        core.name, path.name, id=f"{core.name}-{path.stem}", marks=pytest.mark.xdist_group(f"{core.name}-{scheme}")
    )
    for core in cores.load().values()
    for path in sorted(VECTORS.glob("*.rsp"))
    for scheme in [path.name.split(".", 1)[0]]
    if core.kind == "aead" and core.parameters_of_scheme(scheme) is not None
]
#: The largest and the smallest published sizes, one of each version where there are two, and the mode of AES-OTR: what
#: shows quickly that a core is wired as its name says.
FAST = re.compile(
    r"k512n256tau256(?!v1)|k512n256tau512|k128n128tau128v1|k256n248tau256(?!v1)|k128n96tau64v1|k256n96tau256"
    r"|omdblake2bk256n128tau128v2.rsp|pomdsha256k128n96tau128.rsp|otr[ps]v3.rsp|asconaead128.rsp|aes128ocbtaglen(128|64)v1.rsp"
    r"|deoxysii?(128v14[13]|256v143).rsp"
    r"|colm0v1.rsp|aescopav2.rsp"
    r"|aegis128l|minalpherv11.rsp|scream1[02]v3.rsp|aes128gcm"
)
CHOSEN = [pair for pair in PAIRS if FAST.search(str(pair.values[1]))]
#: Of long messages, which depend on sizes no more than others do, those of the last parameter set of a core.
LONG = {pair.values[0]: pair for pair in CHOSEN if ".long." in str(pair.values[1])}
SAMPLE = [pair for pair in CHOSEN if ".long." not in str(pair.values[1]) or LONG[pair.values[0]] is pair]


def kat(capsys: pytest.CaptureFixture[str], core: str, name: str, *options: str) -> str:
    """Run `sealwire-lab kat`; the last line of its standard output."""
    status = main(["kat", "--core", core, *options, str(VECTORS / name)])
    out, err = capsys.readouterr()
    assert status == 0, err
    return out.splitlines()[-1]


def test_every_core_has_vectors() -> None:
    macs = [core for core in cores.load().values() if core.kind == "mac"]
    assert {pair.values[0] for pair in PAIRS} == set(cores.load()) - {core.name for core in macs}
    assert all(core.vectors() for core in macs)


def sizes_and_versions(core: cores.Core, names: list[str]) -> tuple[set[tuple[int, ...]], set[int]]:
    """What files say about a core: sizes of key, nonce and tag, and versions."""
    found = [core.parameters(**(core.parameters_of_scheme(name.split(".", 1)[0]) or {})) for name in names]
    return {tuple(one[f"{what}_BITS"] for what in ("KEY", "NONCE", "TAG")) for one in found}, {
        one["VERSION"] for one in found
    }


@pytest.mark.parametrize("core", [core for core in cores.load().values() if core.kind == "aead"], ids=lambda c: c.name)
def test_the_sample_tells_sizes_and_version_of_every_core(core: cores.Core) -> None:
    published, chosen = (
        sizes_and_versions(core, [str(pair.values[1]) for pair in pairs if pair.values[0] == core.name])
        for pairs in (PAIRS, SAMPLE)
    )
    assert chosen[1] == published[1]
    for at, what in enumerate(("key", "nonce", "tag")):
        extremes = {min(sizes[at] for sizes in published[0]), max(sizes[at] for sizes in published[0])}
        assert extremes <= {sizes[at] for sizes in chosen[0]}, f"{what} of {extremes} bits"


@pytest.mark.parametrize(("core", "name"), SAMPLE)
def test_a_sample_passes_under_pauses(core: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    most = 3 if ".long." in name else 60  # of six, up to 16,384 bytes
    count = min(len(parse(VECTORS / name).aead), most)
    assert kat(capsys, core, name, "--limit", str(most), "--stall", "both") == f"{count} passed, 0 failed"


@pytest.mark.exhaustive
@pytest.mark.parametrize("stall", ["none", "idle", "backpressure", "both"])
@pytest.mark.parametrize(("core", "name"), PAIRS)
def test_the_whole_file_passes(core: str, name: str, stall: str, capsys: pytest.CaptureFixture[str]) -> None:
    count = len(parse(VECTORS / name).aead)
    assert kat(capsys, core, name, "--stall", stall) == f"{count} passed, 0 failed"


@pytest.mark.parametrize("field", ["CT", "PT", "AD"])
def test_a_wrong_answer_fails(field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "omdblake2bk512n256tau256v2.rsp"
    head, *records = (VECTORS / name).read_text().split("\n\n")
    wrong = next(record for record in records if "AD = 0" in record and "PT = 0" in record)
    lines = [line[:-1] + ("1" if line[-1] == "0" else "0") if line.startswith(field + " ") else line
             for line in wrong.splitlines()]  # fmt: skip
    path = tmp_path / name
    path.write_text("\n\n".join([head, records[0], "\n".join(lines)]) + "\n")
    assert main(["kat", "--core", "omd-blake2b-f", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "1 passed, 1 failed"
    assert "seal differs" in err


@pytest.mark.parametrize(
    ("core", "name", "bare", "problem"),
    [
        ("otr-aes128-p-m1", "aes128otrpv3.rsp", "otr-aes128-p-r1", "open refuses the message"),
        ("asconmac-m1", "asconmacv13.rsp", "fsks128-r2", "verify refuses the good tag"),
    ],
)
def test_a_core_in_shares_is_asked_with_many_sharings(
    core: str, name: str, bare: str, problem: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["--limit", "2", "--sharings", "61"]
    assert kat(capsys, core, name, *command) == "2 passed, 0 failed"
    (other,) = [path for path in cores.find(bare).vectors() if "long" not in path.name][:1]
    assert main(["kat", "--core", bare, *command, str(other)]) == 2
    assert "takes its key in one piece" in capsys.readouterr().err
    flush = Simulation.flush

    def once_wrong(bench: Simulation) -> Report:
        """The harness's report, in which the last command of ten sharings is refused."""
        report = flush(bench)
        if len(report.outcomes) == 20:
            report.outcomes[-1] = replace(report.outcomes[-1], ok=False)
        return report

    monkeypatch.setattr(Simulation, "flush", once_wrong)
    assert main(["kat", "--core", core, *command, str(VECTORS / name)]) == 1
    assert f"sharing 61: {problem}" in capsys.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "core", [core for core in cores.load().values() if core.shares > 1], ids=lambda core: core.name
)
def test_a_thousand_sharings_give_the_answers(core: cores.Core, capsys: pytest.CaptureFixture[str]) -> None:
    path = core.vectors()[0]
    assert kat(capsys, core.name, path.name, "--limit", "11", "--sharings", "1000") == "11 passed, 0 failed"


@each_mac
def test_a_sample_of_a_mac_passes_under_pauses(core: cores.Core, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = core.vectors()
    assert kat(capsys, core.name, path.name, "--limit", "60", "--stall", "both") == "60 passed, 0 failed"


@pytest.mark.exhaustive
@pytest.mark.parametrize("stall", ["none", "idle", "backpressure", "both"])
@each_mac
def test_the_whole_file_of_a_mac_passes(core: cores.Core, stall: str, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = core.vectors()
    count = len(parse(path).mac)
    assert kat(capsys, core.name, path.name, "--stall", stall) == f"{count} passed, 0 failed"
