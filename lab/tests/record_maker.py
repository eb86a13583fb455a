# SPDX-License-Identifier: Apache-2.0
"""Records for tests, made up."""

from typing import Any

from sealwire_lab.results.record import Record


def record(core: str = "alpha-r1", target: str = "ecp5", **fields: Any) -> Record:
    """A routed result, changed by `fields`."""
    usual: dict[str, Any] = {
        "status": "ok",
        "stage": "routed",
        "family": core.split("-")[0],
        "scheme": "none",
        "architecture": "one round a cycle",
        "params": {"KEY_BITS": 512, "TAG_BITS": 256},
        "lut": 1000,
        "ff": 500,
        "bram": 0.0,
        "fmax_mhz": 100.0,
        "fmax_mhz_median": 99.5,
        "fmax_mhz_by_seed": {1: 100.0, 2: 99.0},
        "cycles": {"setup": 20, "message": 10, "tag": 2, "total": {1: 32, 24: 262}, "packet": {1: 30.5, 24: 260}},
        "gbit_s": 5.12,
        "gbit_s_64": 1.6787,
        "latency_ns_64": 320.0,
        "mbit_s_per_lut": 5.12,
        "tools": {"yosys": "0.1"},
        "seeds": [1, 2],
        "options": {"place": "--x", "timeout_s": 10.0},
        "sources_sha256": "00",
        "finished": "2026-01-01T00:00:00+00:00",
        "command": f"sealwire-lab implement --core {core} --target {target}",
    }
    return Record(core=core, target=target, **(usual | fields))
