# SPDX-License-Identifier: Apache-2.0
"""`make install` puts everything where docs/link.md says, and `make uninstall` takes it away."""

import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from lab_net import ROOT, binary


def make(target: str, **variables: str | Path) -> str:
    given = [f"{name}={value}" for name, value in {"COMMAND": binary(), **variables}.items()]
    done = subprocess.run(["make", "-C", str(ROOT), target, *given], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def promised() -> set[str]:
    """The files of the table in docs/link.md."""
    part = (ROOT / "docs/link.md").read_text().split("## What `make install` puts where")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", part, flags=re.MULTILINE))


@pytest.fixture(autouse=True)
def command() -> None:
    if not binary().exists():
        pytest.skip(f"{binary()} is not built: cargo build -p sealwire-cli")


def test_everything_stands_where_the_page_says_and_goes_again(tmp_path: Path) -> None:
    root = tmp_path / "root with space"
    root.mkdir()
    stranger = root / "opt/seal/bin/other"
    stranger.parent.mkdir(parents=True)
    stranger.write_text("somebody's")
    make("install", PREFIX="/opt/seal", DESTDIR=root)
    placed = root / "opt/seal"
    assert len(promised()) == 7
    pages = {name for name in files(placed) if name.startswith("share/man/")}
    assert {"share/man/man1/sealwire.1", "share/man/man1/sealwire-seal.1"} <= pages
    plain = {name for name in promised() if "*" not in name}
    assert promised() - plain == {"share/man/man1/sealwire*.1"}
    assert files(placed) == plain | pages | {"bin/other"}
    assert files(root) == {f"opt/seal/{name}" for name in files(placed)}, "nothing outside of the prefix"
    for name in plain | pages:
        mode = stat.S_IMODE((placed / name).stat().st_mode)
        assert mode == (0o755 if name == "bin/sealwire" else 0o644), name
    said = subprocess.run([placed / "bin/sealwire", "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("sealwire ")
    unit = (placed / "lib/systemd/system/sealwire@.service").read_text()
    assert "ExecStart=/opt/seal/bin/sealwire link up" in unit and "/usr/local" not in unit
    assert (placed / "share/sealwire/sealwire.lua").read_text() == (ROOT / "wireshark/sealwire.lua").read_text()
    for name in promised():
        if "completion" in name or "site-functions" in name:
            assert "noise-key" in (placed / name).read_text(), name
    make("uninstall", PREFIX="/opt/seal", DESTDIR=root)
    assert files(root) == {"opt/seal/bin/other"}
    assert not (placed / "share/sealwire").exists()


def test_zsh_finds_its_completion_where_it_looks(tmp_path: Path) -> None:
    """By default in the folders of `fpath`; elsewhere the words say what to add."""
    is_debian = Path("/etc/debian_version").exists()
    for prefix, folder in (
        ("/usr/local", "site-functions"),
        ("/usr", "vendor-completions" if is_debian else "site-functions"),
        ("/opt/seal", "site-functions"),
    ):
        said = make("install", PREFIX=prefix, DESTDIR=tmp_path)
        placed = {name for name in files(tmp_path / prefix[1:]) if "/zsh/" in name}
        assert placed == {f"share/zsh/{folder}/_sealwire"}
        assert ("fpath=(/opt/seal/share/zsh/site-functions $fpath)" in said) == (prefix == "/opt/seal")
        if zsh := shutil.which("zsh"):
            looks = subprocess.run([zsh, "-f", "-c", "print -l $fpath"], capture_output=True, text=True, check=True)
            assert f"{prefix}/share/zsh/{folder}" in looks.stdout.split() or prefix == "/opt/seal"
        make("uninstall", PREFIX=prefix, DESTDIR=tmp_path)
        assert not files(tmp_path)


def test_bash_completes_subcommands(tmp_path: Path) -> None:
    make("install", PREFIX=tmp_path)
    script = f"""
    source {tmp_path}/share/bash-completion/completions/sealwire
    COMP_WORDS=(sealwire link no) COMP_CWORD=2
    _sealwire sealwire no link
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["noise-key"]


@pytest.mark.parametrize("prefix", ["relative", "~/x"])
def test_a_prefix_that_is_no_path_is_refused(prefix: str) -> None:
    with pytest.raises(AssertionError, match="absolute path"):
        make("install", PREFIX=f"'{prefix}'")


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    make("install", PREFIX=tmp_path)
    unit = tmp_path / "lib/systemd/system/sealwire@.service"

    def verdict() -> str:
        command = ["systemd-analyze", "verify", "--man=no", str(unit)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        # What it says of the host's own units is the host's affair.
        return "\n".join(line for line in done.stderr.splitlines() if "sealwire" in line)

    assert verdict() == ""
    unit.write_text(unit.read_text().replace("RestartSec=1", "RestartSec=soon"))
    assert "soon" in verdict() or "RestartSec" in verdict()
