# SPDX-License-Identifier: Apache-2.0
"""cocotb's runner with a time limit, for the programs of `build.cocotb_program`."""

from cocotb_tools.runner import Verilator

#: Seconds after which a simulation that does not end is killed.
LIMIT = 1800


class Bounded(Verilator):
    """A simulation that hangs fails."""

    def _get_sim_cmd_prefix(self) -> list[str]:
        return ["timeout", str(LIMIT), *super()._get_sim_cmd_prefix()]
