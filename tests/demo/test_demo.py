# SPDX-License-Identifier: Apache-2.0
"""The job of `make run`, shortened: it passes, it leaves nothing behind, and it fails when something is wrong."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sealwire_demo.link_build import link_host
from sealwire_demo.pcap import read_frames
from sealwire_demo.rules import CAUSES, NEVER
from sealwire_demo.traffic_capture import CAPTURE
from sealwire_demo.worker import MARKER
from sealwire_lab.errors import LabError

COMMAND = [sys.executable, "-c", "import sys; from sealwire_lab import cli; sys.exit(cli.main())", "run", "--short"]
ROOT = Path(__file__).parents[2]
SECONDS = 120


@pytest.fixture(scope="session", autouse=True)
def built(request):
    """All links, so that no test's own time limit covers a build."""
    more = ["otr-aes256-p"] if request.config.getoption("--exhaustive") else []
    with ThreadPoolExecutor(2) as builders:
        return list(builders.map(link_host, ["omd-blake2b", "omd-sha512", "otr-aes128-p", *more]))


@pytest.fixture(autouse=True)
def scratch(tmp_path_factory, monkeypatch):
    """Temporary files of a job go where only this test looks."""
    path = tmp_path_factory.mktemp("scratch")
    path.chmod(0o777)
    monkeypatch.setenv("TMPDIR", str(path))
    return path


