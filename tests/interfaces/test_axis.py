# SPDX-License-Identifier: Apache-2.0
"""Behaviour of AEAD cores behind AXI4-Stream: one pytest test for each cocotb test and variant."""

from __future__ import annotations

import pytest
from interface_top import build_top, variants, vector_file
from sealwire_lab import cores
from support import hdl_bench

BEHAVIOURS = hdl_bench.cocotb_tests("axis_behaviours")
IN_SHARES = hdl_bench.cocotb_tests("axis_shares_behaviours")
STORE_BYTES = 1024

#: What shows that several contexts, and AD with the message, are served; and the known answers.
SOME = [
    "replays_known_answers",
    "serves_mixed_traffic_under_both",
    "keeps_the_order_of_packets_of_all_lengths",
    "a_blocked_output_loses_nothing",
    "takes_all_of_the_ad_before_the_message",
    "clear_wipes_every_register_and_the_store",
]
#: What depends on the width beside the answers: where strings end, what is wrong, what a reset finds.
WIDTH = [
    *SOME[:2],
    "releases_nothing_of_a_truncated_or_extended_message",
    "refuses_malformed_packets_under_stalls",
    "refuses_a_wrong_command",
    "refuses_a_wrong_key_and_waits_for_a_good_one",
    "starts_anew_after_a_reset_in_mid_packet",
    "starts_anew_after_clear_in_mid_packet",
    "clear_wipes_every_register_and_the_store",
]

#: (core, parameter set, AXIS_BITS, behaviours).
FAST = [
    ("omd-blake2b-f", "k512n256tau256v2", 64, BEHAVIOURS),
    ("omd-blake2b-f", "k512n256tau256v2", 512, BEHAVIOURS),
    ("otr-aes128-p-r1", "v3", 128, WIDTH),
    ("otr-aes128-s-r1", "v3", 256, WIDTH),
    ("omd-blake2b-f", "k512n256tau512v1", 256, SOME[:2]),
    ("pomd-blake2b-f", "k512n256tau256", 64, SOME),
    ("omd-blake2b-x8", "k512n256tau256v2", 64, SOME),
    ("ascon-aead128-r1", "", 64, SOME),
    ("ocb-aes128-r1", "taglen128v1", 64, SOME),
    ("deoxysii-128-r1", "128v143", 64, SOME),
    ("scream10-r1", "", 64, SOME),
    ("colm-aes128-r1", "", 64, SOME),
    ("copa-aes128-p2", "", 64, SOME),
    ("ascon-aead128-r4", "", 128, WIDTH),
    ("ascon-aead128-m1", "", 64, [*SOME, *IN_SHARES]),
    ("aegis128l-r1", "tau256", 256, SOME),
    ("minalpher-r1", "", 64, SOME),
    ("gcm-aes128-p2", "v1", 64, SOME),
]
#: k136n104tau104 is nobody's parameter set, without known answers: no string of it is a whole number of beats.
SLOW = [
    ("omd-blake2b-f", "k136n104tau104v2", 128, [name for name in BEHAVIOURS if name != "replays_known_answers"]),
    ("omd-blake2b-f", "k256n128tau128v2", 128, BEHAVIOURS),
    ("omd-blake2b-f", "k512n256tau512v1", 256, BEHAVIOURS),
    ("omd-sha512-r1", "k128n128tau128v1", 512, BEHAVIOURS),
    ("omd-sha512-r1", "k512n256tau256v2", 64, BEHAVIOURS),
    ("pomd-blake2b-f", "k512n256tau256", 256, BEHAVIOURS),
    ("omd-blake2b-x8", "k512n256tau256v2", 128, BEHAVIOURS),
    ("otr-aes128-p-r1", "v3", 64, BEHAVIOURS),
    ("otr-aes128-p-p2", "v3", 128, BEHAVIOURS),
    ("otr-aes128-s-r1", "v3", 64, SOME),
    ("otr-aes256-p-r1", "v3", 256, SOME),
    ("otr-aes128-p-p3", "v3", 128, BEHAVIOURS),
    ("otr-aes128-p-p21", "v3", 128, BEHAVIOURS),
    ("otr-aes128-p-p21b", "v3", 128, BEHAVIOURS),
    ("ocb-aes128-p21b", "taglen128v1", 128, BEHAVIOURS),
    ("deoxysii-128-p29", "128v143", 128, BEHAVIOURS),
    ("ascon-aead128-r2", "", 64, BEHAVIOURS),
    ("ascon-aead128-r4", "", 256, BEHAVIOURS),
    ("ascon-aead128-m1", "", 256, [*BEHAVIOURS, *IN_SHARES]),
    ("otr-aes128-p-m1", "v3", 128, [*BEHAVIOURS, *IN_SHARES]),
    ("minalpher-p2", "", 256, BEHAVIOURS),
    ("colm-aes128-p2", "", 128, BEHAVIOURS),
    ("copa-aes128-r1", "", 128, BEHAVIOURS),
]


@pytest.mark.parametrize(("name", "sizes", "width", "only", "behaviour"), variants("axis", FAST, SLOW))
def test_axis(
    name: str,
    sizes: str,
    width: int,
    only: str,
    behaviour: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    core = cores.find(name)
    many = core.contexts > 1
    given = {
        "STORE_BYTES": STORE_BYTES,
        "PACKET_BYTES": STORE_BYTES // 2 if many else STORE_BYTES,
        "AD_FIFO_BYTES": 512 if core.ad_with_msg else 0,
        "MSG_FIFO_BYTES": 256 if many else 0,
    }
    top, directory, parameters = build_top(core, "axis", width, sizes, given)
    monkeypatch.setenv("SEALWIRE_ONLY", only)
    hdl_bench.check(
        directory,
        top.name,
        "axis_shares_behaviours" if behaviour in IN_SHARES else "axis_behaviours",
        behaviour,
        SCHEME=core.scheme,
        VECTORS=vector_file(name, sizes),
        RECORDS=100000 if request.config.getoption("--exhaustive") else 40 if core.scheme == "omdblake2b" else 8,
        CONTEXTS=core.contexts,
        AD_CACHE=core.ad_cache,
        **parameters,
    )
