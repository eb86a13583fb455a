# SPDX-License-Identifier: Apache-2.0
"""One result with what produced it, and its form as JSON."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ..errors import LabError

SCHEMA = 2
#: Message lengths in bytes for which packet throughput and latency are part of a record.
PACKET_BYTES = (64, 1536, 9600)
#: What a figure rests on, weakest first.  `published` is what a paper or a data sheet prints.
PUBLISHED, SIMULATED, SYNTHESISED = "published", "simulated", "synthesised"
#: The stage of a design that others wrote, taken through our flow.
THEIR_SOURCE = "their source, our flow"
PACKED, PLACED, ROUTED = "packed", "placed", "routed"
BARE = "bare"

#: Fields that name all that went into a record.
INGREDIENTS = (
    "schema", "core", "interface", "target", "params", "device", "tools", "seeds", "options",
    "sources_sha256", "counter_sha256", "source",
)  # fmt: skip

_BY_NUMBER = ("total", "packet", "total_with_ad", "total_bytes", "packet_bytes")


@dataclass(frozen=True)
class CriticalPath:
    """The slowest path between two edges of the clock; delays are nanoseconds, `nets` the signals on the way."""

    start: str
    end: str
    delay_ns: float
    logic_ns: float
    routing_ns: float
    steps: int
    nets: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Record:
    """One result, its fields in the order of its text.  A figure that does not exist is None; `notes` may say why."""

    schema: int = SCHEMA
    core: str
    interface: str = BARE  # or the bus and its width: axis-64, lwc-32
    target: str  # a name of implement.targets; of a published result the family of the device
    status: str  # ok, failed, timeout, error (could not be carried out)
    reason: str | None = None
    stage: str = (
        "none"  # what area and clock describe: routed, placed, packed, synthesised, none; published; THEIR_SOURCE
    )
    family: str = ""
    scheme: str = ""
    architecture: str = ""
    params: dict[str, int]
    device: str = ""
    lut: int | None = None
    lut_logic: int | None = None
    lut_memory: int | None = None
    ff: int | None = None
    bram: float | None = None
    dsp: int | None = None
    carry: int | None = None
    gate_equivalents: int | None = None  # of standard cells: their area in that of a NAND of two inputs
    fmax_mhz: float | None = None  # best over the seeds
    fmax_mhz_median: float | None = None
    fmax_mhz_by_seed: dict[int, float] | None = None
    fmax_mhz_by_clock: dict[str, float] | None = (
        None  # of a link, which has three: the best seed's; fmax_mhz is the slowest
    )
    fmax_mhz_estimated: float | None = None  # after placement, where no seed was routed: not a result to compare
    failed_seeds: dict[int, str] | None = None
    block_bits: int | None = None
    cycles: dict[str, Any] | None = (
        None  # as `sealwire-lab cycles --json`; total, packet, total_with_ad by blocks; of a MAC also by bytes
    )
    gbit_s: float | None = None  # long messages: block bits x clock / message cycles; a new key costs nothing there
    gbit_s_median: float | None = None  # the same at the median clock
    gbit_s_64: float | None = None  # messages of 64 bytes one after another, key and AD as before
    gbit_s_64_new_key: float | None = None  # a new key for each, nothing overlaps
    gbit_s_1536: float | None = None
    gbit_s_1536_new_key: float | None = None
    gbit_s_9600: float | None = None
    gbit_s_9600_new_key: float | None = None
    latency_ns_64: float | None = None  # command to result of one message in an idle core
    latency_ns_1536: float | None = None
    latency_ns_9600: float | None = None
    mbit_s_per_lut: float | None = None  # TP/A: long messages, best clock
    pj_bit: float | None = None  # of standard cells: energy a bit of a message of 1536 bytes, the key set up
    evidence: dict[str, str] | None = None  # of area, clock, cycles, energy
    tools: dict[str, str]
    seeds: list[int]
    options: dict[str, Any]
    sources_sha256: str | None = None
    counter_sha256: str | None = None  # of what counted the cycles
    revision: str | None = None  # last commit that touched the sources; "+" when they differ from it
    cells: dict[str, int] | None = None  # after synthesis, by type
    critical_path: CriticalPath | None = None  # of the best seed
    notes: list[str] | None = None
    source: str | None = None  # of a result of others: which table of which paper, or which source
    run_seconds: dict[str, float] | None = None
    finished: str | None = None  # UTC, ISO 8601
    command: str = ""

    @property
    def ours(self) -> bool:
        """Whether the design is one of the project's."""
        return self.stage not in (PUBLISHED, THEIR_SOURCE)

    @property
    def behind(self) -> str:
        """The interface, for people; nothing for the core itself."""
        return "" if self.interface == BARE else f" behind {self.interface}"

    @property
    def variant(self) -> str:
        """Core and interface, for people."""
        return f"{self.core}{self.behind}"

    @property
    def placements(self) -> str:
        """How many placements the best clock is the best of: those that were routed, of all that were tried."""
        routed, failed = len(self.fmax_mhz_by_seed or {}), len(self.failed_seeds or {})
        return f"{routed} of {routed + failed}" if failed else str(routed or "-")

    def json(self) -> dict[str, Any]:
        """For machines: every field, in the order of the fields."""
        return asdict(self)

    def text(self) -> str:
        """One line of JSON without what is None: the shipped form."""
        filled = {name: value for name, value in self.json().items() if value is not None}
        return json.dumps(filled, ensure_ascii=False)

    def key(self, *parts: str) -> str:
        """Names all that went in, or only `parts` of it: two records of one key are one result made twice."""
        options = {name: value for name, value in self.options.items() if name != "timeout_s"}
        mine = self.json() | {"options": options}
        return hashlib.sha256(
            json.dumps([mine[name] for name in parts or INGREDIENTS], sort_keys=True).encode()
        ).hexdigest()

    def place(self) -> str:
        """Names what was asked, whatever sources, tools and seeds answered; `choice` says which of them counts."""
        return self.key("core", "interface", "target", "params", "options", "source")

    def order(self) -> tuple[str, ...]:
        """Sorts records the same way everywhere."""
        interface = "" if self.interface == BARE else self.interface  # the core itself first
        return (
            self.target, self.core, interface, json.dumps(self.params, sort_keys=True),
            json.dumps(self.options, sort_keys=True), self.source or "", self.finished or "", self.key(),
        )  # fmt: skip


