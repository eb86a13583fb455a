# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the AES S-box: each of the 256 entries, in every form, against FIPS 197's definition."""

from typing import Any

import cocotb
from cocotb.triggers import Timer
from sealwire_model.primitives.aes import SBOX


@cocotb.test()
async def every_form_gives_every_entry_of_the_standard(dut: Any) -> None:
    for byte in range(256):
        dut.x.value = byte
        await Timer(1, unit="ns")
        for port in (dut.table_form, dut.composite_form, dut.table_halves, dut.composite_halves):
            assert int(port.value) == SBOX[byte], (port._name, byte)
