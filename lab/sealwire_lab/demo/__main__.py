# SPDX-License-Identifier: Apache-2.0
"""`python -m sealwire_lab.demo`, the same as `sealwire-lab run`."""

import sys

from . import main

sys.exit(main(sys.argv[1:]))
