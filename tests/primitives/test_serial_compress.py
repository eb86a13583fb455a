# SPDX-License-Identifier: Apache-2.0
"""The serial compression functions: one pytest test for each cocotb test and module; BLAKE2b also as a final block."""

import pytest
from support import hdl_bench

PRIMITIVES = hdl_bench.ROOT / "hdl" / "primitives"
SOURCES = {
    "sha512_compress_s": ["sha2/sha2_pkg.sv", "sha2/sha512_compress_s.sv"],
    "blake2b_compress_s": ["blake2b/blake2b_pkg.sv", "blake2b/blake2b_compress_s.sv"],
}
#: Three bytes, as in the example of RFC 7693
FINAL = {"T": 3, "F": 1}


TESTS = hdl_bench.cocotb_tests("serial_compress_bench")
#: No hash calls BLAKE2b with counter 0: there the model is the judge.
VARIANTS = {
    "sha512": ("sha512_compress_s", {}, TESTS),
    "blake2b": ("blake2b_compress_s", {}, [name for name in TESTS if name != "gives_the_published_digests"]),
    "blake2b_final": ("blake2b_compress_s", FINAL, TESTS),
    "blake2b_halves": ("blake2b_compress_s", FINAL | {"HALVES": 1}, TESTS),
}


@pytest.mark.parametrize(
    ("variant", "test"),
    [
        pytest.param(variant, test, marks=pytest.mark.xdist_group(f"serial_{variant}"))
        for variant, (_, _, tests) in VARIANTS.items()
        for test in tests
    ],
)
def test_serial_compress(variant: str, test: str) -> None:
    top, parameters, _ = VARIANTS[variant]
    directory = hdl_bench.simulation(top, [PRIMITIVES / name for name in SOURCES[top]], parameters)
    hdl_bench.check(
        directory, top, "serial_compress_bench", test, TOP=top, FINAL=parameters.get("T", 0),
        HALVES=parameters.get("HALVES", 0),
    )  # fmt: skip
