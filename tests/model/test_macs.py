# SPDX-License-Identifier: Apache-2.0
"""Every MAC of the executable specification against all known-answer files of its name."""

from pathlib import Path

import pytest
from sealwire_model import macs
from sealwire_model.answers import parse
from sealwire_model.schemes import ASCON

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = sorted(
    path.name
    for path in VECTORS.glob("*.rsp")
    if path.name.startswith(("ascon", "fsks")) and not path.name.startswith(tuple(ASCON))
)


@pytest.mark.parametrize("name", FILES)
def test_model_agrees_with_the_vectors(name: str) -> None:
    vectors = parse(VECTORS / name)
    for record in vectors.mac[:: max(1, len(vectors.mac) // 25)]:
        assert macs.tag(vectors.scheme, record.key, record.message, size=len(record.tag)) == record.tag, record.count


def test_every_mac_has_known_answers() -> None:
    tried = {parse(VECTORS / name).scheme.removesuffix("v12").removesuffix("v13") for name in FILES}
    assert tried == {*macs.SPONGES, "asconfarfalle", "asconprfs"}


def test_no_two_sponges_share_an_iv() -> None:
    for little in (True, False):
        ivs = [kind.iv(little) for kind in macs.SPONGES.values()]
        assert len(set(ivs)) == len(ivs)


def test_a_longer_output_begins_with_the_shorter_one() -> None:
    for kind in macs.SPONGES.values():
        long = macs.sponge(kind, bytes(16), b"text", size=40)
        assert len(long) == 40 and long[:16] == macs.sponge(kind, bytes(16), b"text")
