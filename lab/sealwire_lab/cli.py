# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from . import core_commands, lwc
from .coverage import command as coverage
from .demo import command as demo
from .errors import LabError
from .implement import command as implement
from .mutants import command as mutants
from .publish import tables
from .publish.export import command as export
from .publish.figures import command as figures
from .publish.report import command as report
from .publish.waveforms import command as waveforms
from .results import command as results
from .results import rank
from .sweep import command as sweep
from .terminal import Parser, say, subcommand

EXAMPLES = """\
examples:
  sealwire-lab cores                                          which cores there are
  sealwire-lab kat --core omd-sha512-r1 vectors/omdsha512k512n256tau256v2.rsp
  sealwire-lab kat --core omd-blake2b-f --limit 20 --stall both --seed 7 vectors/omdblake2b*.rsp
  sealwire-lab kat --core omd-sha256-r1 --netlist ecp5 --limit 5 vectors/omdsha256k256n248tau256v2.rsp
  sealwire-lab cycles --core omd-blake2b-f                    counted in simulation, as a table
  sealwire-lab cycles --core omd-sha512-r1 --json --params KEY_BITS=128 NONCE_BITS=128 TAG_BITS=128
  sealwire-lab lint                                           Verilator and slang on every core
  sealwire-lab implement --core omd-sha512-r1 --target ecp5   area, clock and throughput by open tools
  sealwire-lab sweep --target ecp5 --seeds 5                  every core; resumable, also on a Dask cluster
  sealwire-lab results --target ecp5                          what was measured; --csv, --json, --parquet FILE
  sealwire-lab rank --by tpa                                  the best first
  sealwire-lab plot all                                       figures of the papers with our cores beside them
  sealwire-lab coverage                                       lines and toggles of the RTL that tests reached
  sealwire-lab report                                         the shipped results as a static web site
  sealwire-lab export --core omd-sha512-r1 --bus axis -o DIR  a core as a folder of its own, with bench and datasheet
  sealwire-lab mutants                                        how many planted defects the tests find; resumable
  sealwire-lab run                                            two link ends, real traffic, attacks

exit status: 0 all well, 1 a check failed, 2 the command could not be carried out
"""


#: Modules with `options`, `run`, and the help as their text.
COMMANDS = {
    "implement": implement, "sweep": sweep, "mutants": mutants, "results": results, "rank": rank, "tables": tables,
    "export": export, "lwc": lwc, "waveforms": waveforms, "plot": figures, "coverage": coverage, "report": report,
    "run": demo,
}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sealwire-lab",
        description="Builds, checks and measures the Sealwire cores with open tools.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    core_commands.add_parser(commands)
    for name, module in COMMANDS.items():
        module.options(subcommand(commands, name, module.run, module.__doc__ or ""))
    return parser


def _terminated(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    try:
        # A stage stops the tool it runs when an exception passes; by default this signal would be none.
        signal.signal(signal.SIGTERM, _terminated)
        arguments = _parser().parse_args(argv)
        status = int(arguments.action(arguments))
        sys.stdout.flush()  # here, where it is known what to do when nobody reads any more
        return status
    except LabError as error:
        say(f"sealwire-lab: {error}")
        return 2
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE  # as of any other program
    except KeyboardInterrupt:
        say("sealwire-lab: interrupted")
        return 130
