# SPDX-License-Identifier: Apache-2.0
"""Makes the benches, the runner in tests/lib and the compression functions of tests/aead/omd_model importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib"), str(HERE.parent / "aead")]
