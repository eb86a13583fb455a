# SPDX-License-Identifier: Apache-2.0
"""The answers that RFC 7253, appendix A, prints for 385 messages of 0 to 127 bytes, on the RTL."""

import pytest
from sealwire_lab import cores
from sealwire_lab.simulation import Simulation

#: One tag over all that the other messages were sealed to, by bits of a tag.
ANSWERS = {128: "67e944d23256c5e0b6c61fa22fdf1ea2", 96: "77a3d8e73589158d25d01209", 64: "192c9b7bd90ba06a"}
CORES = ("ocb-aes128-r1", "ocb-aes128-p2", "ocb-aes128-p3", "ocb-aes128-p4", "ocb-aes128-p21b")
#: One round a cycle, and a block a cycle, are part of the short form.
SHORT = ("ocb-aes128-r1", "ocb-aes128-p21b")


def nonce(number: int) -> bytes:
    return number.to_bytes(12)


@pytest.mark.parametrize("bits", ANSWERS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SHORT else [pytest.mark.exhaustive]) for name in CORES]
)
def test_the_iterated_answer(name: str, bits: int) -> None:
    core = cores.find(name)
    with Simulation.of(core, core.parameters(TAG_BITS=bits)) as bench:
        bench.key(bytes(15) + bytes([bits]))
        for size in range(128):
            zeros = bytes(size)
            for number, (ad, text) in enumerate(((zeros, zeros), (b"", zeros), (zeros, b"")), 3 * size + 1):
                bench.seal(nonce(number), ad, text)
        sealed = bench.flush()
        bench.seal(nonce(385), b"".join(one.out + one.tag for one in sealed.outcomes), b"")
        report = bench.flush()
    assert not sealed.violations and not report.violations
    assert report.outcomes[-1].tag.hex() == ANSWERS[bits]
