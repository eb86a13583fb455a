# SPDX-License-Identifier: Apache-2.0
"""Becomes the program given, which then ends when whoever started it does, even by SIGKILL: tools run for an hour."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>; kept across exec


def main(command: list[str]) -> None:
    """Does not return."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"error: cannot start {command[0]}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
