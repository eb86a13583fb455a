# SPDX-License-Identifier: Apache-2.0
"""What `kat` decides before any core is built."""

from pathlib import Path

import pytest
from sealwire_lab import kat
from sealwire_lab.cores import Core, find
from sealwire_lab.errors import LabError
from sealwire_model.answers import parse

VECTORS = Path(__file__).parents[2] / "vectors"
CORE = Core("omd-sha512-r1", "aead", "t", "omdsha512", ())


def test_parameters_come_from_the_file() -> None:
    parameters = kat.parameters_for(CORE, parse(VECTORS / "omdsha512k128n128tau128v1.long.rsp"))
    expected = {"KEY_BITS": 128, "NONCE_BITS": 128, "TAG_BITS": 128, "VERSION": 1, "DATA_BITS": 64, "CONTEXTS": 1}
    assert parameters == expected


def test_a_file_of_another_scheme_is_refused() -> None:
    with pytest.raises(LabError, match="is for omdblake2bk256n128tau128v2, but omd-sha512-r1 implements omdsha512"):
        kat.parameters_for(CORE, parse(VECTORS / "omdblake2bk256n128tau128v2.rsp"))


def test_header_and_name_must_agree(tmp_path: Path) -> None:
    text = (VECTORS / "omdsha512k128n128tau128v1.rsp").read_text().replace("# TagBytes = 16", "# TagBytes = 8")
    path = tmp_path / "x.rsp"
    path.write_text(text)
    with pytest.raises(LabError, match="TagBytes = 8"):
        kat.parameters_for(CORE, parse(path))


def test_a_tag_that_zeros_fill_up_has_the_size_of_the_core() -> None:
    """The header of such a file states a part of the tag alone."""
    vectors = parse(VECTORS / "aescopav2.rsp")
    assert vectors.header_bits("TagBytes") == 128
    for path in (vectors, parse(VECTORS / "aescopav2.long.rsp")):
        assert kat.parameters_for(find("copa-aes128-r1"), path)["TAG_BITS"] == 264


def test_limit_spreads_over_the_file() -> None:
    vectors = parse(VECTORS / "omdsha512k128n128tau128v1.rsp")
    chosen = [record.count for record in kat.spread(vectors.aead, 4)]
    assert chosen[0] == 1 and len(chosen) == 4 and chosen[-1] > 400
    assert len(kat.spread(vectors.aead, 10000)) == len(vectors.aead)


@pytest.mark.parametrize("bit", [0, 7, 8, 1000003])
def test_a_flip_changes_exactly_one_bit(bit: int) -> None:
    string = bytes(range(40))
    changed = kat.flipped(string, bit)
    assert sum((a ^ b).bit_count() for a, b in zip(string, changed, strict=True)) == 1
    assert kat.flipped(b"", bit) == b"\0"
