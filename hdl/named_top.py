#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FuseSoC generator: the named top of a core, made from its entry in cores.toml.

FuseSoC calls it with the name of a YAML file that holds the core's name and the identifier of what is to be made.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lab"))  # FuseSoC runs it outside any environment

from sealwire_lab import cores

request = Path(sys.argv[1]).read_text(encoding="utf-8")
asked = {key: re.search(rf"^\s*{key}: *['\"]?([^'\"\n]+)", request, re.MULTILINE) for key in ("core", "vlnv")}
if not (asked["core"] and asked["vlnv"]):
    sys.exit("named_top.py: FuseSoC's request names no core; see generate: in sealwire_cores.core")
top = cores.find(asked["core"][1]).sources[-1]
Path(top.name).write_text(top.read_text(encoding="utf-8"), encoding="utf-8")
Path(f"{top.stem}.core").write_text(
    f"CAPI=2:\nname: {asked['vlnv'][1]}\n"
    f"filesets:\n  top:\n    files: [{top.name}]\n    file_type: systemVerilogSource\n"
    "targets:\n  default:\n    filesets: [top]\n",
    encoding="utf-8",
)