def run(
    out: Path, *options: str, prefix: tuple[str, ...] = (), words: list[str] = COMMAND
) -> subprocess.CompletedProcess:
    command = [*prefix, *words, "--out", str(out), "--json", str(out / "report.json"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)


def spoilt(kind: str) -> list[str]:
    """The command with something wrong (sabotage.py)."""
    return [sys.executable, str(Path(__file__).with_name("sabotage.py")), kind, "--short"]


def report_of(out: Path) -> dict:
    return json.loads((out / "report.json").read_text(encoding="utf-8"))


def children_of(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def traces() -> set[str]:
    """What a job could leave behind on this machine."""
    interfaces = {f"interface {each.name}" for each in Path("/sys/class/net").iterdir()}
    # Namespaces of the gateway's tests, which may run at the same time, begin with "sw".
    namespaces = {str(each) for each in Path("/run/netns").glob("*") if not each.name.startswith("sw")}
    return interfaces | namespaces | {str(each) for each in Path(os.environ["TMPDIR"]).iterdir()}


def namespaces_or_skip(done: subprocess.CompletedProcess) -> None:
    if done.returncode == 2 and "to play a capture file instead" in done.stderr:
        pytest.skip(done.stderr.strip())


def assert_good(done: subprocess.CompletedProcess, out: Path, mode: str) -> dict:
    assert done.returncode == 0, done.stdout + done.stderr
    report = report_of(out)
    assert report["passed"] and report["mode"] == mode
    for end in report["ends"].values():
        counters = end["counters"]
        drops = sum(end["drops"].values())
        more_in, more_out = (counters[f"keepalives_{way}"] + counters[f"handshakes_{way}"] for way in ("in", "out"))
        assert counters["untrusted_in"] == counters["delivered"] + more_in + drops
        assert counters["trusted_in"] == counters["sealed"] + sum(end["sender_drops"].values())
        assert counters["untrusted_out"] == counters["sealed"] + more_out
        assert all(end["drops"][cause] > 0 for cause in CAUSES if cause not in NEVER | {"peer", "stale"})
        assert not any(end["drops"][cause] for cause in NEVER)
    # Only a responder looks at ids when no handshake is under way, and at numbers of hellos.
    a, b = (report["ends"][end] for end in "ab")
    assert b["drops"]["peer"] > 0
    assert b["drops"]["stale"] >= 5 and a["drops"]["stale"] == 0
    assert b["counters"]["handshakes_in"] == 2, "of the hellos one is answered"
    assert report["goodput_kbit_s"][0] > 0 and report["round_trip_ms"]["median"] > 0
    wire = read_frames(out / "wire.pcap")
    assert len(wire) > 200 and not any(MARKER in frame for frame in wire)
    assert any(MARKER in frame for frame in read_frames(out / "trusted-a-in.pcap"))
    for word in ("goodput", "round-trip", "Drops by cause", "replay"):
        assert word in done.stdout
    if "cycles_per_block" in report:
        assert ET.parse(out / "packet-life.svg").getroot().tag.endswith("svg")
        assert "cycles per 64-byte block" in done.stdout and "packet-life.svg" in done.stdout
    return report


@pytest.mark.parametrize(
    ("suite", "cycles"),
    [("omd-blake2b", 13), ("omd-sha512", 81), ("otr-aes128-p", 40)],
)
def test_capture_job_passes(tmp_path, suite, cycles):
    before = traces()
    report = assert_good(run(tmp_path, "--mode", "capture", "--suite", suite), tmp_path, "capture")
    assert report["cycles_per_block"]["seal"] <= cycles
    assert report["cycles_per_block"]["open"] <= cycles
    assert traces() == before


def test_namespace_job_passes_and_leaves_nothing(tmp_path):
    before = traces()
    done = run(tmp_path, "--mode", "netns")
    namespaces_or_skip(done)
    assert_good(done, tmp_path, "netns")
    assert traces() == before


@pytest.mark.parametrize("words", [
    ("--suite", "otr-aes128-p"),
    pytest.param(("--suite", "otr-aes256-p"), marks=pytest.mark.exhaustive),
    pytest.param(("--board",), marks=pytest.mark.exhaustive),
], ids=" ".join)  # fmt: skip
def test_the_job_passes_with_the_software_gateway_as_one_end(tmp_path, words):
    before = traces()
    done = run(tmp_path, "--gateway", *words)
    namespaces_or_skip(done)
    report = assert_good(done, tmp_path, "netns")
    assert "cycles_per_block" not in report, "a gateway has no cycles"
    assert f"gateway B ({report['gateway']})" in done.stdout
    assert traces() == before


def test_a_gateway_that_counts_wrongly_is_noticed(tmp_path):
    done = run(tmp_path, "--gateway", words=spoilt("count"))
    namespaces_or_skip(done)
    assert done.returncode == 1
    failed = {each["name"] for each in report_of(tmp_path)["checks"] if not each["passed"]}
    assert failed == {"totals of end B balance", "end B drops exactly what it must, by cause"}


@pytest.mark.exhaustive
def test_a_board_may_boot_for_longer_than_a_gateway_remembers(tmp_path):
    done = run(tmp_path, "--board", "--gateway", words=spoilt("stall"))
    namespaces_or_skip(done)
    assert_good(done, tmp_path, "netns")


@pytest.mark.parametrize("command", ["/nonexistent", "/etc/passwd", "/bin"])
def test_a_gateway_that_cannot_be_run_is_named(tmp_path, monkeypatch, command):
    monkeypatch.setenv("SEALWIRE", command)
    done = run(tmp_path, "--gateway")
    assert done.returncode == 2 and done.stderr == f"sealwire-lab: SEALWIRE={command}: no command that can be run\n"


def test_a_gateway_that_does_not_start_is_said_so(tmp_path, monkeypatch):
    monkeypatch.setenv("SEALWIRE", "/bin/true")
    done = run(tmp_path, "--gateway")
    namespaces_or_skip(done)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "end B: the gateway does not start: " in done.stderr


def test_a_gateway_may_take_its_time_to_read_its_key(tmp_path, monkeypatch):
    slow, gateway = tmp_path / "slow", ROOT / "target/debug/sealwire"
    slow.write_text(f'#!/bin/sh\n[ "$2" = up ] && echo gateway starts >&2 && sleep 1\nexec "{gateway}" "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("SEALWIRE", str(slow))
    done = run(tmp_path / "out", "--gateway")
    namespaces_or_skip(done)
    assert_good(done, tmp_path / "out", "netns")


def test_a_gateway_carries_no_capture_file(tmp_path):
    done = run(tmp_path, "--gateway", "--mode", "capture")
    assert done.returncode == 2 and "leave --mode away" in done.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("mode", ["netns", "capture"])
def test_the_job_passes_with_whole_boards(tmp_path, mode):
    done = run(tmp_path, "--board", "--mode", mode)
    namespaces_or_skip(done)
    report = assert_good(done, tmp_path, mode)
    assert report["suite"] == "otr-aes128-p" and report["cycles_per_block"] == {"seal": 40, "open": 40}


def as_nobody(tmp_path: Path, shell: str = "") -> tuple[str, ...]:
    """Prefix of a command that then runs as a user without rights; `shell` runs before, in private mounts.

    The one right left is to pass through directories, because Python itself may lie in root's home.
    """
    if shutil.which("setpriv") is None or os.geteuid() != 0:
        pytest.skip("only root can become a user without rights, with setpriv")
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents:
        mode = parent.stat().st_mode
        if mode & 0o001:  # whoever may pass here may pass above
            break
        parent.chmod(mode | 0o001)
    rights = "-all,+dac_read_search"
    user = f"--reuid=65534 --regid=65534 --clear-groups --inh-caps={rights} --ambient-caps={rights}"
    drop = f'exec setpriv {user} "$@"'
    prefix = ("unshare", "--mount", "sh", "-ec", f"{shell}\n{drop}", "sh")
    done = subprocess.run([*prefix, *COMMAND, "--help"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"a user without rights cannot be played here: {done.stderr.strip()}")
    return prefix


@pytest.mark.parametrize("far", [(), ("--gateway",)], ids=["link", "gateway"])
def test_namespace_job_needs_no_root(tmp_path, far, monkeypatch):
    """User namespaces give what is needed, where /dev/net/tun is open to all, as it is on most systems."""
    # Behind root's home the gateway's command would be out of reach.
    monkeypatch.setenv("SEALWIRE", shutil.copy(ROOT / "target/debug/sealwire", tmp_path))
    tun = tmp_path / "tun"
    open_tun = f"[ -e {tun} ] || mknod -m 666 {tun} c 10 200\nmount --bind {tun} /dev/net/tun"
    done = run(tmp_path, "--mode", "netns", *far, prefix=as_nobody(tmp_path, open_tun))
    namespaces_or_skip(done)
    assert_good(done, tmp_path, "netns")


def test_says_in_one_line_that_it_falls_back_to_the_capture(tmp_path):
    no_tun = f"touch {tmp_path}/no-tun\nmount --bind {tmp_path}/no-tun /dev/net/tun"
    done = run(tmp_path, prefix=as_nobody(tmp_path, no_tun))
    assert_good(done, tmp_path, "capture")
    assert sum("no network namespaces here" in line for line in done.stdout.splitlines()) == 1


def test_same_seed_same_attacks(tmp_path):
    reports = []
    for name in ("one", "two"):
        done = run(tmp_path / name, "--mode", "capture", "--seed", "7")
        assert done.returncode == 0, done.stdout + done.stderr
        reports.append(report_of(tmp_path / name))
    first, second = ([end["attacks"]["forge"] for end in report["ends"].values()] for report in reports)
    assert first == second and reports[0]["seed"] == reports[1]["seed"] == 7


@pytest.mark.parametrize(
    ("sabotage", "check"),
    [
        ("leak", "no plaintext on the wire"),
        ("forge", "what leaves at B went in at A, each frame once"),
        ("count", "end B drops exactly what it must, by cause"),
        ("hash", "the file sent in peace arrives unchanged"),
        ("replay", "what leaves at B went in at A, each frame once"),
    ],
)
def test_surprises_are_noticed(tmp_path, sabotage, check):
    done = run(tmp_path, "--mode", "capture", words=spoilt(sabotage))
    assert done.returncode == 1
    failed = {each["name"] for each in report_of(tmp_path)["checks"] if not each["passed"]}
    assert check in failed
    assert "FAILED" in done.stdout


def start_and_await(out: Path, line: str, *options: str) -> tuple[subprocess.Popen, list[int]]:
    """A job that has come as far as `line`, and its child processes."""
    process = subprocess.Popen(
        [*COMMAND, "--out", str(out), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for text in process.stdout:
        if line in text:
            return process, children_of(process.pid)
    assert process.stderr is not None
    error = process.stderr.read()
    if "to play a capture file instead" in error:
        pytest.skip(error.strip())
    raise AssertionError(f"the job ended before {line!r}: {error}")


def assert_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 5
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in pids if alive(pid)]


@pytest.mark.parametrize("ends", [("--mode", "capture"), ("--mode", "netns"), ("--gateway",)], ids=" ".join)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_job_takes_everything_down(tmp_path, ends, number):
    before = traces()
    process, children = start_and_await(tmp_path, "a file of", *ends, "--suite", "omd-sha512")
    assert len(children) >= 2
    process.send_signal(number)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 130
    assert error.startswith("stopped: ") and len(error.splitlines()) == 1
    assert_gone(children)
    assert traces() == before
    assert list(tmp_path.iterdir()) == []


def test_even_a_killed_job_leaves_no_process_or_interface(tmp_path):
    process, children = start_and_await(tmp_path, "a file of", "--mode", "netns", "--suite", "omd-sha512")
    before = {each for each in traces() if each.startswith("interface")}
    process.kill()
    process.wait()
    assert_gone(children)
    assert {each for each in traces() if each.startswith("interface")} == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--mtu", "99"], "1500 to 9000"),
        (["--suite", "rot13"], "omd-blake2b"),
        (["--out", "/dev/null/x"], "/dev/null"),
    ],
)
def test_bad_options_are_explained(options, words):
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2
    assert words in done.stderr


def test_help_teaches_by_example():
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0
    assert "sealwire-lab run --mode capture" in done.stdout and "sabotage" not in done.stdout


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: b"\0" * 24, lambda data: b""])
def test_damaged_capture_is_an_error(tmp_path, damage):
    good = CAPTURE.read_bytes()
    (tmp_path / "bad.pcap").write_bytes(damage(good))
    with pytest.raises(LabError):
        read_frames(tmp_path / "bad.pcap")
