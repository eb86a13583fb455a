# SPDX-License-Identifier: Apache-2.0
"""The link in RTL against the table of suites: what link_pkg says of every code, and which core link_aead chooses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyslang
import pytest
from sealwire_lab import cores
from sealwire_model.suites import SUITES, Suite

ROOT = cores.root()
SOURCES = [ROOT / name for name in tomllib.loads((ROOT / "hdl" / "link" / "sources.toml").read_text())["sources"]]
PACKAGE = next(path for path in SOURCES if path.name == "link_pkg.sv")
ARCHITECTURES = range(8)
CHOICES = [(code, int(number)) for code, suite in SUITES.items() for number in suite.cores]
PROBE = """
module suite_probe #(parameter logic [7:0] SUITE = 0);
  localparam link_pkg::suite_t INFO = link_pkg::suite_info(SUITE);
  localparam bit SERVED = INFO.served;
  localparam longint unsigned KEY_BITS = 8 * INFO.key_bytes;
  localparam longint unsigned NONCE_BITS = 8 * INFO.nonce_bytes;
  localparam longint unsigned TAG_BITS = 8 * INFO.tag_bytes;
  localparam longint unsigned SCHEDULE_BYTES = INFO.block_bytes;
  localparam bit CACHES_AD = INFO.ad_cache;
  localparam bit SHA512 = INFO.sha512;
  localparam longint unsigned N_MAX = INFO.max_packets;
{contexts}
endmodule
module suite_probes;
{instances}
endmodule
"""


def elaborated(top: str, sources: Sequence[Path], **parameters: int) -> list[tuple[str, dict[str, int]]]:
    """The module of every instance, and its parameters."""
    driver = pyslang.driver.Driver()  # what it compiles lives as long as it does
    driver.addStandardArgs()
    given = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    words = f"slang --top {top} {given} " + " ".join(f'"{source}"' for source in sources)
    assert driver.parseCommandLine(words, pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources()
    compilation = driver.createCompilation()
    found: list[tuple[str, dict[str, int]]] = []

    def note(symbol: object) -> None:
        if isinstance(symbol, pyslang.ast.InstanceSymbol):
            numbers = [each for each in symbol.body.parameters if isinstance(each, pyslang.ast.ParameterSymbol)]
            values = {
                each.name: int(each.value.value) for each in numbers if isinstance(each.value.value, pyslang.SVInt)
            }
            found.append((symbol.definition.name, values))

    for instance in compilation.getRoot().topInstances:
        if instance.name == top:
            instance.visit(note)
    return found


def described(package: Path, folder: Path) -> dict[int, dict[str, int]]:
    """What a link_pkg says of every code that it serves."""
    contexts = "\n".join(
        f"  localparam int unsigned CONTEXTS_{number} = link_pkg::contexts_of(SUITE, {number});"
        for number in ARCHITECTURES
    )
    probes = "\n".join(f"  suite_probe #(.SUITE({code})) probe_{code}();" for code in range(256))
    file = folder / "suite_probes.sv"
    file.write_text(PROBE.format(contexts=contexts, instances=probes), encoding="utf-8")
    found = [values for name, values in elaborated("suite_probes", [package, file]) if name == "suite_probe"]
    assert len(found) == 256
    served = {values.pop("SUITE"): values for values in found if values.pop("SERVED")}
    return {code: {name: value for name, value in values.items() if name != "INFO"} for code, values in served.items()}


def expected(suite: Suite) -> dict[str, int]:
    known = cores.load()
    contexts = {
        f"CONTEXTS_{number}": known[suite.cores[str(number)]].contexts if str(number) in suite.cores else 0
        for number in ARCHITECTURES
    }
    return {
        "KEY_BITS": suite.key_bits, "NONCE_BITS": suite.nonce_bits, "TAG_BITS": suite.tag_bits,
        "SCHEDULE_BYTES": suite.n, "CACHES_AD": suite.caches_ad, "SHA512": suite.schedule == "sha512",
        "N_MAX": suite.n_max, **contexts,
    }  # fmt: skip


TABLE = {code: expected(suite) for code, suite in SUITES.items() if suite.cores}


def test_the_package_serves_the_suites_of_the_table_and_no_other(tmp_path: Path) -> None:
    assert described(PACKAGE, tmp_path) == TABLE


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        (r"served: otr", "served: suite == 8'h05 || otr"),
        (r"32'd16 : \(suite == 8'h12\)", "32'd24 : (suite == 8'h12)"),
        (r"nonce_bytes: otr \? 32'd12", "nonce_bytes: otr ? 32'd13"),
        (r"tag_bytes: otr \? 32'd16 : 32'd32", "tag_bytes: otr ? 32'd16 : 32'd24"),
        (r"ad_cache: otr", "ad_cache: suite == 8'h03 || otr"),
        (r"sha512: suite inside \{8'h01, 8'h03\}", "sha512: suite inside {8'h01}"),
        (r"otr \? 64'h1000_0000", "otr ? 64'h2000_0000"),
        (r"\(suite == 8'h02\) \? 8", "(suite == 8'h02) ? 4"),
    ],
)
def test_a_package_that_says_otherwise_is_noticed(pattern: str, other: str, tmp_path: Path) -> None:
    text, count = re.subn(pattern, other, PACKAGE.read_text(encoding="utf-8"))
    assert count == 1
    (tmp_path / "link_pkg.sv").write_text(text, encoding="utf-8")
    assert described(tmp_path / "link_pkg.sv", tmp_path) != TABLE


def is_core(entry: dict[str, Any], module: str, values: dict[str, int]) -> bool:
    """Whether an instance is the core of an entry of the manifest: its own top, or the module with its parameters."""
    fixed = entry.get("parameters", {})
    allowed = all(values.get(name) in only for name, only in entry.get("only", {}).items())
    made = module == entry.get("module") and allowed and fixed == {name: values.get(name) for name in fixed}
    return made or module == entry["name"].replace("-", "_")


@pytest.mark.parametrize(("code", "architecture"), CHOICES)
def test_the_link_is_built_of_the_core_of_the_table(code: int, architecture: int) -> None:
    suite = SUITES[code]
    entries = tomllib.loads((ROOT / "hdl" / "cores.toml").read_text(encoding="utf-8"))["core"]
    built = elaborated("link_aead", SOURCES, SUITE=code, ARCHITECTURE=architecture)
    found = [(entry["name"], values) for module, values in built for entry in entries if is_core(entry, module, values)]
    name = suite.cores[str(architecture)]
    assert {core for core, _ in found} == {name}
    core, values = cores.find(name), found[0][1]
    sizes = {"KEY_BITS": suite.key_bits, "NONCE_BITS": suite.nonce_bits, "TAG_BITS": suite.tag_bits}
    assert {size: values[size] for size in sizes} == sizes
    named = core.parameters_of_scheme(suite.scheme)
    assert named is not None
    also = {**named, "CONTEXTS": core.contexts}
    assert {size: values[size] for size in also if size in values} == {
        size: also[size] for size in also if size in values
    }
    assert core.ad_cache == suite.caches_ad
