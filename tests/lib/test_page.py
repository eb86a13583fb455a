# SPDX-License-Identifier: Apache-2.0
"""docs/lib.md has each module of hdl/lib, and each instantiation on it is one that slang elaborates."""

import re

import pyslang
import pytest
from support import hdl_bench

PAGE = (hdl_bench.ROOT / "docs" / "lib.md").read_text(encoding="utf-8")
SOURCES = sorted((hdl_bench.ROOT / "hdl" / "lib").glob("*/*.sv"), key=lambda path: not path.stem.endswith("_pkg"))
MODULES = [path.stem for path in SOURCES if not path.stem.endswith("_pkg")]


@pytest.mark.parametrize("module", [path.stem for path in SOURCES])
def test_every_module_has_its_section(module: str) -> None:
    assert re.search(rf"^###.*\b{module}\b", PAGE, re.MULTILINE)


def complaints(text: str) -> list[str]:
    compilation = pyslang.ast.Compilation()
    for source in [path.read_text(encoding="utf-8") for path in SOURCES] + [text]:
        compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText(source))
    return [str(found.code) for found in compilation.getAllDiagnostics() if found.isError()]


@pytest.mark.parametrize("module", [name for name in MODULES if name != "cdc_word"])
def test_its_example_elaborates_and_has_every_port(module: str) -> None:
    (instance,) = re.findall(rf"^{module} (?:#\([^;]*?\) )?u_\w+ \(.*?\);", PAGE, re.MULTILINE | re.DOTALL)
    named = re.findall(r"\.(\w+)", instance[re.search(r"u_\w+ ", instance).start() :])
    source = hdl_bench.library(module).read_text(encoding="utf-8")
    assert sorted(named) == sorted(re.findall(r"^ +(?:in|out)put +logic.*?(\w+),?(?: *//.*)?$", source, re.MULTILINE))
    variables = {*named, *re.findall(r"\((\w+)\)", instance.partition("u_")[2])}
    text = f"module page; logic nonsense, {', '.join(sorted(variables))}; {instance} endmodule"
    assert not complaints(text)
    assert complaints(text.replace(f"(.{named[0]}", "(.nonsense", 1).replace(f" .{named[0]}", " .nonsense", 1))
