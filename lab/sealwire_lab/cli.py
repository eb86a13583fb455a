# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from sealwire_model.answers import AnswersError

from . import core_commands, lwc
from .board import command as board
from .coverage import command as coverage
from .demo import command as demo
from .errors import LabError
from .implement import command as implement
from .leakage import command as leakage
from .mutants import command as mutants
from .probe import command as probe
from .publish import tables
from .publish.export import command as export
from .publish.figures import command as figures
from .publish.report import command as report
from .publish.waveforms import record as waveforms
from .results import command as results
from .results import rank
from .sweep import command as sweep
from .terminal import Parser, help_text, say, subcommand

#: Modules with `options`, what a subcommand can be told, and `run`, which carries it out and returns the exit status.
COMMANDS = {
    "implement": implement, "sweep": sweep, "mutants": mutants, "results": results, "rank": rank, "tables": tables,
    "export": export, "lwc": lwc, "waveforms": waveforms, "plot": figures, "coverage": coverage, "report": report,
    "run": demo, "probe": probe, "leakage": leakage,
}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sealwire-lab",
        description="Builds, checks and measures the Sealwire cores with open tools.",
        epilog=help_text("sealwire-lab"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    core_commands.add_parser(commands)
    board.add_parser(commands)
    for name, module in COMMANDS.items():
        module.options(subcommand(commands, name, module.run))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    try:
        # A stage stops the tool it runs when an exception passes; by default this signal would be none.
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        arguments = _parser().parse_args(argv)
        status = int(arguments.action(arguments))
        sys.stdout.flush()  # here, where it is known what to do when nobody reads any more
        return status
    except (LabError, AnswersError) as error:
        say(f"sealwire-lab: {error}")
        return 2
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE  # as of any other program
    except KeyboardInterrupt:
        say("sealwire-lab: interrupted")
        return 130
