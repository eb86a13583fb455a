# SPDX-License-Identifier: Apache-2.0
"""AES in hdl/primitives/aes: one pytest test for each cocotb test and form of the module."""

from pathlib import Path

import pytest
from support import hdl_bench

AES = hdl_bench.ROOT / "hdl" / "primitives" / "aes"
PROBE = Path(__file__).parent / "aes_sbox_probe.sv"
#: Stages, key bits, S-box (0: table, 1: composite field), stored round keys. The fast set has every value of each.
FAST = [(1, 128, 1, 1), (2, 256, 0, 0)]
FORMS = [
    pytest.param(
        form, marks=() if form in FAST else pytest.mark.exhaustive, id="stages{}-key{}-sbox{}-stored{}".format(*form)
    )
    for form in ((s, k, b, r) for s in (1, 2) for k in (128, 256) for b in (0, 1) for r in (0, 1))
]


def test_every_form_of_the_sbox_gives_every_entry() -> None:
    directory = hdl_bench.simulation("aes_sbox_probe", [AES / "aes_pkg.sv", PROBE], {})
    hdl_bench.check(directory, "aes_sbox_probe", "aes_sbox_bench", "every_form_gives_every_entry_of_the_standard")


@pytest.mark.xdist_group("aes")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_bench"))
@pytest.mark.parametrize("form", FORMS)
def test_aes(form: tuple[int, int, int, int], test: str) -> None:
    stages, key_bits, sbox, stored = form
    top = "aes_encrypt_r1" if stages == 1 else "aes_encrypt_p2"
    sources = [AES / "aes_pkg.sv", AES / "aes_key_schedule.sv", AES / f"{top}.sv"]
    parameters = {"KEY_BITS": key_bits, "SBOX_FORM": sbox, "STORED_KEYS": stored}
    directory = hdl_bench.simulation(top, sources, parameters, ["--public-flat-rw"])
    hdl_bench.check(directory, top, "aes_bench", test, SEALWIRE_STAGES=stages, SEALWIRE_STORED=stored)


@pytest.mark.xdist_group("aes")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_pipe_bench"))
@pytest.mark.parametrize(
    ("stages", "sbox"),
    [
        pytest.param(
            *form, marks=() if form in ((1, 1), (2, 2)) else pytest.mark.exhaustive, id="stages{}-sbox{}".format(*form)
        )
        for form in ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2))
    ],
)
def test_unrolled_aes(stages: int, sbox: int, test: str) -> None:
    names = (
        "aes_pkg", "aes_key_schedule", "aes_round_keys", "aes_sbox_rom", "aes_round_rom", "aes_rounds_rom",
        "aes_encrypt_pipe",
    )  # fmt: skip
    sources = [AES / f"{name}.sv" for name in names]
    parameters = {"STAGES": stages, "SBOX_FORM": sbox}
    directory = hdl_bench.simulation("aes_encrypt_pipe", sources, parameters, ["--public-flat-rw"])
    hdl_bench.check(directory, "aes_encrypt_pipe", "aes_pipe_bench", test, SEALWIRE_STAGES=stages, SEALWIRE_SBOX=sbox)


@pytest.mark.xdist_group("aes")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_crypt_bench"))
@pytest.mark.parametrize(("stages", "both"), [(1, 1), (2, 1), (3, 1), (4, 1), (1, 0), (4, 0)])
def test_aes_in_stages(stages: int, both: int, test: str) -> None:
    names = ("aes_pkg", "aes_inverse_pkg", "aes_key_schedule", "aes_round_keys", "aes_crypt")
    sources = [AES / f"{name}.sv" for name in names]
    parameters = {"STAGES": stages, "BOTH": both}
    directory = hdl_bench.simulation("aes_crypt", sources, parameters, ["--public-flat-rw"])
    hdl_bench.check(directory, "aes_crypt", "aes_crypt_bench", test, SEALWIRE_STAGES=stages, SEALWIRE_BOTH=both)


@pytest.mark.xdist_group("aes")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_crypt_pipe_bench"))
def test_unrolled_aes_both_ways(test: str) -> None:
    names = (
        "aes_pkg", "aes_inverse_pkg", "aes_key_schedule", "aes_round_keys", "aes_round_keys_back",
        "aes_sbox_both_rom", "aes_crypt_pipe",
    )  # fmt: skip
    sources = [AES / f"{name}.sv" for name in names]
    directory = hdl_bench.simulation("aes_crypt_pipe", sources, {}, ["--public-flat-rw"])
    hdl_bench.check(directory, "aes_crypt_pipe", "aes_crypt_pipe_bench", test)
