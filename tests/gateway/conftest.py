# SPDX-License-Identifier: Apache-2.0
"""Two gateways and a man in the middle for every test; without the right to make them, one clear line and no test."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lab_net import Net, run, why_not


@pytest.fixture(scope="session")
def namespaces() -> None:
    if reason := why_not():
        pytest.skip(f"gateway tests are skipped: {reason}")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that a gateway without root can still look into."""
    with TemporaryDirectory(prefix="sealwire-") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


@pytest.fixture
def net(namespaces: None, folder: Path) -> Iterator[Net]:
    made = Net(folder)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def routed(net: Net) -> Net:
    """The two ends reach each other without the relay, by way of the middle."""
    for place, via in (("a", "10.77.1.2"), ("b", "10.77.2.1")):
        run("ip", "-n", net.spaces[place], "route", "add", "default", "via", via)
    run("ip", "netns", "exec", net.spaces["m"], "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
    return net


@pytest.fixture(params=["pre-shared key", "key pairs"])
def linked(routed: Net, request: pytest.FixtureRequest) -> Net:
    """Two ends that reach each other without the relay, in both modes: a pre-shared key, and key pairs."""
    for gateway in (routed.a, routed.b):
        gateway.is_direct = True
    if request.param == "key pairs":
        routed.use_key_pairs()
    return routed
