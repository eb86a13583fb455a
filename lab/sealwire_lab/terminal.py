# SPDX-License-Identifier: Apache-2.0
"""What the subcommands share in talking with a terminal."""

import argparse
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import resources
from typing import Any, NoReturn

import rich.progress
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from .implement.stages import Progress

#: Where everything goes that is not the result.
STDERR = Console(stderr=True, highlight=False, emoji=False)


class Parser(argparse.ArgumentParser):
    """Answers bad usage with one line.  Parsers of subcommands are of the class of the parser they belong to."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with status 2."""
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def say(text: str) -> None:
    """A line for the user that is not the result."""
    STDERR.print(text, soft_wrap=True, markup=False)


def help_text(name: str, package: str = "sealwire_lab") -> str:
    """The words of a command that a package brings."""
    return (resources.files(package) / "help" / f"{name}.txt").read_text(encoding="utf-8")


def subcommand(
    commands: Any,
    name: str,
    action: Callable[[argparse.Namespace], int] | None = None,
    words: str = "",
    package: str = "sealwire_lab",
) -> argparse.ArgumentParser:
    """Register a subcommand: `action` carries it out and returns the exit status, unless its own subcommands do.

    The paragraphs of its help (of `words`, if it is named otherwise than the command): a line for the list of commands,
    what stands above the options, what stands below them.
    """
    about, more, below = (*help_text(words or name, package).strip().split("\n\n", 2), "", "")[:3]
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=about, description=more, epilog=below, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if action is not None:
        parser.set_defaults(action=action)
    return parser


def core_option(parser: argparse.ArgumentParser) -> None:
    """The core that a subcommand works on."""
    option(parser, "--core NAME", "as `sealwire-lab cores` lists it", required=True)


def option(parser: Any, form: str, meaning: str, kind: Callable[[str], object] = str, **more: Any) -> None:
    """An option with a value, written as its user writes it: `-o --output DIR`."""
    *names, metavar = form.split()
    parser.add_argument(*names, metavar=metavar, help=meaning, type=kind, **more)


def switches(parser: Any, **meanings: str) -> None:
    """Options without a value, by name, and what each does."""
    for name, meaning in meanings.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=meaning)


class _Output(Console):
    """A console that leaves it to the command what happens when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Pass on the error that is being handled, where rich would exit with 1."""
        raise


def show(heads: Iterable[str], rows: Iterable[Iterable[object]], right: bool = False) -> None:
    """Print a table as wide as the terminal, and never cut where there is none.

    `right`: all columns but the first are flush right.
    """
    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if right and number else "left")
    for row in rows:
        table.add_row(*map(str, row))
    console = _Output(highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of a document in Markdown, with its last newline."""
    head, *body = ["| " + " | ".join(cells) + " |" for cells in (heads, *rows)]
    return "\n".join([head, "|" + "---|" * len(heads), *body]) + "\n"


def dash(value: float | None, unit: str = "", form: str = "") -> str:
    """A figure with its unit, or a dash where there is none."""
    return "-" if value is None else format(value, form or ("g" if isinstance(value, float) else "d")) + unit


def _number(kind: Callable[[str], float], least: float, most: float, meaning: str, text: str) -> Any:
    """An argument that is a number from `least` on and below `most`."""
    with suppress(ValueError):
        if least <= (value := kind(text)) < most:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not {meaning}")


whole = partial(_number, int, 1, math.inf, "a whole number from 1 up")
natural = partial(_number, int, 0, math.inf, "a whole number from 0 up")


def between(least: int, most: int) -> Callable[[str], int]:
    """An argument that is a whole number of a range, both ends included."""
    return partial(_number, int, least, most + 1, f"a whole number from {least} to {most}")


duration = partial(_number, float, math.nextafter(0, 1), 1e6, "a number above 0")


def pair(text: str, form: str = "NAME=NUMBER", right: str = r"\d+", left: str = ".+?") -> tuple[str, str]:
    """Both sides of an argument `form`, which regular expressions describe."""
    found = re.fullmatch(f"({left})=({right})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
    return found[1], found[2]


def assignment(text: str, form: str = "NAME=NUMBER", left: str = ".+?") -> tuple[str, int]:
    """An argument of the form NAME=NUMBER."""
    name, value = pair(text, form, left=left)
    return name, int(value)


@contextmanager
def bar(total: int, now: str = "") -> Iterator[Callable[[str, int], None]]:
    """A bar on a terminal while many things are done; told what is going on, and how many more are done."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.fields[now]}"))
    with rich.progress.Progress(*columns, console=STDERR, transient=True, disable=not STDERR.is_terminal) as shown:
        task = shown.add_task("", total=total, now=now)
        yield lambda now, done: shown.update(task, advance=done, now=now)


@contextmanager
def progress() -> Iterator[Progress]:
    """A line that moves on a terminal; elsewhere one line for each thing begun."""
    begun: set[str] = set()
    with STDERR.status("starting") as status:

        def tell(what: str, seconds: float, line: str) -> None:
            if STDERR.is_terminal:
                status.update(f"{what}, {seconds:.0f} s  [dim]{line[:80].replace('[', '(')}[/dim]")
            elif what not in begun:
                begun.add(what)
                STDERR.print(what, soft_wrap=True, markup=False)

        yield tell


def counter(tell: Progress, things: str) -> Callable[[int, int], None]:
    """Tells, on a terminal, how many of so many things are done."""
    begun = time.monotonic()

    def done(count: int, total: int) -> None:
        if STDERR.is_terminal:
            tell(f"{count} of {total} {things}", time.monotonic() - begun, "")

    return done
