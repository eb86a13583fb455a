# SPDX-License-Identifier: Apache-2.0
"""Which lines of hdl/ are the design: neither generated, nor left out of synthesis."""

import re
from dataclasses import dataclass
from pathlib import Path

from .. import files, named_top

_FUNCTION = re.compile(r"\s*function automatic\s.*?(?P<name>\w+)\s*\(")
_CHECKS = re.compile(r"^`(?:ifndef SYNTHESIS|ifdef SYNTHESIS$.*?^`else)$.*?^`endif$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Source:
    """A file of the design by its name below the repository."""

    name: str
    text: tuple[str, ...]  # line by line
    checks: frozenset[int]  # numbers of lines that synthesis does not see

    def function(self, line: int) -> str:
        """Name of the function whose body a line belongs to; empty outside of functions."""
        for number in range(line - 1, -1, -1):
            if begun := _FUNCTION.match(self.text[number]):
                return begun["name"]
            if number < line - 1 and self.text[number].strip().startswith("endfunction"):
                break
        return ""

    @property
    def room(self) -> str:
        """The folder below hdl/."""
        return str(Path(self.name).parent.relative_to("hdl"))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def load(root: Path) -> dict[str, Source]:
    """Every file of the design by name; a module that only checks instantiate is none."""
    found, checked, used = {}, set(), set()
    for path in sorted((root / "hdl").rglob("*.sv")):
        if "generated" in path.parts:
            continue
        name = path.relative_to(root).as_posix()
        text = files.read(path)
        lines: set[int] = set()
        for block in _CHECKS.finditer(text):
            first = text.count("\n", 0, block.start()) + 1
            lines.update(range(first, first + block[0].count("\n") + 1))
            checked |= _words(block[0])
        used |= _words(re.sub(rf"\bmodule {path.stem}\b", "", _CHECKS.sub("", text)))
        found[name] = Source(name, tuple(text.splitlines()), frozenset(lines))
    only_checks = (checked - used) | named_top.MONITORS
    return {name: source for name, source in found.items() if Path(name).stem not in only_checks}
