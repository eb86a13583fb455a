# SPDX-License-Identifier: Apache-2.0
"""Runs one tool in a child process with a time limit, and keeps its files in a folder named by everything that went in.

A failure is kept like a success, so that nothing is tried twice in vain; one that ran out of time is tried again when
it is given more.
"""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from .. import files
from ..errors import LabError

OK, FAILED, TIMEOUT = "ok", "failed", "timeout"
#: Of a record whose tools could not even be run.
ERROR = "error"
LOG = "log.txt"
_RESULT = "result.json"
#: A tool that meets two drivers of one signal chooses a value, says so in its log, and ends well.  Lines about memories
#: ("can't share write port: conflict in ...") only give the reason of a mapping.
_CONFLICT = re.compile(r"^(?!.*can't (?:share|map)).*(?:\bconflict|\bmulti(?:ple)?[ -]?driv)", re.IGNORECASE)
#: Signals that say nothing about the design.
_FROM_OUTSIDE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
#: A tool ends when whoever started it does, even by SIGKILL: tools run for an hour.
_LAUNCH = ("setpriv", "--pdeathsig", "KILL", "--")

#: Told now and then how far a stage is: (what runs, seconds, last line of its log).
Progress = Callable[[str, float, str], None]


@dataclass(frozen=True)
class Outcome:
    """How a stage ended.  `reason` is empty when it went well; `limit` and `seconds` are seconds."""

    status: str
    reason: str
    seconds: float
    limit: float
    finished: str
    folder: Path
    stored: bool = False


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as handle:
            handle.seek(max(0, log.stat().st_size - 400))
            lines = handle.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _complaint(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for pattern in (r"\b(?:error|ERROR): ", r"^\w*(?:Error|Exception)\b"):
        found = [line.strip() for line in lines if re.search(pattern, line)]
        if found:
            return found[0]
    return _last_line(log) or "no message"


def _stop(child: subprocess.Popen[bytes]) -> None:
    # The whole group: Yosys starts ABC.
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _execute(what: str, command: Sequence[str], scratch: Path, limit: float, progress: Progress) -> tuple[str, str]:
    log = scratch / LOG
    if shutil.which(_LAUNCH[0]) is None:
        raise LabError(f"{_LAUNCH[0]} is not installed; it comes with util-linux")
    start = time.monotonic()
    with log.open("wb") as sink:
        child = subprocess.Popen(
            [*_LAUNCH, *command],
            cwd=scratch, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True,
        )  # fmt: skip
        try:
            while True:
                try:
                    status = child.wait(timeout=0.5)
                    break
                except subprocess.TimeoutExpired:
                    spent = time.monotonic() - start
                    progress(what, spent, _last_line(log))
                    if spent > limit:
                        _stop(child)
                        return TIMEOUT, f"{what} took longer than {limit:g} s; it was at: {_last_line(log)}"
        except BaseException:
            _stop(child)
            raise
    with log.open(encoding="utf-8", errors="replace") as lines:
        conflict = next((line.strip() for line in lines if _CONFLICT.match(line)), "")
    if conflict:
        return FAILED, f"{what} found two drivers of one signal: {conflict}"
    if status == 0:
        return OK, ""
    if os.strerror(errno.ENOSPC) in log.read_text(encoding="utf-8", errors="replace"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # says nothing about the design
    if -status in _FROM_OUTSIDE:
        name = signal.Signals(-status).name
        raise LabError(f"{what} was ended from outside ({name}): by somebody, or for want of memory; run it again")
    ending = f"signal {-status}" if status < 0 else f"exit status {status}"
    return FAILED, f"{what} failed ({ending}): {_complaint(log)}"


def _stored(folder: Path, limit: float) -> Outcome | None:
    try:
        table = json.loads((folder / _RESULT).read_text(encoding="utf-8"))
        outcome = Outcome(folder=folder, stored=True, **table)
    except (OSError, ValueError, TypeError):
        return None
    return None if outcome.status == TIMEOUT and outcome.limit < limit else outcome


def run(
    what: str,
    folder: Path,
    prepare: Callable[[Path], Sequence[str]],
    *,
    limit: float,
    force: bool,
    progress: Progress,
) -> Outcome:
    """Run a stage whose files belong in `folder`, or answer from there.

    `prepare` fills the folder that the tool starts in and returns the command.
    """
    try:
        with files.locked(folder.parent / f".{folder.name}.lock"):
            known = None if force else _stored(folder, limit)
            if known is not None:
                return known
            for left in folder.parent.glob(f".making-{folder.name}-*"):  # by a run that was killed
                shutil.rmtree(left, ignore_errors=True)
            scratch = Path(tempfile.mkdtemp(prefix=f".making-{folder.name}-", dir=folder.parent))
            try:
                start = time.monotonic()
                status, reason = _execute(what, prepare(scratch), scratch, limit, progress)
                seconds, now = round(time.monotonic() - start, 1), datetime.now(UTC).isoformat(timespec="seconds")
                made = Outcome(status, reason, seconds, limit, now, folder)
                table = {name: value for name, value in asdict(made).items() if name not in ("folder", "stored")}
                (scratch / _RESULT).write_text(json.dumps(table), encoding="utf-8")
                shutil.rmtree(folder, ignore_errors=True)
                scratch.rename(folder)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise LabError(f"cannot keep the results of {what} in {folder}: {error.strerror or error}") from error
    return made
