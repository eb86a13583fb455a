# SPDX-License-Identifier: Apache-2.0
"""Runs behaviours.py on Verilated cores: one simulation a variant, one pytest test a behaviour.

To repeat a run with its random numbers: SEALWIRE_SEED=<the seed that the failure names>.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from sealwire_lab import cores
from support.cocotb_program import program, run

HERE = Path(__file__).parent
#: Each behaviour with the condition under which cocotb skips it, a Python expression ("" for none).
BEHAVIOURS = {
    name: condition
    for condition, name in re.findall(
        r"^@cocotb\.test\((?:skip=(.*))?\)\n(?:@.*\n)*async def (\w+)\(",
        (HERE / "behaviours.py").read_text(),
        re.MULTILINE,
    )
}

#: In the fast set every core, at its smallest published sizes; version 1 on one core of each primitive, and the tag of
#: a whole chaining value on one.
FAST = [
    ("omd-sha512-r1", "k128n128tau128v2"),
    ("omd-sha512-r2", "k128n128tau128v1"),
    ("omd-sha512-x4", "k128n128tau128v2"),
    ("omd-sha256-r1", "k128n96tau64v1"),
    ("omd-blake2b-f", "k512n256tau512v1"),
    ("omd-blake2b-h", "k256n128tau128v2"),
    ("omd-blake2b-x8", "k256n128tau128v2"),
    ("pomd-sha512-r1", "k512n256tau256v1"),
    ("pomd-sha256-r1", "k128n96tau128v1"),
    ("pomd-blake2b-f", "k512n256tau256v1"),
    ("sivomdp-sha512-r1", "k512n256tau256v1m1024"),
    ("sivomds-sha512-r1", "k512n256tau256v1m1024"),
    ("otr-aes128-p-r1", "k128n96tau128v3"),
    ("otr-aes128-s-r1", "k128n96tau128v3d128"),
    ("otr-aes128-p-p2", "k128n96tau128v3"),
    ("otr-aes128-p-p3", "k128n96tau128v3"),
    ("otr-aes128-p-p4", "k128n120tau64v3"),
    ("otr-aes128-p-p21", "k128n96tau128v3"),
    ("otr-aes128-p-p21b", "k128n96tau128v3"),
    ("otr-aes128-p-m1", "k128n96tau128v3"),
    ("otr-aes256-p-r1", "k256n96tau128v3"),
    ("ascon-aead128-r1", "k128n128tau128v1"),
    ("ascon-aead128-r2", "k128n128tau128v1d32"),
    ("ascon-aead128-r4", "k128n128tau128v1"),
    ("ascon-aead128-m1", "k128n128tau128v1"),
    ("ocb-aes128-r1", "k128n96tau128v1"),
    ("ocb-aes128-p2", "k128n96tau64v1d32"),
    ("ocb-aes128-p3", "k128n96tau128v1"),
    ("ocb-aes128-p4", "k128n96tau96v1"),
    ("ocb-aes128-p21b", "k128n96tau128v1"),
    ("deoxysii-128-r1", "k128n120tau128v143m1024"),
    ("deoxysii-128-p2", "k256n120tau128v143d32m1024"),
    ("deoxysii-128-p29", "k128n120tau128v143m1024"),
    ("deoxysi-128-r1", "k128n64tau128v143"),
    ("deoxysi-128-p2", "k256n64tau128v143d32"),
    ("scream10-r1", "k128n88tau128v3d32"),
    ("scream10-p2", "k128n88tau128v3"),
    ("scream12-r1", "k128n88tau128v3d128"),
    ("scream12-p2", "k128n88tau128v3d32"),
    ("colm-aes128-r1", "k128n64tau128v1"),
    ("colm-aes128-p2", "k128n64tau128v1d32"),
    ("copa-aes128-r1", "k128n128tau264v2"),
    ("copa-aes128-p2", "k128n128tau264v2d32"),
    ("aegis128l-r1", "k128n128tau128v1"),
    ("minalpher-r1", "k128n104tau384v1"),
    ("minalpher-p2", "k128n104tau384v1d32"),
    ("gcm-aes128-r1", "k128n96tau128v1"),
    ("gcm-aes128-p2", "k128n96tau128v1d32"),
]
#: The exhaustive set adds the other published sizes, and other beats.
SLOW = [
    ("pomd-sha256-r1", "k256n248tau256v1"),
    ("omd-blake2b-x8", "k512n256tau256v2"),
    ("omd-sha512-r1", "k512n256tau256v2"),
    ("omd-sha512-r1", "k128n128tau128v1"),
    ("omd-sha512-r1", "k256n256tau256v1"),
    ("omd-sha512-r1", "k512n256tau512v1"),
    ("omd-sha512-r1", "k80n96tau32v2"),
    ("omd-sha512-r1", "k512n256tau256v2d256"),
    ("omd-sha512-r1", "k512n256tau256v2d512"),
    ("omd-sha512-r2", "k512n256tau256v2"),
    ("omd-sha512-r2", "k512n256tau256v2d32"),
    ("omd-sha512-x4", "k512n256tau256v2"),
    ("omd-sha512-x4", "k128n128tau128v1"),
    ("omd-sha256-r1", "k256n248tau256v2"),
    ("omd-sha256-r1", "k192n104tau128v1d256"),
    ("omd-blake2b-f", "k512n256tau256v2"),
    ("omd-blake2b-f", "k256n128tau128v2"),
    ("omd-blake2b-f", "k512n504tau512v2"),
    ("omd-blake2b-f", "k512n256tau256v2d32"),
    ("omd-blake2b-f", "k512n256tau256v2d128"),
    ("omd-blake2b-h", "k512n256tau256v2"),
    ("omd-blake2b-h", "k256n128tau128v2d512"),
    ("pomd-sha512-r1", "k80n96tau32v1d32"),
    ("pomd-sha256-r1", "k128n96tau128v1d256"),
    ("pomd-blake2b-f", "k512n504tau512v1d512"),
    ("sivomdp-sha512-r1", "k80n96tau32v1d32m1024"),
    ("sivomdp-sha512-r1", "k512n504tau512v1m2048"),
    ("sivomds-sha512-r1", "k512n256tau256v1d512m4096"),
    ("sivomds-sha512-r1", "k256n128tau128v1d128m65536"),
    ("otr-aes128-p-r1", "k128n8tau32v3d32"),
    ("otr-aes128-p-p2", "k128n120tau64v3d128"),
    ("otr-aes128-p-p3", "k128n8tau32v3"),
    ("otr-aes128-p-p4", "k128n96tau128v3"),
    ("otr-aes128-p-p21", "k128n8tau32v3"),
    ("otr-aes128-p-p21", "k128n120tau64v3"),
    ("otr-aes128-p-p21b", "k128n8tau32v3"),
    ("otr-aes128-p-m1", "k128n8tau32v3"),
    ("otr-aes128-p-m1", "k128n120tau64v3"),
    ("otr-aes128-s-r1", "k128n64tau96v3"),
    ("otr-aes128-p-r1", "k128n96tau128v3d128"),
    ("ascon-aead128-r1", "k128n128tau128v1d128"),
    ("ascon-aead128-r2", "k128n128tau128v1"),
    ("ascon-aead128-r4", "k128n128tau128v1d64"),
    ("ocb-aes128-r1", "k128n96tau64v1d128"),
    ("ocb-aes128-p2", "k128n96tau96v1"),
    ("ocb-aes128-p3", "k128n96tau64v1d32"),
    ("ocb-aes128-p4", "k128n96tau64v1d128"),
    ("ocb-aes128-p21b", "k128n96tau64v1"),
    ("ocb-aes128-p21b", "k128n96tau96v1"),
    ("deoxysii-128-r1", "k256n120tau128v141d128m1024"),
    ("deoxysii-128-p2", "k128n120tau128v143m4096"),
    ("deoxysii-128-p29", "k128n120tau128v141m4096"),
    ("deoxysi-128-r1", "k256n64tau128v141d128"),
    ("deoxysi-128-p2", "k128n64tau128v143"),
    ("scream10-r1", "k128n88tau128v3"),
    ("scream10-p2", "k128n88tau128v3d128"),
    ("colm-aes128-r1", "k128n64tau128v1d128"),
    ("colm-aes128-p2", "k128n64tau128v1"),
    ("copa-aes128-r1", "k128n128tau264v2d128"),
    ("copa-aes128-p2", "k128n128tau264v2"),
    ("aegis128l-r1", "k128n128tau256v1d32"),
    ("aegis128l-r1", "k128n128tau128v1d64"),
    ("aegis128l-r1", "k128n128tau128v1d128"),
    ("minalpher-r1", "k128n104tau384v1d256"),
    ("minalpher-p2", "k128n104tau384v1d128"),
    ("gcm-aes128-r1", "k128n96tau128v1d128"),
    ("gcm-aes128-p2", "k128n96tau128v1"),
]


def has_compressor(core: cores.Core) -> bool:
    """One compression function stands beside the core, which starts one call after the other."""
    return "omd" in core.scheme and core.contexts == 1


def holds_plaintext(core: cores.Core) -> bool:
    """Of what it opens nothing leaves before the tag is found right."""
    return core.scheme.startswith("sivomd")


def _behaviours(name: str, sizes: str) -> list[str]:
    """The behaviours that a variant has: a cache of AD and a store of messages are not in every core."""
    core = cores.find(name)
    has = {
        "AD_CACHE": core.ad_cache,
        "MAX_MSG": re.search(r"m\d+$", sizes) is not None,
        "HOLDS": holds_plaintext(core),
        "COMPRESSOR": has_compressor(core),
        "INTERLEAVED": core.contexts > 1,
        "AHEAD": core.commands > 1,
    }
    return [behaviour for behaviour, condition in BEHAVIOURS.items() if not (condition and eval(condition, {}, has))]


CASES = [
    pytest.param(variant, behaviour, id=f"{'-'.join(variant)}-{form}{behaviour}", marks=marks)
    for form, variants, marks in (("", FAST, ()), ("long-", [*FAST, *SLOW], (pytest.mark.exhaustive,)))
    for variant in variants
    for behaviour in _behaviours(*variant)
]
_done: dict[tuple[str, str, bool], dict[str, list[str]]] = {}


def simulate(variant: tuple[str, str], exhaustive: bool) -> dict[str, list[str]]:
    """Run all behaviours once; for each its failures (an empty list: passed)."""
    core = cores.find(variant[0])
    match = re.fullmatch(r"k(\d+)n(\d+)tau(\d+)v(\d+)(?:d(\d+))?(?:m(\d+))?", variant[1])
    assert match
    key, nonce, tag, version, beat, longest = match.groups()
    parameters = core.parameters(KEY_BITS=int(key), NONCE_BITS=int(nonce), TAG_BITS=int(tag), VERSION=int(version))
    parameters["DATA_BITS"] = int(beat or core.data_bits)
    if longest:
        parameters["MAX_MSG_BYTES"] = int(longest)
    environment = {
        "SEALWIRE_SCHEME": core.scheme,
        "SEALWIRE_VERSION": version,
        "SEALWIRE_AD_CACHE": "1" if core.ad_cache else "",
        "SEALWIRE_AD_WITH_MSG": "1" if core.ad_with_msg else "",
        "SEALWIRE_COMPRESSOR": "1" if has_compressor(core) else "",
        "SEALWIRE_INTERLEAVED": "1" if core.contexts > 1 else "",
        "SEALWIRE_AHEAD": "1" if core.commands > 1 else "",
        "SEALWIRE_MAX_MSG_BYTES": str(parameters.get("MAX_MSG_BYTES", "")),
        "SEALWIRE_HOLDS": "1" if holds_plaintext(core) else "",
        "SEALWIRE_EXHAUSTIVE": "1" if exhaustive else "",
        "COCOTB_LOG_LEVEL": "INFO",
    }
    built = program(core.top, core.sources, parameters, ["--public-flat-rw"])
    output, outcome = run(built, core.top, "behaviours", environment)
    if not outcome:
        pytest.fail(f"the simulation of {core.name} ended early:\n{output[-3000:]}", pytrace=False)
    failures: dict[str, list[str]] = {}
    for name, problems in outcome.items():
        if problems is not None:
            found = failures.setdefault(re.match(r"\w+", name)[0], [])  # type: ignore[index]
            found += [f"{name} (seed {os.environ['SEALWIRE_SEED']}): {problem}" for problem in problems]
    return failures


@pytest.fixture
def failures(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    variant, exhaustive = request.param, request.node.get_closest_marker("exhaustive") is not None
    key = (*variant, exhaustive)
    if key not in _done:
        _done[key] = {}  # a simulation that cannot be built or started fails once with its reason, not for every test
        _done[key] = simulate(variant, exhaustive)
    return _done[key]


def test_every_core_is_in_the_fast_set() -> None:
    here, known = {name for name, _ in FAST}, {name for name, core in cores.load().items() if core.kind == "aead"}
    assert here == known, (
        f'FAST: add a line ("NAME", "k128n96tau64v1") for each of {sorted(known - here)}, with the fewest bits of key, '
        "nonce and tag, and the version, of its files in vectors/, then d32 for another beat and m1024 for the longest "
        f"message in bytes where it has them; remove {sorted(here - known)}"
    )


def test_every_behaviour_is_known() -> None:
    assert len(BEHAVIOURS) == (HERE / "behaviours.py").read_text().count("@cocotb.test(")


@pytest.mark.parametrize(("failures", "behaviour"), CASES, indirect=["failures"])
def test_core(failures: dict[str, list[str]], behaviour: str) -> None:
    assert behaviour in failures, f"{behaviour} did not run"
    if failures[behaviour]:
        pytest.fail("\n".join(failures[behaviour]), pytrace=False)
