# SPDX-License-Identifier: Apache-2.0
"""RTL in the place of a gateway, a link or a board: the demonstration's host program with UDP or a card as its wire."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tty
from pathlib import Path
from typing import Any

from lab_net import KEY, Gateway, Net, binary, run, wait_for
from sealwire_demo.link_build import board_host, link_host

SUITE = "omd-blake2b"
UDP = {"a": ("10.77.1.1:4500", "10.77.1.2:4500"), "b": ("10.77.2.2:4500", "10.77.2.1:4501")}
_REKEY = "after-seconds = "
BOARD_SUITE = "otr-aes128-p"
#: Core cycles of a board in a millisecond, so few that the simulation keeps up with the clock on the wall.
BOARD_MS_CYCLES = 100


class RtlEnd(Gateway):
    """An RTL end that answers all that the tests ask of a gateway. Its timers follow the wall clock."""

    #: Seconds that it may take to take the key.
    patience = 20.0
    #: The pre-shared key.
    key = KEY

    def __init__(self, folder: Path, namespace: str, name: str) -> None:
        super().__init__(folder, namespace, name)
        #: That the program inherits.
        self.descriptors: tuple[int, ...] = ()
        self.program: subprocess.Popen[str] | None = None
        self.rekey_ms = 120_000
        self.is_ethernet = False

    def write(self, key: str = "link.key", rekey: str = "", untrusted: str | None = None, **_: Any) -> None:
        """Of the configuration only the time to the next keys and the kind of wire concern this end."""
        if rekey.startswith(_REKEY):
            self.rekey_ms = 1000 * int(rekey.removeprefix(_REKEY))
        self.is_ethernet = untrusted is not None

    def start(self) -> None:
        number, peer = (1, 2) if self.name == "a" else (2, 1)
        wire = (
            {"device": f"out{number}"}
            if self.is_ethernet
            else dict(zip(("listen", "peer"), UDP[self.name], strict=True))
        )
        options = {
            **wire, "id": f"{number:016x}", "peer-id": f"{peer:016x}",
            "mac": f"02005e10000{number}", "peer-mac": f"02005e10000{peer}", "rekey-ms": str(self.rekey_ms),
            "tap": "seal0", "tap-mac": f"02a11ce0000{number}", "address": self.inner, "mtu": "1410",
            "pcap-in": "/dev/null", "pcap-out": "/dev/null", **self.more_options(),
        }  # fmt: skip
        command = [str(self.host()), *(word for name, value in options.items() for word in (f"--{name}", value))]
        self.program = subprocess.Popen(
            ["ip", "netns", "exec", self.namespace, *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=self.descriptors,
        )  # fmt: skip
        assert "ready" in self.answer()
        assert "key" in self.ask(self.key)
        run("ip", "-n", self.namespace, "addr", "replace", f"{self.inner}/24", "dev", "seal0")

    def more_options(self) -> dict[str, str]:
        return {}

    def host(self) -> Path:
        """The program."""
        return link_host(SUITE)

    def ask(self, line: str) -> dict[str, Any]:
        assert self.program is not None and self.program.stdin is not None
        self.program.stdin.write(line + "\n")
        self.program.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """The next line; an assertion of the RTL would speak here too."""
        assert self.program is not None and self.program.stdout is not None
        assert select.select([self.program.stdout], [], [], self.patience)[0], f"RTL end {self.name} does not answer"
        answer: dict[str, Any] = json.loads(self.program.stdout.readline())
        assert "error" not in answer, answer
        return answer

    def is_alive(self) -> bool:
        return self.program is not None and self.program.poll() is None

    def is_up(self) -> bool:
        return bool(self.ask("stats")["session_up"])

    def said(self) -> str:
        return json.dumps(self.ask("stats")) if self.is_alive() else "gone"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.program is None:
            return 0
        if number == signal.SIGKILL:
            self.program.kill()
        assert self.program.stdin is not None and self.program.stdout is not None
        self.program.stdin.close()
        code = self.program.wait(timeout=10)
        self.program.stdout.close()
        self.program = None
        return code

    def counters(self) -> dict[str, Any]:
        """Under the gateway's names, in a moment without a packet in work."""
        stats: dict[str, Any] = {}

        def still() -> bool:
            stats.update(self.ask("stats"))
            return bool(stats["idle"])

        wait_for(still, 5, lambda: stats)
        c: dict[str, int] = stats["counters"]
        assert (stats["packets_in"], stats["packets_out"]) == (c["untrusted_in"], c["untrusted_out"])
        assert (stats["frames_in"], stats["frames_out"]) == (c["trusted_in"], c["delivered"])
        drops = {name.removeprefix("drop_"): count for name, count in c.items() if name.startswith("drop_")}
        return {
            **{name.replace("keepalives", "keep_alives"): count for name, count in c.items()},
            "trusted_drops": {name: count for name, count in drops.items() if name.startswith("trusted_")},
            "untrusted_drops": {name: count for name, count in drops.items() if not name.startswith("trusted_")},
        }


class BoardEnd(RtlEnd):
    """A board that boots its firmware from a flash, from pin to pin."""

    patience = 120.0
    ms_cycles = BOARD_MS_CYCLES

    def host(self) -> Path:
        return board_host(self.ms_cycles)


class ServedBoardEnd(BoardEnd):
    """A board without a pre-shared key, and `sealwire link board` at its console, which brings its sessions."""

    key = "00" * 64
    #: The firmware takes a session within 250,000 cycles, and whoever calls gives it up after 2 s.
    ms_cycles = 2 * BOARD_MS_CYCLES
    served: subprocess.Popen[bytes] | None = None

    def write(self, *words: Any, **options: Any) -> None:
        """The configuration is that of the host, as a gateway in the board's place would have it."""
        super().write(*words, **options)
        Gateway.write(self, *words, **options)

    def more_options(self) -> dict[str, str]:
        near, self.console = os.openpty()
        tty.setraw(self.console)
        os.set_blocking(near, False)
        self.descriptors = (near,)
        return {"console-fd": str(near)}

    def start(self) -> None:
        super().start()
        os.close(self.descriptors[0])
        command = [str(binary()), "link", "board", str(self.config), "--port", os.ttyname(self.console)]
        with self.log.open("ab") as log:
            self.served = subprocess.Popen(["ip", "netns", "exec", self.namespace, *command], stderr=log)

    def said(self) -> str:
        return super().said() + self.log.read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.served is not None:
            self.served.terminate()
            self.served.wait(timeout=10)
            self.served = None
            os.close(self.console)
        return super().stop(number)


class MixedNet(Net):
    """The gateways' net with RTL in the place of one gateway, or of both."""

    def __init__(self, folder: Path, rtl: str, kind: type[RtlEnd]) -> None:
        super().__init__(folder)
        self.rtl = rtl
        # The RTL takes 750 ms of silence for a lost peer.
        self.a.keep_alive = self.b.keep_alive = "prompt"
        for name in rtl:
            setattr(self, name, kind(folder, self.spaces[name], name))
