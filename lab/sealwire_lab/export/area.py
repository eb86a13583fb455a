# SPDX-License-Identifier: Apache-2.0
"""Area of the exported Verilog itself: Yosys reads the file that the user gets, so that it is shown to synthesise."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ..errors import LabError
from ..implement import flow, reports, stages, targets
from ..implement.targets import Area

TARGETS = ("ecp5", "xcup")
_SOURCE = "plain.v"


def measure(name: str, verilog: str, target_name: str, progress: stages.Progress, limit: float) -> Area:
    """Cells after synthesis; kept in the store by the text."""
    target = targets.find(target_name)
    state = hashlib.sha256(repr((verilog, target.synth, flow.yosys_version())).encode())

    def prepare(scratch: Path) -> Sequence[str]:
        (scratch / _SOURCE).write_text(verilog, encoding="utf-8")
        script = [
            f"read_verilog {_SOURCE}",
            f"{target.synth} -top {name}",
            "check -assert -noinit",
            f"tee -q -o {flow.STAT} stat -json",
        ]
        return flow.yosys(scratch, script)

    done = stages.run(
        f"area for {target.name}", flow.store() / "area" / f"{name}-{target.name}-{state.hexdigest()[:16]}", prepare,
        limit=limit, force=False, progress=progress,
    )  # fmt: skip
    if done.status != stages.OK:
        raise LabError(f"no area of {name}: {done.reason} (--no-measure leaves the figures out)")
    return target.area(reports.cells_of(done.folder / flow.STAT))
