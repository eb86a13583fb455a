# SPDX-License-Identifier: Apache-2.0
"""A port as a number, for what a bench does in every cycle."""

from typing import Any


class Port:
    """Straight to the simulator: cocotb's own handles take most of the time of a simulation."""

    def __init__(self, handle: Any) -> None:
        self.bits = len(handle)
        self._raw = handle._handle

    def get(self) -> int:
        return self._raw.get_signal_val_long() if self.bits <= 31 else int(self._raw.get_signal_val_binstr(), 2)

    def put(self, value: int) -> None:
        """Takes effect when the design has seen the edge that woke the caller, as a write of cocotb does."""
        if self.bits <= 31:
            self._raw.set_signal_val_int(0, value)
        else:
            self._raw.set_signal_val_binstr(0, f"{value:0{self.bits}b}")

    #: For what expects one of cocotb's handles
    value = property(get, put)
