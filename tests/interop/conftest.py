# SPDX-License-Identifier: Apache-2.0
"""The gateways' namespaces, with RTL at one end or both; without the right to make them, one clear line and no test."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lab_net import why_not
from rtl_end import BOARD_SUITE, SUITE, BoardEnd, MixedNet, RtlEnd, ServedBoardEnd
from sealwire_demo.link_build import link_host


@pytest.fixture(scope="session")
def namespaces() -> None:
    if reason := why_not():
        pytest.skip(f"tests of RTL beside the gateway are skipped: {reason}")
    link_host(SUITE)


def _nets(rtl: str, kind: type[RtlEnd], suite: str) -> Iterator[MixedNet]:
    with TemporaryDirectory(prefix="sealwire-") as folder:
        made = MixedNet(Path(folder), rtl, kind)
        made.a.suite = made.b.suite = suite
        try:
            yield made
        finally:
            made.close()


@pytest.fixture
def net(namespaces: None, request: pytest.FixtureRequest) -> Iterator[MixedNet]:
    """`request.param` names the ends in RTL: "a" calls, "b" answers."""
    yield from _nets(request.param, RtlEnd, SUITE)


@pytest.fixture
def board_net(namespaces: None, request: pytest.FixtureRequest) -> Iterator[MixedNet]:
    """As `net`, with boards."""
    yield from _nets(request.param, BoardEnd, BOARD_SUITE)


@pytest.fixture
def served_net(namespaces: None, request: pytest.FixtureRequest) -> Iterator[MixedNet]:
    """As `board_net`, with a host that brings the board its sessions."""
    yield from _nets(request.param, ServedBoardEnd, BOARD_SUITE)
