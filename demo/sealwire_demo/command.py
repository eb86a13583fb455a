# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab run`."""

import argparse
import contextlib
import json
import os
import random
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from rich.console import Console
from sealwire_lab import cores, files
from sealwire_lab.board import boards
from sealwire_lab.errors import LabError
from sealwire_lab.terminal import say, switches

from . import job, report
from .bench import Bench
from .checks import all_checks
from .ends import NoNamespaceError
from .link_build import board_host, link_host
from .rules import SUITES
from .traffic import NamespaceTraffic, Traffic

_LIMIT_SECONDS = 300
_SUITE = "omd-blake2b"
_FILE_BYTES = (1_000_000, 200_000)
_SHORT_FILE_BYTES = (60_000, 60_000)
#: Of boards: a millisecond in cycles of the core, and what an Ethernet line pads a frame to.
_MS_CYCLES, _LEAST_FRAME = 2000, 60


class _Stopped(BaseException):
    """A signal came; the message says which.

    No Exception: the job ends whatever runs just then, also scapy, which takes any Exception for an unreadable packet.
    """


def _mtu(text: str) -> int:
    if not text.isdigit() or not 1500 <= int(text) <= 9000:
        raise argparse.ArgumentTypeError(f"{text} bytes given, 1500 to 9000 are allowed")
    return int(text)


def options(parser: argparse.ArgumentParser) -> None:
    add, default = parser.add_argument, "(%(default)s)"
    add("--suite", choices=sorted(SUITES), help=f"what the links seal with ({_SUITE})")
    modes = ("auto", "netns", "capture")
    add("--mode", choices=modes, default="auto", help=f"where the traffic comes from {default}")
    add("--seed", type=int, metavar="N", help="repeats file contents and attacks of an earlier run")
    add("--mtu", type=_mtu, metavar="BYTES", default=1500, help=f"of the TAP interfaces, 1500 to 9000 {default}")
    add("--out", type=Path, metavar="DIR", help="directory for captures and picture (run/ of the checkout)")
    add("--json", type=Path, metavar="FILE", help="also writes the table there as JSON")
    switches(
        parser, short="smaller files, for a quick look",
        board=f"boards with their firmware in place of links: {boards.SUITE}, smaller files",
        gateway="B is the software gateway, `sealwire link`",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty(), width=None if sys.stdout.isatty() else 120)
    try:
        with _signals():
            return _run(options, console)
    except OSError as error:
        raise LabError(str(error)) from error
    except (_Stopped, KeyboardInterrupt) as stop:
        say(f"stopped: {str(stop) or 'interrupted'}; everything has been taken down, no result was kept")
        return 130


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Signals become exceptions, so that everything is taken down; and the job ends by itself."""

    def stopped(number: int, _: FrameType | None) -> None:
        for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)  # once is enough, taking down is quick
        raise _Stopped(
            "still not done after the time allowed" if number == signal.SIGALRM else signal.Signals(number).name
        )

    wanted = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM)
    before = {number: signal.signal(number, stopped) for number in wanted}
    try:
        yield
    finally:
        signal.alarm(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(options: argparse.Namespace, console: Console) -> int:
    from .picture import packet_life  # Altair takes a second to load, which no other command should pay

    out = options.out or cores.root() / "run"
    out.mkdir(parents=True, exist_ok=True)
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
    usual = boards.SUITE if options.board else _SUITE
    options.suite = options.suite or usual
    if options.board and options.suite != usual:
        raise LabError(f"boards have {usual} alone; leave --suite away")
    kind = "board" if options.board else "link"
    gateway = _gateway(options) if options.gateway else None
    console.print(f"building the {kind}s ({options.suite}; the first time takes a minute)")
    programs = _programs(options, gateway)
    if options.board:
        console.print("each board boots its firmware from its flash")
    signal.alarm(_LIMIT_SECONDS)
    start = time.monotonic()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sealwire-run-")))
        bench, traffic, mode = _set_up(options, programs, scratch, seed, stack, console)
        far = f"gateway B ({gateway})" if gateway else f"{kind} B"
        console.print(f"{kind} A and {far} are up: {traffic.source}; suite {options.suite}, seed {seed}")
        course = job.run(bench, traffic, random.Random(seed), lambda line: console.print(f"  {line}"))
        bench.stop()
        if any(bench.exit_status.values()):
            raise LabError(f"a link's process failed at its end: exit status {bench.exit_status}")
        checks = all_checks(bench, course)
        kept = [bench.capture]
        if course.trips:
            kept.append(scratch / "packet-life.svg")
            kept[-1].write_text(packet_life(course.trips[-1][0], options.suite), encoding="utf-8")
        kept += [path for end in bench.ends.values() for path in (end.trusted_in, end.trusted_out)]
        kept_as = {path.stem: out / path.name for path in kept}
        setting = {"suite": options.suite, "mode": mode, "source": traffic.source, "seed": seed, "gateway": gateway}
        setting["seconds"] = round(time.monotonic() - start, 3)
        result = report.to_json(setting, bench, course, checks, kept_as)
        for path in kept:
            shutil.move(path, out / path.name)
    if options.json:
        files.write(options.json, json.dumps(result, indent=2) + "\n")
    report.show(console, result)
    return _farewell(result, console)


def _programs(options: argparse.Namespace, gateway: str | None) -> dict[str, list[str]]:
    """The commands of both ends."""
    near = [str(board_host(_MS_CYCLES) if options.board else link_host(options.suite))]
    if gateway is None:
        return {"a": near, "b": near}
    far = [sys.executable, "-m", f"{__package__}.gateway_end", "--command", gateway, "--suite", options.suite]
    return {"a": near, "b": far}


def _gateway(options: argparse.Namespace) -> str:
    """The command of an end that is a gateway: $SEALWIRE, else the checkout's newest build, else what is installed."""
    if options.mode == "capture":
        raise LabError("a gateway carries no capture file; leave --mode away")
    if shutil.which("ip") is None:
        raise LabError("a gateway needs the command `ip`; install iproute2")
    made = [cores.root() / "target" / profile / "sealwire" for profile in ("release", "debug")]
    there = [path for path in made if path.exists()]
    newest = str(max(there, key=lambda path: path.stat().st_mtime)) if there else "sealwire"
    named = os.environ.get("SEALWIRE")
    if found := shutil.which(named or newest):
        return found
    if named:
        raise LabError(f"SEALWIRE={named}: no command that can be run")
    raise LabError("no command `sealwire` here; `cargo build --release -p sealwire-cli` makes it")


