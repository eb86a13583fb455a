# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab`: the lab's own commands, and those that other installed packages bring."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import metadata
from types import ModuleType

from sealwire_model.answers import AnswersError

from . import core_commands, lwc
from .board import command as board
from .errors import LabError
from .implement import command as implement
from .publish import tables
from .publish.export import command as export
from .publish.figures import command as figures
from .publish.report import command as report
from .publish.waveforms import record as waveforms
from .results import command as results
from .results import rank
from .sweep import command as sweep
from .terminal import Parser, help_text, say, subcommand

#: The entry points by which a package brings commands, each a module as those of COMMANDS.
GROUP = "sealwire_lab.commands"
_ASSURANCE, _DEMO = "sealwire-assurance", "sealwire-demo"
#: In the order of `--help`, modules with `options`, what a subcommand can be told, and `run`, which carries it out and
#: returns the exit status; or the package of Sealwire that brings the module.
COMMANDS: dict[str, ModuleType | str] = {
    "implement": implement, "sweep": sweep, "mutants": _ASSURANCE, "results": results, "rank": rank, "tables": tables,
    "export": export, "lwc": lwc, "waveforms": waveforms, "plot": figures, "coverage": _ASSURANCE, "report": report,
    "run": _DEMO, "probe": _ASSURANCE, "leakage": _ASSURANCE,
}  # fmt: skip


def _modules(name: str) -> dict[str, ModuleType]:
    """The commands that there are; what COMMANDS does not name comes last.  `name` is the one that is called."""
    found = {point.name: point.load() for point in metadata.entry_points(group=GROUP)}
    found |= {own: module for own, module in COMMANDS.items() if isinstance(module, ModuleType)}
    if name in COMMANDS and name not in found:
        raise LabError(f"{name} comes with the package {COMMANDS[name]}, which is not installed; run `make lab`")
    return {one: found[one] for one in [*COMMANDS, *sorted({*found} - {*COMMANDS})] if one in found}


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(
        prog="sealwire-lab",
        description="Builds, checks and measures the Sealwire cores with open tools.",
        epilog=help_text("sealwire-lab"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    core_commands.add_parser(commands)
    board.add_parser(commands)
    for name, module in _modules(words[0] if words else "").items():
        package = module.__name__.partition(".")[0]
        module.options(subcommand(commands, name, module.run, package=package))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    try:
        # A stage stops the tool it runs when an exception passes; by default this signal would be none.
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        words = sys.argv[1:] if argv is None else argv
        arguments = _parser(words).parse_args(words)
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
