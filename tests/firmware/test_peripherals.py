# SPDX-License-Identifier: Apache-2.0
"""Behaviour of what stands around the boards' processor: serial line, registers behind it, SPI, MDIO, noise tests."""

import pytest
from sealwire_lab import firmware
from support import hdl_bench

BENCHES = {
    "uart_tx": ("uart_tx_bench", {"BIT_CYCLES": 16}),
    "uart_rx": ("uart_rx_bench", {"BIT_CYCLES": 16}),
    "spi_byte": ("spi_byte_bench", {"HALF_CYCLES": 3}),
    "mdio_frame": ("mdio_frame_bench", {"HALF_CYCLES": 20}),
    "uart_axil": ("uart_axil_bench", {"BIT_CYCLES": 8}),
    "board_bus": ("board_bus_bench", {}),
    "noise_source": ("noise_source_bench", {"SAMPLE_CYCLES": 5}),
    "noise_health": ("noise_health_bench", {}),
}


LISTED = [
    pytest.param(top, name, marks=pytest.mark.xdist_group(top), id=f"{top}-{name}")
    for top, (bench, _) in BENCHES.items()
    for name in hdl_bench.cocotb_tests(bench)
]


@pytest.mark.parametrize(("top", "test"), LISTED)
def test_peripheral(top: str, test: str) -> None:
    bench, parameters = BENCHES[top]
    directory = hdl_bench.simulation(top, firmware.rtl(), parameters)
    hdl_bench.check(directory, top, bench, test, **parameters)
