# SPDX-License-Identifier: Apache-2.0
"""Runs gcm_behaviours.py on the AES-GCM cores: the counter of a nonce never comes round."""

import pytest
from sealwire_lab import cores
from support.cocotb_program import program, run

CORES = [core for core in cores.load().values() if core.scheme == "aes128gcm"]


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.name)
def test_no_counter_serves_twice(core: cores.Core) -> None:
    built = program(core.top, core.sources, core.parameters(), ["--public-flat-rw"])
    environment = {"SEALWIRE_SCHEME": core.scheme, "SEALWIRE_VERSION": "1"}
    output, outcome = run(built, core.top, "gcm_behaviours", environment)
    assert len(outcome) == 2 and not any(outcome.values()), output[-3000:]
