# SPDX-License-Identifier: Apache-2.0
"""The types are true, and what the guides show in Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ["python/README.md", "docs/choose.md"]


def run(*arguments: str) -> str:
    result = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_example_is_typed_and_runs() -> None:
    run("-m", "mypy", "--strict", "--config-file=", "python/examples/messages.py")
    said = run("python/examples/messages.py")
    assert said == "15 of 16 packets are authentic\nthe note is not for bob\nmeet me at noon\n"


def test_a_wrong_use_is_a_type_error(tmp_path: Path) -> None:
    program = tmp_path / "wrong.py"
    program.write_text("from sealwire import OMDSHA512\nOMDSHA512(b'').encrypt('nonce', b'')\n")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert 'incompatible type "str"; expected "Buffer"' in result.stdout


def test_the_stub_describes_what_is_there() -> None:
    run("-m", "mypy.stubtest", "sealwire._sealwire", "--ignore-disjoint-bases")


@pytest.mark.parametrize("guide", GUIDES)
def test_python_blocks_run(guide: str, tmp_path: Path) -> None:
    """In their order, as one program."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(), re.DOTALL)
    assert blocks
    program = tmp_path / "guide.py"
    program.write_text("\n".join(blocks))
    run(str(program))


def test_every_batch_that_is_slower_is_said_to_miss_the_bar() -> None:
    text = (ROOT / "docs/library-speed.md").read_text().partition("\n## Python\n")[2]
    tables = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    ]
    said = [row[1:5] for table in tables if table[0][0] == "machine" for row in table[2:]]
    slower = []
    measured = [table for table in tables if table[0][0] == "scheme"]
    for head, _, *rows in measured:
        single, batch = head.index("`encrypt`, `decrypt`"), head.index("batch of 16")
        slower += [[*row[1:3], row[batch], row[single]] for row in rows if float(row[batch]) < float(row[single])]
    assert len(measured) == 3
    assert slower == said != []