_TYPES = get_type_hints(Record)
_PATH_TYPES = get_type_hints(CriticalPath)
_CYCLES_TYPES = {"core": str, "params": dict[str, int]} | dict.fromkeys(_BY_NUMBER, dict[int, float])


def _fits(value: object, kind: Any) -> bool:
    """Whether a value is of the type that a field is annotated with.  A bool is no number, infinity no figure."""
    name, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if name is UnionType:
        return any(_fits(value, part) for part in inner)
    if name is dict:
        return isinstance(value, dict) and all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
    if name in (list, tuple):
        return isinstance(value, name) and all(_fits(item, inner[0]) for item in value)
    if kind in (int, float):
        number = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
        return number and math.isfinite(value)  # type: ignore[arg-type]
    return isinstance(value, kind)


def _check(values: Mapping[str, Any], kinds: Mapping[str, Any], of: str = "") -> None:
    """Raise TypeError for the first value that is not of its type; what has none there is a number."""
    for name, value in values.items():
        if not _fits(value, kinds.get(name, float)):
            raise TypeError(f"{name}{of} cannot be {json.dumps(value, default=str)[:60]}")


def _by_number(table: Mapping[str, Any] | None) -> dict[int, Any] | None:
    return None if table is None else {int(name): value for name, value in table.items()}


def numbered(cycles: Mapping[str, Any]) -> dict[str, Any]:
    """Cycles as they come from JSON, with numbers of blocks or bytes as numbers."""
    return {name: _by_number(value) if name in _BY_NUMBER else value for name, value in cycles.items()}


def parse(line: str, where: str) -> Record:
    """A record from its JSON; `where` begins the message when it is none."""
    try:
        table = json.loads(line)
        schema = table.get("schema")
        if schema != SCHEMA:
            raise LabError(f"{where}: a record of form {schema!r}; this lab reads form {SCHEMA}")
        unknown = sorted(set(table) - set(_TYPES))
        if unknown:
            raise LabError(f"{where}: a record has no {unknown[0]}")
        for name in ("fmax_mhz_by_seed", "failed_seeds"):
            table[name] = _by_number(table.get(name))
        if table.get("cycles"):
            table["cycles"] = numbered(table["cycles"])
        path = table.get("critical_path")
        if path:
            table["critical_path"] = CriticalPath(**(path | {"nets": tuple(path["nets"])}))
            _check(asdict(table["critical_path"]), _PATH_TYPES, " of critical_path")
        _check(table, _TYPES)
        _check(table.get("cycles") or {}, _CYCLES_TYPES, " of cycles")
        return Record(**table)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, OverflowError) as error:
        raise LabError(f"{where}: not a record: {error}") from error
