# SPDX-License-Identifier: Apache-2.0
"""Reads the manifest hdl/cores.toml: which cores there are, and what each one is made of."""

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from . import files, named_top
from .errors import LabError, one_of

#: A row of block RAMs on the ECP5, or some whose places come in turn, column by column
Band = int | Sequence[int]
#: The kind of a part of a core, which only the implementation on a device takes.
PART = "part"
#: Parameters of an AEAD core in the order in which people read them.
PARAMETERS = ("KEY_BITS", "NONCE_BITS", "TAG_BITS", "VERSION", "DATA_BITS", "CONTEXTS")


def root() -> Path:
    """Top of the checkout: $SEALWIRE_ROOT, else where this package lies, else a parent of the working directory."""
    if given := os.environ.get("SEALWIRE_ROOT"):
        return Path(given).resolve()
    here = Path(__file__).resolve().parents
    above = (*here, Path.cwd(), *Path.cwd().parents)
    return next((folder for folder in above if (folder / "hdl" / "cores.toml").exists()), here[2])


@dataclass(frozen=True)
class Core:
    """One entry of the manifest.  Sizes of blocks are bytes, of ports bits."""

    name: str
    kind: str
    top: str
    scheme: str
    sources: tuple[Path, ...]
    architecture: str = ""
    experimental: bool = False
    data_bits: int = 64
    contexts: int = 1
    shares: int = 1  # that the key comes in; with more than one the core takes a seed of random bits
    commands: int = 1  # of a context in flight at most; with more than one they are taken ahead of their strings
    ad_cache: bool = True
    ad_with_msg: bool = False
    filled_tag: bool = False  # zeros are the end of the tag: behind what answers have beyond the message
    block_bytes: int = 64
    ad_block_bytes: int = 128
    doc: str = ""
    hierarchy: bool = False  # modules marked keep_hierarchy are synthesised on their own, then joined
    defaults: dict[str, int] = field(
        default_factory=lambda: {"KEY_BITS": 512, "NONCE_BITS": 256, "TAG_BITS": 256, "VERSION": 2}
    )
    module: str = ""  # the mode behind a top that is made from the entry, with
    parameters_of_module: dict[str, int] = field(default_factory=dict)
    only: dict[str, list[int]] = field(default_factory=dict)  # values that parameters of the top may have
    options: dict[str, int] = field(default_factory=dict)  # parameters of the top that no size or figure depends on
    placer: str = "static"  # nextpnr's; `heap` for what the other one does not end with
    ram_rows: Sequence[Band] = ()  # rows of the ECP5 in which its block RAMs stand in the order of their names
    clocks: dict[str, float] = field(default_factory=dict)  # what each is to reach, MHz, of a design with several

    @property
    def family(self) -> str:
        """The mode: the folder that its module lies in."""
        return next(path for path in reversed(self.sources) if path.stem == (self.module or self.top)).parent.name

    @property
    def contract(self) -> named_top.Contract:
        """What the core has at its ports."""
        return named_top.CONTRACTS[self.kind].in_shares(self.shares).with_commands(self.commands)

    def parameters(self, **given: int) -> dict[str, int]:
        """Complete elaboration parameters: the defaults of the entry, overridden by `given`."""
        values = dict(self.defaults) if self.kind == PART else {**self.defaults, "DATA_BITS": self.data_bits}
        if self.kind not in ("mac", "link", PART):
            values["CONTEXTS"] = self.contexts
        for name in given:
            if name not in PARAMETERS and name not in self.defaults:
                raise LabError(f"{self.name} has no parameter {name}; it has {', '.join(values)}")
        return {**values, **given}

    def vectors(self) -> tuple[Path, ...]:
        """Known answers for the core: the files of vectors/ that are named after a variant of its scheme."""
        files = sorted((root() / "vectors").glob("*.rsp"))
        return tuple(path for path in files if self.parameters_of_scheme(path.name.partition(".")[0]) is not None)

    def parameters_of_scheme(self, scheme: str) -> dict[str, int] | None:
        """Sizes that a published scheme name asks for, or None when the name is of another scheme or of other sizes."""
        sizes = rf"{re.escape(self.scheme)}(128|256)?(?:k(\d+)n(\d+))?(?:(?:tau|taglen)(\d+))?(?:v(\d+))?"
        match = re.fullmatch(sizes, scheme)
        if match is None:
            return None
        names = ("KEY_BITS", "KEY_BITS", "NONCE_BITS", "TAG_BITS", "VERSION")
        given = {name: int(value) for name, value in zip(names, match.groups(), strict=True) if value is not None}
        return given if all(value in self.only.get(name, (value,)) for name, value in given.items()) else None


