# SPDX-License-Identifier: Apache-2.0
"""Makes the benches, the runner and streams in tests/lib and the model of OMD in tests/aead importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib"), str(HERE.parent / "aead")]
