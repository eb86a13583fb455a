# SPDX-License-Identifier: Apache-2.0
"""What an operator relies on from day to day: restarts, messages, addresses, idle lines."""

import json
import signal

import pytest
from lab_net import Gateway, Net, run


def device(gateway: Gateway) -> dict[str, object]:
    """The trusted device, as `ip` shows it."""
    shown: list[dict[str, object]] = json.loads(run("ip", "-n", gateway.namespace, "-j", "link", "show", "seal0"))
    return shown[0]


@pytest.mark.parametrize("killed", ["a", "b"])
def test_ping_answers_within_two_seconds_of_a_restart(net: Net, killed: str) -> None:
    net.start()
    gateway: Gateway = getattr(net, killed)
    other = net.b if killed == "a" else net.a
    # Both neighbour tables know the other side now, and keep what they know.
    for at in (gateway, other):
        assert net.ping(at) is not None
    address = device(gateway)["address"]
    assert address != device(other)["address"]
    gateway.stop(signal.SIGKILL)
    gateway.start()
    answered = net.ping(other)
    assert answered is not None and answered < 2
    assert device(gateway)["address"] == address
    assert net.ping(gateway) is not None


def test_a_device_takes_the_address_of_its_configuration(net: Net) -> None:
    net.a.write(trusted='mac = "02:00:5e:10:00:07"')
    net.a.start()
    assert device(net.a)["address"] == "02:00:5e:10:00:07"
