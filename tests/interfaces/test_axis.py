# SPDX-License-Identifier: Apache-2.0
"""Behaviour of AEAD cores behind AXI4-Stream: one pytest test for each cocotb test and variant."""

from __future__ import annotations

import hdl_bench
import pytest
from interface_top import build_top, vector_file
from sealwire_lab import cores

BEHAVIOURS = hdl_bench.cocotb_tests("axis_behaviours")
STORE_BYTES = 1024

#: (core, parameter set, AXIS_BITS, whether every behaviour runs or the known answers alone).
FAST = [
    ("omd-blake2b-f", "k512n256tau256v2", 64, True),
    ("omd-blake2b-f", "k512n256tau256v2", 512, True),
    ("omd-sha512-r1", "k512n256tau256v2", 64, False),
]
#: k136n104tau104 is nobody's parameter set: no string of it is a whole number of beats.
SLOW = [
    ("omd-blake2b-f", "k136n104tau104v2", 128, True),
    ("omd-blake2b-f", "k256n128tau128v2", 128, True),
    ("omd-blake2b-f", "k512n256tau512v1", 256, True),
    ("omd-sha512-r1", "k128n128tau128v1", 512, True),
    ("omd-sha512-r1", "k512n256tau256v2", 64, True),
]


def variants() -> list[object]:
    found = []
    for slow, variant in [(False, variant) for variant in FAST] + [(True, variant) for variant in SLOW]:
        core, sizes, width, everything = variant
        name = f"{core}-{sizes}-{width}"
        marks = [pytest.mark.xdist_group(name), *([pytest.mark.exhaustive] if slow else [])]
        known = vector_file(core, sizes).exists()
        wanted = [test for test in BEHAVIOURS if (everything, known)[test == "replays_known_answers"]]
        for behaviour in wanted:
            found.append(pytest.param(core, sizes, width, everything, behaviour, id=f"{name}-{behaviour}", marks=marks))
    return found


@pytest.mark.parametrize(("name", "sizes", "width", "everything", "behaviour"), variants())
def test_axis(
    name: str,
    sizes: str,
    width: int,
    everything: bool,
    behaviour: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    core = cores.find(name)
    given = {"STORE_BYTES": STORE_BYTES, "PACKET_BYTES": STORE_BYTES}
    top, directory, parameters = build_top(core, "axis", width, sizes, given)
    if not everything:
        monkeypatch.setenv("SEALWIRE_ONLY", behaviour)
    hdl_bench.check(
        directory,
        top.name,
        "axis_behaviours",
        behaviour,
        SCHEME=core.scheme,
        VECTORS=vector_file(name, sizes),
        RECORDS=100000 if request.config.getoption("--exhaustive") else 40 if core.scheme == "omdblake2b" else 8,
        **parameters,
    )
