# SPDX-License-Identifier: Apache-2.0
"""The manifest of cores."""

import json
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError

ENTRY = '[[core]]\nname = "omd-sha512-r1"\nkind = "aead"\ntop = "t"\nscheme = "omdsha512"\nsources = ["hdl/a.sv"]\n'


def manifest(folder: Path, text: str) -> Path:
    (folder / "hdl").mkdir()
    path = folder / "hdl" / "cores.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_sources_are_files_below_the_top_and_groups_expand(tmp_path: Path) -> None:
    text = ENTRY.replace('"hdl/a.sv"', '"@common", "hdl/a.sv"') + '[sources]\ncommon = ["hdl/p.sv", "hdl/a.sv"]\n'
    core = cores.find("omd-sha512-r1", cores.load(manifest(tmp_path, text)))
    assert core.sources == (tmp_path / "hdl/p.sv", tmp_path / "hdl/a.sv")


def test_an_unknown_core_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="did you mean omd-sha512-r1"):
        cores.find("omd-sha512", cores.load(manifest(tmp_path, ENTRY)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENTRY.replace('top = "t"\n', ""), "lacks `top`"),
        (ENTRY + "[", "not valid TOML"),
        (ENTRY.replace("hdl/a.sv", "@none"), "source group @none"),
        (ENTRY.replace('["hdl/a.sv"]', '"hdl/a.sv"'), "list of file names"),
    ],
)
def test_a_bad_manifest_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LabError, match=message):
        cores.load(manifest(tmp_path, text))


def test_the_scheme_name_gives_the_parameters(tmp_path: Path) -> None:
    core = cores.find("omd-sha512-r1", cores.load(manifest(tmp_path, ENTRY)))
    sizes = core.parameters_of_scheme("omdsha512k128n96tau64v1")
    assert sizes == {"KEY_BITS": 128, "NONCE_BITS": 96, "TAG_BITS": 64, "VERSION": 1}
    assert core.parameters_of_scheme("pomdsha512k128n96tau64") is None
    assert cores.find("aegis128l-r1").parameters_of_scheme("aegis128ltau256") == {"TAG_BITS": 256}
    assert core.parameters_of_scheme("omdsha256k128n96tau64v1") is None
    unrolled = cores.find("deoxysii-128-p29")
    assert unrolled.parameters_of_scheme("deoxysii128v141") == {"KEY_BITS": 128, "VERSION": 141}
    assert unrolled.parameters_of_scheme("deoxysii256v143") is None, "a size that the core does not have"
    with pytest.raises(LabError, match=r"no parameter SIZE; it has .*CONTEXTS$"):
        core.parameters(SIZE=1)
    assert core.parameters(VERSION=1)["VERSION"] == 1


def test_an_experimental_core_says_so_with_its_architecture(tmp_path: Path) -> None:
    core = cores.find(
        "omd-sha512-r1", cores.load(manifest(tmp_path, ENTRY + 'architecture = "small"\nexperimental = true\n'))
    )
    assert core.architecture == "small; experimental"


def test_the_manifest_of_the_house_names_existing_sources() -> None:
    for core in cores.load().values():
        assert core.sources and all(path.exists() for path in core.sources), core.name


def test_json_names_parameters_sources_vectors_and_documentation_that_exist(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["cores", "--json"]) == 0
    listed = json.loads(capfd.readouterr().out)
    assert [entry["name"] for entry in listed] == list(cores.load())
    for entry in listed:
        assert entry["vectors"] and entry["sources"] and entry["parameters"]["KEY_BITS"] >= 8
        for path in (*entry["vectors"], *entry["sources"], entry["doc"]):
            assert (cores.root() / path).is_file(), f"{entry['name']} names {path}"
    ours = next(entry for entry in listed if entry["name"] == "omd-sha512-r1")
    assert "vectors/omdsha512k512n256tau256v2.rsp" in ours["vectors"]
    assert not [path for path in ours["vectors"] if "sha256" in path or "pomd" in path]
