# SPDX-License-Identifier: Apache-2.0
"""Where the two share domains of a masked core meet, in its flattened RTL or in the cells of a netlist.

The two shares of the key at the core's port have a domain each. Whatever may depend on a share has that share's domain,
through logic, registers and memories; random bits and public values have none. Domains meet in a register whose logic,
in one cycle, takes both. The page of the core lists these registers, what they take of shares, and what they hold then:
a value of the domain that their index names, or a public one. Every other meeting is a finding.
"""

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sealwire_lab import cores, netlist
from sealwire_lab.cores import Core
from sealwire_lab.implement import yosys
from sealwire_lab.implement.targets import TARGETS

HEADING = "## Where shares meet"
#: The RTL as gates of two inputs, registers and memories: no pass that restructures logic runs.
_RTL = "hierarchy -check; proc; flatten -noscopeinfo; opt_clean; memory_collect; simplemap; techmap; simplemap"
#: Cells whose outputs are of the cycle before, or of any earlier one. One that is missed here is taken for logic, which
#: adds findings and hides none.
_STATE = re.compile(r"\$_S?DFF|\$mem|TRELLIS_(FF|DPR)|FD[RSCP]E|RAM\d|SRL")
_BOTH = 3

Name = tuple[str, int]  # of a net, and which of its bits


@dataclass(frozen=True)
class Place:
    """Registers in which shares meet: their name, the names of the registers that they take, and what they hold."""

    register: re.Pattern[str]
    takes: tuple[re.Pattern[str], ...]
    public: bool  # else of the domain that the upper or lower half of the register is


@dataclass(frozen=True)
class Cell:
    """One cell: every bit of its output depends on every bit of its input."""

    state: bool
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass
class Module:
    """A flat module: its cells, and the names of its bits."""

    ports: dict[str, Any]
    cells: list[Cell]
    names: dict[int, list[Name]] = field(default_factory=lambda: defaultdict(list))
    widths: dict[str, int] = field(default_factory=dict)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(f"u_core.{text}").replace(r"\*", r"\d+"))


