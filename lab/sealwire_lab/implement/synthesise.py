# SPDX-License-Identifier: Apache-2.0
"""Child process: runs the Yosys commands of the file given.  Yosys ends its process when it meets an error."""

import sys
from pathlib import Path

from pyosys import libyosys  # type: ignore[import-untyped]


def main() -> None:
    """One command a line."""
    design = libyosys.Design()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        libyosys.run_pass(line, design)


if __name__ == "__main__":
    main()
