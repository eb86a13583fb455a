# SPDX-License-Identifier: Apache-2.0
"""Files are whole or not there, and what cannot be read or written is one line."""

import subprocess
import sys
from pathlib import Path

import pytest
from sealwire_lab import files
from sealwire_lab.errors import LabError, unknown


def test_a_file_is_written_with_its_folders_and_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "text"
    assert files.write(path, "first") == path and files.read(path) == "first"
    with path.open() as reader:
        files.write(path, b"second")
        assert reader.read() == "first"  # whoever has begun to read goes on with what was there
    assert files.read(path) == "second" and list(path.parent.iterdir()) == [path]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "below", tmp_path):
        with pytest.raises(LabError, match=rf"^cannot write {path}: ") as caught:
            files.write(path, "text")
        assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"] and not list(tmp_path.parent.glob(f".{tmp_path.name}.*"))


def test_what_cannot_be_read_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"cannot read .*/none: No such file or directory; make it: this command$"):
        files.read(tmp_path / "none", "; make it: this command")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(LabError, match=r"cannot read .*/binary"):
        files.read(tmp_path / "binary")


def test_a_lock_keeps_other_processes_waiting(tmp_path: Path) -> None:
    code = "import sys, pathlib; from sealwire_lab import files\nwith files.locked(pathlib.Path(sys.argv[1])): pass"
    with files.locked(tmp_path / "locks" / "one"):
        child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "locks" / "one")])
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(1.5)
    assert child.wait(20) == 0


def test_an_unknown_name_is_answered_with_the_nearest_and_with_all() -> None:
    assert str(unknown("core", "OMD-sha512", ["omd-sha512-r1", "fsks64"])) == (
        "no core is called 'OMD-sha512'; did you mean omd-sha512-r1? (known: omd-sha512-r1, fsks64)"
    )
    assert str(unknown("core", "x", [])) == "no core is called 'x' (known: none)"


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        (("adds", "sums"), False),
        (("  // adds\n", "/*verilator no_inline_task*/\n\n"), False),
        (("a + b", "a - b"), True),
        (("http://x", "http://y"), True),
        (("q\\\\", "q"), True),
    ],
)
def test_of_systemverilog_the_hash_names_what_is_no_comment(
    tmp_path: Path, change: tuple[str, str], counts: bool
) -> None:
    text = 'assign y = a + b;  // adds\ninitial $display("http://x /* \\"q\\\\", /* two\nlines */ y);\n'
    assert change[0] in text
    one, other = (files.write(tmp_path / folder / "m.sv", "") for folder in "ab")
    files.write(one, text)
    files.write(other, text.replace(*change))
    assert (files.sources_hash([one]) != files.sources_hash([other])) == counts


def test_the_hash_of_other_files_names_every_byte_and_their_names(tmp_path: Path) -> None:
    texts = {"m.py": "y = a // b", "n.py": "y = a // b", "o.py": "y = a // c"}
    files.write_all(tmp_path, texts)
    assert len({files.sources_hash([tmp_path / name]) for name in texts}) == len(texts)