def stated(core: Core) -> list[Place]:
    """The places that the page of a core lists."""
    page = (cores.root() / core.doc).read_text(encoding="utf-8")
    assert page.count(HEADING) == 1, f"{core.doc} has no section '{HEADING}'"
    section = page.partition(HEADING)[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [
        Place(
            _pattern(register.strip("`")),
            tuple(_pattern(name) for name in re.findall(r"`([^`]+)`", takes)),
            {"public": True, "of its domain": False}[holds],
        )
        for register, takes, holds in rows
    ]


def module(core: Core, where: str = "rtl", sources: Sequence[Path] | None = None) -> Module:
    """A core as `netlist_of` makes it."""
    found = json.loads(netlist_of(core, where, sources).read_bytes())["modules"][core.top]
    cells = []
    for cell in found["cells"].values():
        bits: dict[str, list[int]] = {"input": [], "output": []}
        for pin, nets in cell["connections"].items():
            bits[cell["port_directions"][pin]] += [bit for bit in nets if isinstance(bit, int)]
        cells.append(Cell(bool(_STATE.match(cell["type"])), tuple(bits["input"]), tuple(bits["output"])))
    made = Module(found["ports"], cells)
    for name, net in found["netnames"].items():
        if not name.startswith("$"):
            made.widths[name] = len(net["bits"])
            for index, bit in enumerate(net["bits"]):
                made.names[bit].append((name, index))
    return made


def netlist_of(core: Core, where: str = "rtl", sources: Sequence[Path] | None = None) -> Path:
    """The RTL of a core, flattened, or of other sources in place of its own; or its cells for a target."""
    if where != "rtl":
        folder = netlist.synthesised(core, core.parameters(), TARGETS[where], lambda *_: None)
        return folder / yosys.NETLIST
    files = sources or core.sources
    texts = {name: path.read_text(encoding="utf-8") for name, path in yosys.named(files).items()}
    script = f"{yosys.elaboration(core.top, core.parameters(), texts)}\n{_RTL}\nwrite_json netlist.json"
    failure = f"{core.top} could not be elaborated: {{reason}} (log in {{folder}})"
    return yosys.passes("RTL", f"domains/{core.name}", texts, script, lambda *_: None, 300, failure) / "netlist.json"


class Domains:
    """Which domains every bit of a module may depend on."""

    def __init__(self, made: Module, rtl: Module, places: Sequence[Place]) -> None:
        """The RTL of the module tells the names of its registers: a netlist keeps one of several."""
        self.made, self.rtl, self.places = made, rtl, places
        self.aliases = {name: names for names in rtl.names.values() for name in names}
        self.driver = {bit: cell for cell in made.cells for bit in cell.outputs}
        self.held = {
            bit: 0 if place.public else 1 << self._upper(bit, place)
            for bit, cell in self.driver.items()
            for place in places
            if cell.state and self.called(bit, place.register)
        }
        self.of = self._spread()

    def names(self, bit: int) -> list[Name]:
        """All names in the RTL of a bit."""
        return [name for one in self.made.names.get(bit, ()) for name in self.aliases.get(one, ())]

    def called(self, bit: int, pattern: re.Pattern[str]) -> bool:
        return any(pattern.fullmatch(name) for name, _ in self.names(bit))

    def name(self, bits: Iterable[int]) -> str:
        """All names, without the numbers of instances and bits."""
        found = {name for bit in bits for name, _ in self.names(bit) or self.made.names.get(bit, ())}
        return " = ".join(sorted({re.sub(r"\[\d+\]", "[*]", name) for name in found})) or "a net without a name"

    def _upper(self, bit: int, place: Place) -> bool:
        ((name, index), *_) = [one for one in self.names(bit) if place.register.fullmatch(one[0])]
        return index >= self.rtl.widths[name] // 2

    def _spread(self) -> dict[int, int]:
        """A fixed point: no bit has fewer domains than what it is made of, but those that the page lists."""
        key = self.made.ports["key_data"]["bits"]
        of = defaultdict(int, {bit: 1 << (index >= len(key) // 2) for index, bit in enumerate(key)})
        of.update(self.held)
        users = defaultdict(list)
        for cell in self.made.cells:
            for bit in cell.inputs:
                users[bit].append(cell)
        waiting = deque(self.made.cells)
        while waiting:
            cell = waiting.popleft()
            all_of = self.joined(cell.inputs, of)
            for bit in cell.outputs:
                if bit not in self.held and all_of & ~of[bit]:
                    of[bit] |= all_of
                    waiting.extend(users[bit])
        return of

    @staticmethod
    def joined(bits: Iterable[int], of: dict[int, int]) -> int:
        found = 0
        for bit in bits:
            found |= of[bit]
        return found

    def sources(self, bits: Iterable[int]) -> set[int]:
        """The registers and inputs with a domain that logic takes in one cycle."""
        found, seen, waiting = set(), set(), list(bits)
        while waiting:
            bit = waiting.pop()
            if bit in seen or not self.of[bit]:
                continue
            seen.add(bit)
            cell = self.driver.get(bit)
            if cell is None or cell.state:
                found.add(bit)
            else:
                waiting += cell.inputs
        return found

    def registers(self) -> tuple[int, int]:
        """How many registers are of domain 0 alone, and of domain 1 alone."""
        counts = [self.of[bit] for bit, cell in self.driver.items() if cell.state]
        return counts.count(1), counts.count(2)

    def findings(self) -> list[str]:
        """Every meeting that the page does not state, and every stated one that is not there."""
        found = set()
        unused = set(range(len(self.places)))
        for cell in self.made.cells:
            if not cell.state or self.joined(cell.inputs, self.of) != _BOTH:
                continue
            here = [at for at, place in enumerate(self.places) if self.called(cell.outputs[0], place.register)]
            unused -= set(here)
            takes = [pattern for at in here for pattern in self.places[at].takes]
            for bit in self.sources(cell.inputs):
                if not any(self.called(bit, pattern) for pattern in takes):
                    found.add(f"both domains meet in {self.name(cell.outputs)}, which takes {self.name([bit])}")
        found |= {f"no shares meet in {self.places[at].register.pattern}" for at in unused}
        for name, port in self.made.ports.items():
            if port["direction"] == "output" and any(self.of[bit] for bit in port["bits"] if isinstance(bit, int)):
                found.add(f"a share is at the port {name}")
        for bit in self.made.names:
            for name, _ in self.names(bit):
                domain = re.search(r"gen_domain\[(\d)\]\.", name)
                if domain and self.of[bit] & ~(1 << int(domain[1])):
                    found.add(f"{self.name([bit])} of domain {domain[1]} takes the other domain")
        return sorted(found)
