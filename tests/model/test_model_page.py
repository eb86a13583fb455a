# SPDX-License-Identifier: Apache-2.0
"""The example of model/README.md runs, and the page names every module."""

import re
from pathlib import Path

MODEL = Path(__file__).parents[2] / "model"
README = (MODEL / "README.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})


def test_every_module_is_named() -> None:
    files = [
        path for path in (MODEL / "sealwire_model").rglob("*.py") if path.stem not in ("__init__", "strings", "fields")
    ]
    assert [path.stem for path in files if f"`{path.stem}`" not in README] == []