def _set_up(
    options: argparse.Namespace,
    programs: dict[str, list[str]],
    scratch: Path,
    seed: int,
    stack: ExitStack,
    console: Console,
) -> tuple[Bench, Traffic, str]:
    least = _LEAST_FRAME if options.board else 0
    how = (programs, SUITES[options.suite].code, scratch, least, not options.gateway)
    if options.mode != "capture":
        bench = stack.enter_context(Bench(*how))
        try:
            bench.start(lambda _: int(options.mtu))
        except NoNamespaceError as error:
            if options.mode == "netns" or options.gateway:
                way = " and ".join(["--mode"] * (options.mode == "netns") + ["--gateway"] * options.gateway)
                raise LabError(f"{error}; run as root, or leave {way} away to play a capture file instead") from error
            bench.stop()
            console.print(f"no network namespaces here ({error}): the same job on packets from a capture file")
        else:
            sizes = _SHORT_FILE_BYTES if options.short or options.board else _FILE_BYTES
            return bench, NamespaceTraffic(bench, scratch, random.Random(seed), sizes), "netns"
    bench = stack.enter_context(Bench(*how))
    from .traffic_capture import CaptureTraffic  # so does scapy

    traffic = CaptureTraffic(bench)
    stack.callback(traffic.close)
    bench.start(traffic.far.__getitem__)
    return bench, traffic, "capture"


def _nearby(path: str) -> Path:
    """The path as seen from here, where that is shorter."""
    here = Path.cwd()
    return Path(path).relative_to(here) if Path(path).is_relative_to(here) else Path(path)


def _farewell(result: dict[str, object], console: Console) -> int:
    files = result["files"]
    assert isinstance(files, dict)
    if "packet-life" in files:
        console.print(f"one packet's life, drawn from the simulation: {_nearby(files['packet-life'])}")
    console.print(f"the wire's capture: {_nearby(files['wire'])}")
    if result["passed"]:
        console.print(f"[bold green]all checks passed[/] in {result['seconds']:.1f} s, nothing is left running")
        return 0
    console.print("[bold red]a check failed[/]: see FAILED above; the captures are kept for you to look at")
    return 1
