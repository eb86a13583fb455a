# SPDX-License-Identifier: Apache-2.0
"""Makes the benches of this folder importable for pytest and for the simulations it starts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