def _strings(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise LabError(f"{where} must be a list of file names")
    return value


def _resolve(names: list[str], groups: dict[str, Any], where: str) -> list[str]:
    """Source lists may name groups of the [sources] table as "@name"."""
    files: list[str] = []
    for name in names:
        if not name.startswith("@"):
            files.append(name)
        elif name[1:] in groups:
            group = groups[name[1:]]
            group = group.get("files") if isinstance(group, dict) else group
            files += _resolve(_strings(group, f"[sources] {name[1:]}"), groups, where)
        else:
            raise LabError(f"{where} names the source group {name}, which [sources] does not have")
    return list(dict.fromkeys(files))


def _with_top(core: Core, base: Path) -> Core:
    """The core with its named top among its sources, last: a file below build/, named by its content."""
    about = f"Core {core.name}: {core.architecture}. {core.doc}"
    values = {**core.parameters(), **core.options}
    text = named_top.render(core.contract, core.top, core.module, core.parameters_of_module, values, core.only, about)
    path = base / "build" / "lab" / "tops" / hashlib.sha256(text.encode()).hexdigest()[:12] / f"{core.top}.sv"
    if not path.exists():
        files.write(path, text)
    return replace(core, sources=(*core.sources, path))


def source_list(*names: str) -> list[str]:
    """The files of lists of the manifest's [sources], each once."""
    path = root() / "hdl" / "cores.toml"
    return _listed(names, files.toml(path), path)


def _listed(names: Iterable[str], manifest: dict[str, Any], path: Path) -> list[str]:
    return _resolve([f"@{name.removeprefix('@')}" for name in names], manifest.get("sources", {}), str(path))


def load(manifest: Path | None = None) -> dict[str, Core]:
    """All cores by name."""
    path = manifest or root() / "hdl" / "cores.toml"
    return dict(_load(path, files.read(path)))


@cache
def _load(path: Path, text: str) -> dict[str, Core]:
    """All cores by name; a manifest is read once while its `text` stays as it is."""
    table = files.parsed(path, text)
    groups = table.get("sources", {})
    base = path.resolve().parent.parent
    cores: dict[str, Core] = {}
    for entry in table.get("core", []):
        where = f"{path}: core {entry.get('name', '(without name)')}"
        made = "module" in entry
        for needed in ("name", "kind", "module" if made else "top", "scheme", "sources"):
            if needed not in entry:
                raise LabError(f"{where} lacks `{needed}`")
        known = {key: value for key, value in entry.items() if key in Core.__dataclass_fields__}
        name = known.pop("name")
        if made:
            known.setdefault("top", name.replace("-", "_"))
            known["parameters_of_module"] = known.pop("parameters", entry.get("parameters", {}))
        known["sources"] = tuple(base / name for name in _resolve(_strings(entry["sources"], where), groups, where))
        if known.get("experimental"):  # whoever shows the one shows the other
            known["architecture"] = f"{known.get('architecture', '')}; experimental".removeprefix("; ")
        variants = [known | {"name": name}] if "unrollings" not in entry else []
        for rounds in entry.get("unrollings", ()):
            words = f"{rounds} rounds a cycle" if rounds > 1 else "one round a cycle"
            architecture = "; ".join(filter(None, (words, known.get("architecture"))))
            defaults = {**known.get("defaults", {}), "ROUNDS_PER_CYCLE": rounds}
            named = {"name": f"{name}-r{rounds}", "architecture": architecture, "defaults": defaults}
            variants.append(known | named)
        for core in (Core(**fields) for fields in variants):
            cores[core.name] = _with_top(core, base) if made else core
    return cores


def parts() -> dict[str, Core]:
    """Parts of cores by name, the entries [[part]] of the manifest: designs in the form of a core."""
    base = root()
    path = base / "hdl" / "cores.toml"
    manifest = files.toml(path)
    return {
        entry["name"]: Core(
            name=entry["name"], kind=PART, top=entry["top"], scheme=entry["scheme"], block_bytes=entry["block_bytes"],
            architecture=entry["architecture"], defaults=entry["parameters"],
            sources=tuple(base / name for name in _listed(entry["sources"], manifest, path)),
        )
        for entry in manifest.get("part", [])
    }  # fmt: skip


def find(name: str, known: dict[str, Core] | None = None) -> Core:
    """A core of the manifest, or one of those `known`; an unknown name is answered with the nearest ones."""
    known = load() if known is None else known
    return known[one_of("core", name, known)]
