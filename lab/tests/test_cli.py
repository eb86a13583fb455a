# SPDX-License-Identifier: Apache-2.0
"""The command's answers to bad input: one clear line on standard error, nothing on standard output, status 2."""

import json
import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from sealwire_lab import cli, lint, toolchain
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError

VECTORS = Path(__file__).parents[2] / "vectors"
GOOD = str(VECTORS / "omdsha512k512n256tau256v2.rsp")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["kat", "--core", "omd-sha512-r1x", GOOD], "no core is called 'omd-sha512-r1x'; did you mean omd-sha512-r1?"),
        (["kat", "--core", "omd-sha512-r1"], "for example: sealwire-lab kat --core omd-sha512-r1 "),
        (["kat", "--core", "omd-sha512-r1", "none.rsp"], "cannot read none.rsp: No such file"),
        (["kat", "--core", "omd-sha512-r1", str(VECTORS)], "Is a directory"),
        (["kat", "--core", "omd-blake2b-f", GOOD], "implements omdblake2b"),
        (["cycles", "--core", "nothing-like-it"], "no core is called"),
        (["cycles", "--core", "omd-sha512-r1", "--params", "KEY_BITS=100"], "KEY_BITS = 100, allowed: whole bytes"),
        (["cycles", "--core", "omd-sha512-r1", "--params", "KEY_BITS=100"], "entry of hdl/cores.toml"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["kat"],
        ["kat", "--core", "omd-sha512-r1", "--limit", "0", GOOD],
        ["kat", "--core", "omd-sha512-r1", "--stall", "sometimes", GOOD],
        ["cycles", "--core", "omd-sha512-r1", "--params", "KEY=1"],
        ["sweep"],
        ["run", "--mtu", "many"],
    ],
)
def test_bad_usage_is_one_line_and_status_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    out, err = capfd.readouterr()
    command = " ".join(["sealwire-lab", *words[:1]])
    assert out == "" and err.count("\n") == 1
    assert err.startswith(f"{command}: ") and err.endswith(f"; see `{command} --help`\n")


def test_help_teaches_by_example(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert "sealwire-lab kat --core omd-sha512-r1 vectors/" in capfd.readouterr().out


def test_a_command_whose_package_is_absent_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.metadata, "entry_points", lambda group: [])
    assert main(["run", "--short"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err == (
        "sealwire-lab: run comes with the package sealwire-demo, which is not installed; run `make lab`\n"
    )
    assert main(["cores"]) == 0
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "two link ends made of our RTL" not in capfd.readouterr().out


def test_a_command_of_another_package_comes_last_with_its_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "foreign_package"
    (package / "help").mkdir(parents=True)
    (package / "help" / "a-count.txt").write_text("counts to N\n", encoding="utf-8")
    text = "def options(parser): parser.add_argument('n', type=int)\ndef run(arguments): return arguments.n\n"
    (package / "__init__.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = metadata.entry_points(group=cli.GROUP)
    point = metadata.EntryPoint("a-count", "foreign_package", cli.GROUP)
    monkeypatch.setattr(cli.metadata, "entry_points", lambda group: [*found, point])
    assert main(["a-count", "7"]) == 7
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capfd.readouterr().out
    assert said.index("  leakage ") < said.index("  a-count ") and "counts to N" in said


def test_cores_lists_the_manifest(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["cores", "--json"]) == 0
    assert "omd-sha512-r1" in [core["name"] for core in json.loads(capfd.readouterr().out)]


def test_lint_ends_with_all_complaints_each_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tops = [("a", ["x.sv:1: wrong"]), *((name, ["y.sv:2: odd"]) for name in "bcde"), ("f", [])]
    monkeypatch.setattr(lint, "run", lambda: iter(tops))
    assert main(["lint"]) == 1
    out, err = capfd.readouterr()
    assert out.count("\n") == len(tops) and out.endswith("f: clean (Verilator -Wall, slang)\n")
    assert err.endswith("a: x.sv:1: wrong\nb, c, d and 1 more: y.sv:2: odd\n2 complaints\n")
    monkeypatch.setattr(lint, "run", lambda: iter(tops[-1:]))
    assert main(["lint"]) == 0 and capfd.readouterr().err == "no complaint\n"


def test_a_missing_tool_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERILATOR_ROOT", str(tmp_path))
    with pytest.raises(LabError, match="VERILATOR_ROOT"):
        toolchain.find.__wrapped__()
    monkeypatch.delenv("VERILATOR_ROOT")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(LabError, match=r"no C\+\+ compiler"):
        toolchain.find.__wrapped__()


@pytest.mark.parametrize(
    "words", [["cores", "--json"], ["rank", "--by", "area", "--target", "xcup"], ["results", "--csv"]]
)
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(words: list[str]) -> None:
    gone, end = os.pipe()
    os.close(gone)
    with os.fdopen(end, "wb") as pipe:
        command = [sys.executable, "-c", "import sys; from sealwire_lab import cli; sys.exit(cli.main())", *words]
        child = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True)
    assert child.returncode == 128 + signal.SIGPIPE
    assert "Traceback" not in child.stderr and "BrokenPipe" not in child.stderr
