# SPDX-License-Identifier: Apache-2.0
"""What a hub costs while its peers say nothing: resident memory and processor time. All peers have sessions.

As root: `python tests/gateway/idle_hub.py --peers 1000 --seconds 60`, with `--key-pairs` for sessions through a Noise
channel in place of handshakes under pre-shared keys. It takes the command of $SEALWIRE, or the newest
build, and builds the peers (example `spokes` of the crate `sealwire-link`). Both run in a namespace of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import tempfile
import time
from pathlib import Path

from lab_net import ROOT, binary, noise_keys, run, wait_for


def processor_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int, name: str) -> float:
    """A line of /proc/PID/status in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1]) * 1024 / 1e6


def configuration(folder: Path, peers: int, public: dict[str, str]) -> Path:
    """A hub and a key for each peer, or its public key if there are any."""
    parts = [
        '[link]\nid = "ff0000"\nsuite = "omd-blake2b"\n[trusted]\ndevice = "seal0"\ncarries = "ip"\n'
        'addresses = ["10.0.0.1/8"]\n[untrusted]\nlisten = "127.0.0.1:4500"\n'
        f'[run]\nuser = "root"\nstatus-socket = "{folder}/hub.sock"\n'
    ]
    if public:
        parts.append('[noise]\nkey-file = "hub.noise-key"\n')
    for number in range(1, peers + 1):
        key = folder / f"{number}.key"
        if public:
            # The last line is the private key.
            private = (folder / f"{number}.noise-key").read_text().split()[-1]
            secret, said = private, f'peer-key = "{public[str(number)]}"'
        else:
            secret, said = secrets.token_hex(64), f'key-file = "{number}.key"'
        key.write_text(secret)
        key.chmod(0o600)
        network = f"10.9.{number >> 8}.{number & 255}/32"
        parts.append(f'[[peer]]\nid = "{number:x}"\n{said}\nallowed-ips = ["{network}"]\n')
    path = folder / "hub.toml"
    path.write_text("".join(parts))
    return path


def build_spokes() -> Path:
    """The many peers in one process, in release."""
    manifest = str(ROOT / "Cargo.toml")
    what = ["-p", "sealwire-link", "--features", "noise", "--example", "spokes"]
    run("cargo", "build", "--quiet", "--release", "--locked", *what, "--manifest-path", manifest)
    return ROOT / "target/release/examples/spokes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--key-pairs", action="store_true", help="a key pair for each end, in place of shared keys")
    parser.add_argument("--spokes", type=Path, help="the built example, in place of a release build")
    options = parser.parse_args()
    spokes = options.spokes or build_spokes()
    space = f"swi{os.getpid()}"
    run("ip", "netns", "add", space)
    inside = ["ip", "netns", "exec", space]
    with tempfile.TemporaryDirectory(prefix="sealwire-") as name:
        folder = Path(name)
        names = ["hub", *map(str, range(1, options.peers + 1))] if options.key_pairs else []
        public = noise_keys(folder, *names)
        config = configuration(folder, options.peers, public)
        run("ip", "-n", space, "link", "set", "lo", "up")
        hub = subprocess.Popen([*inside, str(binary()), "link", "up", str(config)], stderr=subprocess.DEVNULL)
        try:
            wait_for((folder / "hub.sock").exists, 20)
            time.sleep(1)
            alone = memory(hub.pid, "VmRSS")
            words = ["127.0.0.1:4500", "ff0000", str(options.peers), str(folder), str(options.seconds + 30)]
            words += [public["hub"]] if public else []
            calling = subprocess.Popen([*inside, str(spokes), *words], stdout=subprocess.PIPE, text=True)
            assert calling.stdout is not None
            try:
                print("peers:", calling.stdout.readline().strip())
                # The random values of handshakes are erased after 10 s.
                time.sleep(12)
                before = processor_seconds(hub.pid)
                time.sleep(options.seconds)
                used = processor_seconds(hub.pid) - before
                resident = memory(hub.pid, "VmRSS")
                status = json.loads(run(str(binary()), "link", "status", "--json", str(config)))
                up = sum(peer["current_session"] is not None for peer in status["peers"])
                assert status["balances"] and up == options.peers, up
                print(f"hub: {resident:.1f} MB resident ({alone:.1f} before the sessions, "
                      f"{memory(hub.pid, 'VmRSS'):.1f} after a status of all), "
                      f"{100 * used / options.seconds:.2f} % of a core in {options.seconds} s")  # fmt: skip
            finally:
                calling.kill()
                calling.wait()
        finally:
            hub.kill()
            hub.wait()
            subprocess.run(["ip", "netns", "del", space], check=False)


if __name__ == "__main__":
    main()
