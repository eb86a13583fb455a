# SPDX-License-Identifier: Apache-2.0
"""The README: short enough to read, and its instance of a core is one of the core that it exports."""

import re

import pyslang
import pytest
from sealwire_lab import cores, tops

README = (cores.root() / "README.md").read_text(encoding="utf-8")
EXPORT = re.search(r"sealwire-lab export --core (\S+) --bus (\S+)", README)
(INSTANCE,) = re.findall(r"```systemverilog\n(.*?)```", README, re.DOTALL)


def complaints(instance: str) -> list[str]:
    """What slang says of the instance among signals of the sizes that the exported top has."""
    assert EXPORT
    top = tops.render(cores.find(EXPORT[1]), EXPORT[2])
    outside = top.text[: top.text.index(");") + 2] + "\nendmodule\n"
    widths = {"tdata": "[63:0] ", "tkeep": "[7:0] "}
    signals = "".join(f"logic {widths.get(port.name[-5:], '')}{port.name}; " for port in top.ports)
    compilation = pyslang.ast.Compilation()
    for text in (outside, f"module around; {signals}\n{instance}\nendmodule\n"):
        compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText(text))
    found = [str(diagnostic.code) for diagnostic in compilation.getAllDiagnostics()]
    return [code for code in found if not code.startswith("DiagCode(Unused")]


def test_it_is_read_in_a_minute() -> None:
    assert len(README.splitlines()) <= 120


def test_its_instance_connects_every_port_of_the_exported_top() -> None:
    assert complaints(INSTANCE) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("otr_aes128_p_r1_axis", "otr_axis"), (" .m_axis_tlast,", ""), (".clear,", ".wipe(clear),"),
        (".s_axis_ad_tdata,", ".s_axis_ad_tdata(s_axis_ad_tkeep),"),
    ],
)  # fmt: skip
def test_a_wrong_instance_is_noticed(right: str, wrong: str) -> None:
    assert INSTANCE.count(right) == 1
    assert complaints(INSTANCE.replace(right, wrong))
