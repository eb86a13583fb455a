# SPDX-License-Identifier: Apache-2.0
"""`python -m sealwire_lab.published`: writes results/published.jsonl."""

from ..results import shipped
from . import text

path = shipped.folder() / "published.jsonl"
path.write_text(text(), encoding="utf-8")
print(path)
