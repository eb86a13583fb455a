# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab lwc`: what it says when it cannot write; the files themselves are tested with the adapter."""

from pathlib import Path

import pytest
from sealwire_lab.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
LWC = ["lwc", "--core", "omd-sha512-r1", "--limit", "1", str(VECTORS / "omdsha512k512n256tau256v2.rsp"), "-o"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main([*LWC, str(tmp_path / "file")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "cannot write " in err and str(tmp_path / "file") in err.replace("\n", "")


def test_one_key_is_one_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LWC, str(tmp_path / "new")]) == 0
    assert "messages under 1 key," in capsys.readouterr().out
