# SPDX-License-Identifier: Apache-2.0
"""The runner of cocotb benches must see every failure."""

import pytest
from support import hdl_bench


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("silent_bench"))
def test_a_failure_without_a_message_is_seen(test: str) -> None:
    directory = hdl_bench.simulation("sync_bits", [hdl_bench.library("sync_bits")], {"WIDTH": 5, "STAGES": 2})
    if test == "passes":
        hdl_bench.check(directory, "sync_bits", "silent_bench", test)
    else:
        with pytest.raises(pytest.fail.Exception, match=test):
            hdl_bench.check(directory, "sync_bits", "silent_bench", test)
