# SPDX-License-Identifier: Apache-2.0
"""Makes the model, the runner and streams in tests/lib importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]
