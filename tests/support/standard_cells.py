# SPDX-License-Identifier: Apache-2.0
"""The file of a library of standard cells, read without the lab: areas, and capacitances of pins."""

from __future__ import annotations

import re

import pytest
from sealwire_lab.errors import LabError
from sealwire_lab.implement import targets

TARGET = targets.find("osu018")


def installed() -> None:
    """Skips the test that asks where the library is missing."""
    assert TARGET.library
    try:
        TARGET.library.check()
    except LabError as error:
        pytest.skip(f"{error} (scripts/test-tools.sh installs it)")


def described() -> dict[str, tuple[float, dict[str, float]]]:
    """Area and the pins' capacitances, in pF, of each cell of the library."""
    assert TARGET.library
    found = {}
    for body in re.split(r"^cell \(", TARGET.library.file.read_text(), flags=re.MULTILINE)[1:]:
        pins = re.findall(r"^ *pin\((\w+)\) *\{.*?^ *capacitance : ([\d.]+);", body, re.MULTILINE | re.DOTALL)
        area = re.search(r"^area : ([\d.]+);", body, re.MULTILINE)
        assert area
        found[body.split(")")[0]] = float(area[1]), {pin: float(value) for pin, value in pins}
    return found
