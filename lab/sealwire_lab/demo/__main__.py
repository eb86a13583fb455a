# SPDX-License-Identifier: Apache-2.0
"""`python -m sealwire_lab.demo`, the same as `sealwire-lab run`."""

import sys

from .. import cli

sys.exit(cli.main(["run", *sys.argv[1:]]))
