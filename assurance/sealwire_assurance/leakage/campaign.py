# SPDX-License-Identifier: Apache-2.0
"""A campaign: what the ports of a masked core carry in two groups of traces, and Welch's t of what the netlist does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from sealwire_lab import files, netlist
from sealwire_lab.cores import Core
from sealwire_lab.errors import one_of
from sealwire_lab.implement import stages, yosys
from sealwire_lab.implement.targets import Target

from ..probe import check

_ABOUT = files.toml(Path(__file__).with_name("masked.toml"))
_PROGRAM = "sealwire-leakage"
#: What may be fixed in one group of traces and random in the other, and what is recorded, by the kind of a core.
CLASSES = {"aead": ("nonce", "ad", "message", "key"), "mac": ("message", "key")}
OPERATIONS = {"aead": ("seal", "open"), "mac": ("compute", "verify")}
#: Masks: random; all zero; or the key's shares random and the generator's bits zero.
MASKS = ("on", "off", "stuck")
#: |t| that a test of one point passes but once in this many tests of what does not leak (4.417).
_FALSE_ALARM = 1e-5
#: The most traces that can be waited for, and the greatest seed that the program takes.
MOST_TRACES, MOST_SEED = 10**9, 2**64 - 1

#: Told how many traces are done, and how many there are.
Done = Callable[[int, int], None]


@dataclass(frozen=True)
class Campaign:
    """What is measured."""

    core: Core
    target: Target
    fixed: str  # of CLASSES
    operation: str  # of OPERATIONS
    masks: str = "on"
    traces: int = 10_000
    seed: int = 1
    random_delays: bool = False
    ad_blocks: int = 1
    blocks: int = 2


def threshold(points: int) -> float:
    """|t| that any of so many points exceeds once in 10^5 tests of what does not leak."""
    return -NormalDist().inv_cdf((1 - (1 - _FALSE_ALARM) ** (1 / points)) / 2)


def _text(name: str, size: int) -> str:
    """The fixed value of a string: bytes that differ, in hexadecimal as a port has them."""
    return bytes((17 * place + 29 * len(name)) % 256 for place in range(size))[::-1].hex()


def _steps(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """What happens at the ports, step by step."""
    sizes = campaign.core.parameters()
    beat, aead = sizes["DATA_BITS"] // 8, campaign.core.kind == "aead"

    def given(value: int | str) -> dict[str, Any]:
        return {"value": value if isinstance(value, str) else f"{value:x}"}

    def data(name: str, size: int) -> dict[str, Any]:
        return {**given(_text(name, size)), "fixed": campaign.fixed == name}

    def ports(**values: int) -> dict[str, Any]:
        return {name: given(value) for name, value in values.items()}

    def string(name: str, port: str, count: int) -> Iterator[dict[str, Any]]:
        beats = count * campaign.core.block_bytes // beat
        for place in range(beats):
            control = ports(**{f"{port}_valid": 1, f"{port}_bytes": beat, f"{port}_last": int(place == beats - 1)})
            yield {"set": {**control, f"{port}_data": data(name, beat)}, "until": f"{port}_ready", "record": True}
        yield {"set": ports(**{f"{port}_valid": 0}), "record": True}

    off = {f"{port}_valid": 0 for port in ("seed", "key", "cmd", *(["ad"] if aead else []), "msg", "tag_in")}
    sinks = {"result_ready": 1, **({"out_ready": 1} if aead else {})}
    yield {"set": ports(rst=1, clear=0, **sinks, **off), "cycles": 2}
    yield {"set": ports(rst=0), "until": "seed_ready"}
    yield {"set": {**ports(seed_valid=1), "seed_data": {}}, "until": "seed_ready"}
    yield {"set": ports(seed_valid=0), "until": "key_ready"}
    key = {**data("key", sizes["KEY_BITS"] // 8), "shared": True, "bare": campaign.masks == "off"}
    yield {"set": {**ports(key_valid=1), "key_data": key}, "until": "key_ready", "record": True}
    opening = OPERATIONS[campaign.core.kind].index(campaign.operation)
    command = ports(key_valid=0, cmd_valid=1, **{"cmd_op" if aead else "cmd_verify": opening})
    if aead:
        command["cmd_nonce"] = data("nonce", sizes["NONCE_BITS"] // 8)
    yield {"set": command, "until": "cmd_ready", "record": True}
    yield {"set": ports(cmd_valid=0), "record": True}
    if aead:
        yield from string("ad", "ad", campaign.ad_blocks)
    yield from string("message", "msg", campaign.blocks)
    if opening:  # a wrong tag, so that the verdict is that of both groups
        wrong = {**ports(tag_in_valid=1), "tag_in_data": given(_text("tag", sizes["TAG_BITS"] // 8))}
        yield {"set": wrong, "until": "tag_in_ready", "record": True}
        yield {"set": ports(tag_in_valid=0), "record": True}
    yield {"until": "result_valid", "record": True}
    yield {"cycles": 4, "record": True}


def measure(campaign: Campaign, progress: stages.Progress, done: Done) -> dict[str, Any]:
    """Synthesise the core, or find what was synthesised, and simulate the traces."""
    core = campaign.core
    about = _ABOUT[one_of("masked core", core.name, sorted(_ABOUT))]
    folder = netlist.synthesised(core, core.parameters(), campaign.target, progress)
    held = [*about["random"], *about["unwatched"]] if campaign.masks != "on" else []
    description = {
        "top": core.top, "secret": ["key_data", "seed_data"], "hold": held,
        "public": [*about["public"], *about.get("unprotected", [])],
        "steps": list(_steps(campaign)), "traces": campaign.traces, "seed": campaign.seed,
        "delays": campaign.seed if campaign.random_delays else None,
    }  # fmt: skip
    result = check.answer(_PROGRAM, folder / yosys.NETLIST, description, done)
    limit = threshold(len(result["t"]))
    worst = max(range(len(result["t"])), key=lambda point: abs(result["t"][point]))
    return {
        "core": core.name, "target": campaign.target.name, "fixed": campaign.fixed, "operation": campaign.operation,
        "masks": campaign.masks, "seed": campaign.seed, "delays": "random" if campaign.random_delays else "unit",
        "points": len(result["t"]), "threshold": limit, "worst": abs(result["t"][worst]), "worst_point": worst,
        "worst_of_variances": max(map(abs, result["t_of_variances"])),
        "beyond": sum(abs(t) > limit for t in result["t"]), **result,
    }  # fmt: skip
