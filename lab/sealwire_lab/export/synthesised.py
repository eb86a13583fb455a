# SPDX-License-Identifier: Apache-2.0
"""The exported Verilog after a synthesis by Yosys, to simulate it: drivers resolved, latches and memories inferred.

The cells are words (adders, multiplexers, registers, memories), not those of a technology: what a synthesis takes for
other than what a simulation does, it has taken by then, and words simulate fast.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ..errors import LabError
from ..implement import flow, stages

_SOURCE, _RESULT = "plain.v", "synthesised.v"
_PASSES = ("synth -flatten -noalumacc -run begin:fine -top {name}", f"write_verilog -noattr {_RESULT}")


def make(name: str, verilog: str, progress: stages.Progress, limit: float) -> Path:
    """The file with the module after synthesis; kept in the store by the text."""
    state = hashlib.sha256(repr((name, verilog, _PASSES, flow.yosys_version())).encode())

    def prepare(scratch: Path) -> Sequence[str]:
        (scratch / _SOURCE).write_text(verilog, encoding="utf-8")
        return flow.yosys(scratch, [f"read_verilog {_SOURCE}", *(line.format(name=name) for line in _PASSES)])

    folder = flow.store() / "synthesised" / f"{name}-{state.hexdigest()[:16]}"
    done = stages.run("synthesis of the plain Verilog", folder, prepare, limit=limit, force=False, progress=progress)
    if done.status != stages.OK:
        raise LabError(f"the plain Verilog of {name} does not synthesise: {done.reason}")
    return done.folder / _RESULT
