# SPDX-License-Identifier: Apache-2.0
"""The part of a campaign that lives in pytest (`-p` and its name), as environment variables ask for it.

SEALWIRE_MUTANTS_SURVEY=FILE: no simulation is built and no program started; FILE gets a line for each test with the
name and the sources of the simulation that it would have run.
SEALWIRE_MUTANTS_LOG=FILE: FILE gets a line for each test with its outcome and its seconds without those of builds;
SEALWIRE_MUTANTS_LIMITS=FILE holds seconds after which a test has failed.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sealwire_lab import build, cores, toolchain


def _line(file: str, **fields: Any) -> None:
    with Path(file).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(fields) + "\n")


def stop(session: int) -> None:
    """Kill every process of a session: a simulation under timeout(1) has a group of its own, but no session."""
    own = os.getpid()
    for pid in sorted((int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()), key=own.__eq__):
        with contextlib.suppress(OSError):
            if os.getsid(pid) == session:
                os.kill(pid, signal.SIGKILL)  # this process last


class Survey:
    """Answers every request for a simulation by skipping the test."""

    def __init__(self, file: str) -> None:
        self.file, self.parts, self.test = file, list[Path](), ""
        self.digest = build.digest

    def pytest_collection_finish(self) -> None:
        """From here on no program is started."""
        toolchain.find()  # asks the compiler for its version, and keeps the answer
        for owner, name, function in (
            (build, "digest", self.note), (build, "cached", self.stop), (subprocess.Popen, "__init__", self.refuse)
        ):  # fmt: skip
            setattr(owner, name, function)

    def note(self, parts: Iterable[str | Path]) -> str:
        kept = list(parts)
        self.parts = [part for part in kept if isinstance(part, Path)]
        return self.digest(kept)

    def stop(self, name: str, _make: Callable[[Path], None]) -> Path:
        hdl = cores.root() / "hdl"
        sources = [path.relative_to(hdl.parent).as_posix() for path in self.parts if path.is_relative_to(hdl)]
        _line(self.file, test=self.test, simulation=name, sources=sources)
        pytest.skip("survey")

    def refuse(self, *_: Any, **__: Any) -> None:
        pytest.skip("survey: the test starts a program")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.test, self.parts = item.nodeid, []
        group = item.get_closest_marker("xdist_group")
        _line(self.file, test=item.nodeid, group=str(group.args[0]) if group else "")
        return (yield)


class Watch:
    """Times the tests, and ends the run when one takes too long."""

    def __init__(self, file: str, limits: str) -> None:
        self.file = file
        self.limits: dict[str, float] = json.loads(Path(limits).read_text(encoding="utf-8")) if limits else {}
        if limits:  # one failure says it all: a simulation of many cocotb tests ends with it
            os.environ["COCOTB_MAX_FAILURES"] = "1"
        self.built, self.test, self.since = 0.0, "", 0.0
        self.parent = os.getppid()
        self.cached = build.cached
        build.cached = self.timed

    def timed(self, name: str, make: Callable[[Path], None]) -> Path:
        since, before = time.monotonic(), self.built
        try:
            return self.cached(name, make)
        finally:
            self.built = before + time.monotonic() - since  # with builds that this one asked for

    def late(self, *_: Any) -> None:
        _line(self.file, test=self.test, outcome="timeout", seconds=time.monotonic() - self.since)
        stop(os.getsid(0))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if os.getppid() != self.parent:  # the campaign was interrupted
            stop(os.getsid(0))
        self.test, self.built, self.since = item.nodeid, 0.0, time.monotonic()
        if limit := self.limits.get(item.nodeid):
            signal.signal(signal.SIGALRM, self.late)
            signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            seconds = time.monotonic() - self.since - self.built
            why = str(report.longrepr).strip().splitlines()[-1:] if report.failed else []
            _line(self.file, test=report.nodeid, outcome=report.outcome, seconds=seconds, why="".join(why)[:300])


def pytest_configure(config: pytest.Config) -> None:
    """Register what the environment asks for."""
    if file := os.environ.get("SEALWIRE_MUTANTS_SURVEY"):
        config.pluginmanager.register(Survey(file))
    elif file := os.environ.get("SEALWIRE_MUTANTS_LOG"):
        config.pluginmanager.register(Watch(file, os.environ.get("SEALWIRE_MUTANTS_LIMITS", "")))
