# SPDX-License-Identifier: Apache-2.0
"""OCB of the executable specification against the sample results of RFC 7253, appendix A."""

import pytest
from sealwire_model.ocb import Ocb
from sealwire_model.schemes import Name

KEY, TEXT = bytes(range(16)), bytes(range(40))
#: By the last byte of the nonce: bytes of associated data and of plaintext, both 00 01 02 ..., and ciphertext || tag
SAMPLES = [
    (0, 0, "785407BFFFC8AD9EDCC5520AC9111EE6"),
    (8, 8, "6820B3657B6F615A5725BDA0D3B4EB3A257C9AF1F8F03009"),
    (8, 0, "81017F8203F081277152FADE694A0A00"),
    (0, 8, "45DD69F8F5AAE72414054CD1F35D82760B2CD00D2F99BFA9"),
    (16, 16, "571D535B60B277188BE5147170A9A22C3AD7A4FF3835B8C5701C1CCEC8FC3358"),
    (16, 0, "8CF761B6902EF764462AD86498CA6B97"),
    (0, 16, "5CE88EC2E0692706A915C00AEB8B2396F40E1C743F52436BDF06D8FA1ECA343D"),
    (24, 24, "1CA2207308C87C010756104D8840CE1952F09673A448A122C92C62241051F57356D7F3C90BB0E07F"),
    (24, 0, "6DC225A071FC1B9F7C69F93B0F1E10DE"),
    (0, 24, "221BD0DE7FA6FE993ECCD769460A0AF2D6CDED0C395B1C3CE725F32494B9F914D85C0B1EB38357FF"),
    (32, 32, "BD6F6C496201C69296C11EFD138A467ABD3C707924B964DEAFFC40319AF5A48540FBBA186C5553C68AD9F592A79A4240"),
    (32, 0, "FE80690BEE8A485D11F32965BC9D2A32"),
    (0, 32, "2942BFC773BDA23CABC6ACFD9BFD5835BD300F0973792EF46040C53F1432BCDFB5E1DDE3BC18A5F840B52E653444D5DF"),
    (
        40,
        40,
        "D5CA91748410C1751FF8A2F618255B68A0A12E093FF454606E59F9C1D0DDC54B65E8628E568BAD7AED07BA06A4A69483A7035490C5769E60",
    ),
    (40, 0, "C5CD9D1850C141E358649994EE701B68"),
    (
        0,
        40,
        "4412923493C57D5DE0D700F753CCE0D1D2D95060122E9F15A5DDBFC5787E50B5CC55EE507BCB084E479AD363AC366B95A98CA5F3000B1479",
    ),
]


@pytest.mark.parametrize("index", range(len(SAMPLES)))
def test_samples_of_the_standard(index: int) -> None:
    ad_len, text_len, answer = SAMPLES[index]
    nonce = bytes.fromhex("BBAA998877665544332211") + bytes([index])
    mode, ad, text = Ocb(KEY), TEXT[:ad_len], TEXT[:text_len]
    ciphertext, tag = mode.seal(nonce, ad, text)
    assert (ciphertext + tag).hex().upper() == answer
    assert mode.open(nonce, ad, ciphertext) == (text, tag)


def test_the_sample_with_a_tag_of_96_bits() -> None:
    nonce = bytes.fromhex("BBAA9988776655443322110D")
    mode = Ocb(bytes(range(15, -1, -1)), 12)
    ciphertext, tag = mode.seal(nonce, TEXT, TEXT)
    assert (ciphertext + tag).hex().upper() == (
        "1792A4E31E0755FB03E31B22116E6C2DDF9EFD6E33D536F1A0124B0A55BAE884ED93481529C76B6AD0C515F4D1CDD4FDAC4F02AA"
    )
    assert mode.open(nonce, TEXT, ciphertext) == (TEXT, tag)


@pytest.mark.parametrize(
    ("key_bits", "tag_bits", "answer"),
    [
        (128, 128, "67E944D23256C5E0B6C61FA22FDF1EA2"),
        (192, 128, "F673F2C3E7174AAE7BAE986CA9F29E17"),
        (256, 128, "D90EB8E9C977C88B79DD793D7FFA161C"),
        (128, 96, "77A3D8E73589158D25D01209"),
        (192, 96, "05D56EAD2752C86BE6932C5E"),
        (256, 96, "5458359AC23B0CBA9E6330DD"),
        (128, 64, "192C9B7BD90BA06A"),
        (192, 64, "0066BC6E0EF34E24"),
        (256, 64, "7D4EA5D445501CBE"),
    ],
)
def test_iterated_answers_of_the_standard(key_bits: int, tag_bits: int, answer: str) -> None:
    scheme = Name.parse(f"aeadaes{key_bits}ocbtaglen{tag_bits}v1")
    assert (scheme.key_bits, scheme.nonce_bits, scheme.tag_bits) == (key_bits, 96, tag_bits)
    mode = scheme.under(bytes(key_bits // 8 - 1) + bytes([tag_bits]))
    sealed = b""

    def seal(number: int, ad: bytes, text: bytes) -> bytes:
        return b"".join(mode.seal(number.to_bytes(12, "big"), ad, text))

    for i in range(128):
        string = bytes(i)
        sealed += seal(3 * i + 1, string, string) + seal(3 * i + 2, b"", string) + seal(3 * i + 3, string, b"")
    assert seal(385, sealed, b"").hex().upper() == answer
