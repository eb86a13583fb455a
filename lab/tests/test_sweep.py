# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab sweep`, here and on a Dask cluster of several worker processes."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import distributed
import pytest
import sweep_fake
import tiny_house
from record_maker import record
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import flow, targets
from sealwire_lab.implement.designs import Request
from sealwire_lab.results import Record, load, local
from sealwire_lab.sweep import cluster, engine, jobs
from sealwire_lab.sweep.engine import combine
from sealwire_lab.sweep.jobs import Estimate, Job, spoken
from tiny_house import adder


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two tiny cores, an empty store, and a log of the jobs that were begun."""
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    monkeypatch.setenv("SWEEP_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.delenv("NEXTPNR_ECP5", raising=False)
    flow.nextpnr.cache_clear()
    names = ("adder", "bdder")
    manifest = "".join(tiny_house.entry(name, "defaults = { WIDTH = 4 }") for name in names)
    return tiny_house.make(tmp_path, manifest, **{name: adder(4, name) for name in names})


def log(house: Path, word: str) -> Counter[str]:
    """How often each job was begun or ended."""
    path = house / "log"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return Counter(re.findall(rf"^\d+ {word} (.*)$", text, re.MULTILINE))


def steps(house: Path) -> list[tuple[int, str]]:
    """Which process began or ended a job, in this order."""
    text = (house / "log").read_text(encoding="utf-8")
    return [(int(pid), word) for pid, word in re.findall(r"^(\d+) (begun|ended) .*\n", text, re.MULTILINE)]


def silent(*_: object) -> None:
    """Nobody is told."""


def test_a_sweep_goes_on_past_everything_that_fails_and_repeats_nothing(
    house: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (house / "hdl" / "bdder.sv").write_text(adder(4, "bdder").replace("q + a", "q + b"), encoding="utf-8")
    words = ["sweep", "--core", "?dder", "--core", "aider", "--target", "xc7", "--target", "ice40", "--no-cycles"]
    words += ["--param", "WIDTH=4,8"]
    assert main([*words, "--json"]) == 1
    out, err = capfd.readouterr()
    found = {
        (r["core"], r["target"], r["params"]["WIDTH"]): (r["status"], r["lut"], r["reason"]) for r in json.loads(out)
    }
    assert len(found) == 12
    assert [found["adder", "xc7", width][:2] for width in (4, 8)] == [("ok", 4), ("ok", 8)]
    assert found["bdder", "xc7", 8][0] == "failed" and "undeclared identifier" in found["bdder", "xc7", 8][2]
    assert found["aider", "xc7", 4][0] == "error" and "did you mean adder?" in found["aider", "xc7", 4][2]
    assert "no target is called 'ice40'" in found["adder", "ice40", 8][2]
    lines = [line for line in err.splitlines() if " of 12: " in line]
    assert len(lines) == 12 and err.splitlines()[-1] == "12 results: 8 error, 2 failed, 2 ok"
    # Failures are results; names that do not exist are not.
    assert sorted((r.core, r.target) for r in local.load()) == [("adder", "xc7")] * 2 + [("bdder", "xc7")] * 2

    assert main(words) == 1
    err = capfd.readouterr().err
    assert err.count("(kept)") == 4 and "4 of them kept from before" in err and len(local.load()) == 4
    (house / "hdl" / "bdder.sv").write_text(adder(4, "bdder"), encoding="utf-8")
    assert main([*words, "--core", "?dder", "--dry-run"]) == 1  # ice40 does not exist
    assert set(capfd.readouterr().out.splitlines()) == {"bdder WIDTH=4 on xc7", "bdder WIDTH=8 on xc7"}


def test_a_job_names_all_that_does_not_exist(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "--core", "nonsense", "--target", "foo", "--dry-run"]) == 1
    capfd.readouterr()
    assert main(["sweep", "--core", "nonsense", "--target", "foo"]) == 1
    (line,) = [line for line in capfd.readouterr().err.splitlines() if "error: " in line]
    assert "no core is called 'nonsense'" in line and "no target is called 'foo'" in line and not local.load()


def test_several_seeds_give_the_record_that_implement_gives(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one = ["--core", "adder", "--target", "ecp5", "--no-cycles", "--seeds", "2"]
    assert main(["sweep", *one]) == 0
    assert sorted(r.seeds for r in local.load()) == [[1], [1, 2], [2]]
    capfd.readouterr()
    assert main(["implement", *one, "--json"]) == 0
    out, err = capfd.readouterr()
    swept = json.loads(out)
    assert "answered from the store" in err and len(swept["fmax_mhz_by_seed"]) == 2
    local.path().unlink()
    assert main(["implement", *one, "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == swept


def test_seeds_that_fail_leave_best_and_median_to_the_others() -> None:
    def one(seed: int, clock: float | None) -> Record:
        if clock is None:
            return record(
                seeds=[seed], status="failed", reason=f"seed {seed} did not route", stage="placed", gbit_s=None,
                fmax_mhz=None, fmax_mhz_median=None, fmax_mhz_by_seed=None, failed_seeds={seed: "did not route"},
                run_seconds={"synthesis": 5.0, f"seed {seed}": 50.0},
            )  # fmt: skip
        return record(
            seeds=[seed], fmax_mhz=clock, fmax_mhz_median=clock, fmax_mhz_by_seed={seed: clock}, gbit_s=clock / 10,
            lut=1000 + seed, run_seconds={"synthesis": 5.0, f"seed {seed}": 60.0},
        )  # fmt: skip

    core = cores.find("omd-sha512-r1")
    request = Request(core, targets.find("ecp5"), core.parameters(), seeds=(1, 2, 3, 4))
    mixed = combine([one(1, 90.0), one(2, None), one(3, 110.0), one(4, 98.0)], request)
    assert (mixed.status, mixed.fmax_mhz, mixed.fmax_mhz_median, mixed.lut) == ("ok", 110.0, 98.0, 1003)
    assert (mixed.gbit_s, mixed.gbit_s_median, mixed.seeds) == (11.0, 9.8, [1, 2, 3, 4])
    assert mixed.failed_seeds == {2: "did not route"} and "--seeds 4" in mixed.command
    assert mixed.run_seconds == {"synthesis": 5.0, "seed 1": 60.0, "seed 2": 50.0, "seed 3": 60.0, "seed 4": 60.0}
    none = combine([one(1, None), one(2, None), one(3, None), one(4, None)], request)
    assert (none.status, none.reason, none.fmax_mhz) == ("failed", "seed 1 did not route", None)
    assert set(none.failed_seeds or {}) == {1, 2, 3, 4}


def test_a_failed_placement_is_a_result_and_the_sweep_goes_on(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stuck = house / "nextpnr"
    stuck.write_text("#!/bin/sh\necho '(Version nextpnr-9.9)'\ntest $1 = --version || "
                     "{ echo 'ERROR: no room'; exit 1; }\n", encoding="utf-8")  # fmt: skip
    stuck.chmod(0o755)
    monkeypatch.setenv("NEXTPNR_ECP5", str(stuck))
    words = ["sweep", "--core", "adder", "--target", "ecp5", "--target", "xcup", "--seeds", "2", "--no-cycles"]
    for kept in (False, True):
        assert main(words) == 1
        err = capfd.readouterr().err
        assert "3 results: 2 failed, 1 ok" in err and ("3 of them kept" in err) == kept
        assert "adder on ecp5, seed 2: failed: place and route, seed 2 failed (exit status 1): ERROR: no room" in err
    assert sorted((r.target, r.status, r.seeds) for r in local.load()) == [
        ("ecp5", "failed", [1]), ("ecp5", "failed", [1, 2]), ("ecp5", "failed", [2]), ("xcup", "ok", []),
    ]  # fmt: skip


def test_what_cannot_be_carried_out_is_tried_again_and_forgotten_when_it_can(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jobs, "work", sweep_fake.work)
    monkeypatch.setattr(engine, "work", sweep_fake.work)
    monkeypatch.setenv("NEXTPNR_ECP5", "no-such-program")
    words = ["sweep", "--target", "ecp5", "--no-cycles"]
    assert main(words) == 1
    err = capfd.readouterr().err
    assert err.count("error: NEXTPNR_ECP5 is 'no-such-program'") == 2 and len(local.load()) == 2
    errors = local.load()
    monkeypatch.delenv("NEXTPNR_ECP5")
    flow.nextpnr.cache_clear()
    assert main(words) == 0
    assert [r.status for r in local.load()] == ["ok", "ok"]
    # Errors of a day when the tool was away, with results that are kept from before.
    for again in (words, ["implement", "--core", "adder", *words[1:]]):
        for error in errors:
            local.put(error)
        assert [r.status for r in load(latest=True)] == ["ok", "ok"]
        assert main(again) == 0
        assert [r.status for r in local.load() if r.core == "adder"] == ["ok"]


def test_an_error_without_placement_is_forgotten_too(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "work", sweep_fake.work)
    job = Job("adder", "xcup", count_cycles=False)
    local.put(jobs.error(job, "the disk is full"))
    assert main(["sweep", "--core", "adder", "--target", "xcup", "--no-cycles"]) == 0
    assert [r.status for r in local.load()] == ["ok"]


def test_force_with_less_time_leaves_the_result(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["sweep", "--core", "adder", "--target", "ecp5", "--no-cycles"]
    monkeypatch.setattr(engine, "work", sweep_fake.work)
    assert main(words) == 0
    (good,) = local.load()
    slow = replace(good, status="timeout", reason="slow", fmax_mhz=None, fmax_mhz_by_seed=None)
    monkeypatch.setattr(engine, "work", lambda *_: slow)
    assert main([*words, "--force", "--timeout", "1"]) == 1
    assert local.load() == [good]


def test_a_failure_is_made_again_only_on_demand(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "work", sweep_fake.work)
    job = Job("adder", "ecp5", count_cycles=False)
    planned = flow.plan(job.request())
    local.put(replace(planned, status="timeout", reason="slow"))
    words = ["sweep", "--core", "adder", "--target", "ecp5", "--no-cycles"]
    assert main(words) == 1 and not log(house, "begun")
    assert main([*words, "--timeout", "7200"]) == 0 and len(log(house, "begun")) == 1  # given more time
    local.path().unlink()
    local.put(replace(planned, status="failed", reason="no room"))
    assert main(words) == 1 and main([*words, "--retry-failed"]) == 0
    assert main([*words, "--force"]) == 0 and log(house, "begun").total() == 3
    assert "no room" in capfd.readouterr().err


def test_a_store_that_cannot_be_written_is_one_line_and_the_sweep_goes_on(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "work", sweep_fake.work)
    local.path().parent.mkdir(parents=True)
    local.path().write_bytes(b"no database " * 100)
    assert main(["sweep", "--target", "xcup", "--no-cycles", "--json"]) == 2
    out, err = capfd.readouterr()
    assert len(json.loads(out)) == 2 and err.count("cannot use the database") == 1
    assert err.splitlines()[-1].startswith("sealwire-lab: 2 records are not kept: cannot use the database")

    # A full disk: where the tools would work, nothing can be written.
    local.path().unlink()
    monkeypatch.setattr(engine, "work", jobs.work)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(flow.stages.tempfile, "mkdtemp", full)
    assert main(["sweep", "--target", "xcup", "--no-cycles"]) == 1
    assert capfd.readouterr().err.count("No space left on device") == 2
    assert [r.status for r in local.load()] == ["error", "error"]


PROGRAM = """
import sys
import sweep_fake
from sealwire_lab import cli
from sealwire_lab.sweep import engine
engine.work = sweep_fake.work
sys.exit(cli.main(["sweep", "--target", "ecp5", "--seeds", "3", "--no-cycles"]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_sweep_goes_on_where_it_was(house: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWEEP_NAP", "0.3")
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while log(house, "begun").total() < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(number)
    _, err = child.communicate(timeout=30)
    assert child.returncode == (130 if number == signal.SIGINT else -number)
    if number == signal.SIGINT:
        assert err.splitlines()[-1] == "sealwire-lab: interrupted"
    before = log(house, "begun")
    assert before.total() < 6
    monkeypatch.setenv("SWEEP_NAP", "0")
    again = subprocess.run([sys.executable, "-c", PROGRAM], stderr=subprocess.PIPE, text=True, check=True)
    assert "6 results: 6 ok" in again.stderr and "kept from before" in again.stderr
    # What ended before is not begun again; only the one that was running may be.
    begun = log(house, "begun")
    assert set(begun) == set(map(str, jobs.expand(["*"], ["ecp5"], ["bare"], [], [1, 2, 3])))
    assert begun.total() <= 7 and len([r for r in local.load() if len(r.seeds) == 1]) == 6


def address_in(file: Path, patience: float = 60) -> str:
    """What a scheduler wrote there.  It opens the file first and fills it later: on a busy machine it is seen empty."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return str(json.loads(file.read_text(encoding="utf-8"))["address"])
        except (FileNotFoundError, ValueError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def test_a_scheduler_file_may_be_seen_before_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.touch()
    writer = threading.Timer(0.2, file.write_text, ['{"address": "tcp://127.0.0.1:1"}'])
    writer.start()
    assert address_in(file) == "tcp://127.0.0.1:1"
    writer.join()


@contextmanager
def dask_cluster(house: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and worker processes of their own, as on several machines."""
    file = house / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    children = [
        subprocess.Popen(
            [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)],
            cwd=house, **quiet,
        )
    ]  # fmt: skip
    try:
        address = address_in(file)
        worker = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory"]
        children += [subprocess.Popen([*worker, str(house / f"w{n}")], cwd=house, **quiet) for n in range(workers)]
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)  # on a busy machine one begins seconds after another
        yield address, children
    finally:
        for child in children:
            child.kill()
            child.wait()


def test_a_cluster_survives_the_death_of_a_worker_and_loses_nothing(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWEEP_NAP", "0.4")
    listed = jobs.expand(["*"], ["ecp5"], ["bare"], [("WIDTH", [2, 3])], [1, 2, 3, 4], count_cycles=False)
    killed: list[int] = []
    with (
        dask_cluster(house, 3) as (address, children),
        cluster.cluster(address, 1, sweep_fake.work) as execute,
    ):
        workers = {child.pid for child in children[1:]}

        def done(_job: Job, _record: object, _stored: bool) -> None:
            # Once all three have had work: one of them, in the middle of a job, where it stands still to be looked at.
            if killed or {pid for pid, _ in steps(house)} != workers:
                return
            for pid in workers:
                os.kill(pid, signal.SIGSTOP)
                words = [word for who, word in steps(house) if who == pid]
                os.kill(pid, signal.SIGKILL if words[-1] == "begun" else signal.SIGCONT)
                if words[-1] == "begun":
                    killed.append(pid)
                    return

        outcome = engine.sweep(listed, execute, done)
        assert killed, "not all workers had work"
    assert Counter(str(job) for job in listed) == Counter(
        f"{r.core} WIDTH={r.params['WIDTH']} on ecp5, seed {r.seeds[0]}" for r in outcome.records
    )
    assert {r.status for r in outcome.records} == {"ok"} and not outcome.complaints
    singles = [r for r in local.load() if len(r.seeds) == 1]
    assert len(singles) == 16 and len(local.load()) == 20  # and one of all four seeds for each design
    ended = log(house, "ended")
    assert set(ended) == set(map(str, listed))
    assert log(house, "begun").total() > ended.total()  # one was cut off, and done by another


def test_a_job_that_kills_its_workers_is_an_error_and_the_others_are_done(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")  # the first death is suspect already
    listed = jobs.expand(["*"], ["xcup"], ["bare"], [("WIDTH", [13])], [1], count_cycles=False)[:1]
    listed += jobs.expand(["*"], ["xcup"], ["bare"], [("WIDTH", [2, 3])], [1], count_cycles=False)
    with dask_cluster(house, 3) as (address, _), cluster.cluster(address, 1, sweep_fake.work) as execute:
        outcome = engine.sweep(listed, execute, silent)
    assert Counter(r.status for r in outcome.records) == {"ok": 4, "error": 1}
    assert ["died" in (r.reason or "") for r in outcome.records].count(True) == 1


def test_a_scheduler_that_ends_is_one_line_and_what_was_done_is_kept(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWEEP_NAP", "0.3")
    listed = jobs.expand(["*"], ["ecp5"], ["bare"], [], range(6), count_cycles=False)
    seen: list[Job] = []
    with dask_cluster(house, 2) as (address, children), cluster.cluster(address, 1, sweep_fake.work) as execute:

        def done(job: Job, _record: object, _stored: bool) -> None:
            seen.append(job)
            if len(seen) == 2:
                children[0].kill()

        with pytest.raises(LabError, match="run the same command again") as caught:
            engine.sweep(listed, execute, done)
    assert "\n" not in str(caught.value) and len(local.load()) == len(seen) >= 2


def test_no_scheduler_is_one_line(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        assert main(["sweep", "--target", "xcup", "--no-cycles", "--scheduler", address]) == 2
        out, err = capfd.readouterr()
        assert out == "" and err.count("\n") == 1 and f"no Dask scheduler answers at {address}" in err


def test_a_worker_with_other_sources_tools_or_options_is_refused(house: Path) -> None:
    job = Job("adder", "ecp5", count_cycles=False)
    mine = flow.plan(job.request())
    assert cluster.check_foreign(job, mine) == mine
    assert cluster.check_foreign(job, replace(mine, options=mine.options | {"timeout_s": 1.0})).status == "ok"
    for change in (
        {"sources_sha256": "00"}, {"tools": {"yosys": "0.1"}}, {"counter_sha256": "00"}, {"seeds": [2]},
        {"options": mine.options | {"freq_mhz": 12.0}}, {"params": mine.params | {"WIDTH": 5}}, {"device": "other"},
    ):  # fmt: skip
        refused = cluster.check_foreign(job, replace(mine, **change))
        assert refused.status == "error" and (refused.reason or "").startswith("a worker ")


@pytest.mark.parametrize(
    "words", [["--param", "WIDTH"], ["--param", "WIDTH=1,x"], ["--seeds", "0"], ["--workers", "0"]]
)
def test_bad_usage_is_status_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["sweep", "--target", "xcup", *words])
    assert caught.value.code == 2 and capfd.readouterr().out == ""


def test_time_left_follows_past_runs_and_what_they_take_here() -> None:
    estimate = Estimate([record("adder", run_seconds={"synthesis": 10.0, "seed 1": 90.0, "seed 2": 110.0})])
    work = [Job("adder", "ecp5", seed=seed) for seed in (1, 2, 3)]
    assert estimate.left(work) == 330 and estimate.left(work, workers=3) == 110
    assert estimate.of(Job("other", "ecp5")) == 110 and estimate.of(Job("other", "xcup")) > 0
    estimate.learn(work[0], 220.0)  # this machine is half as fast
    assert estimate.left(work[1:]) == 440
    assert [spoken(s) for s in (45, 720, 12000)] == ["45 s", "12 min", "3 h 20 min"]
