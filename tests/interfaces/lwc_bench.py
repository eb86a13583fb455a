# SPDX-License-Identifier: Apache-2.0
"""An AEAD core behind the LWC hardware API, in cocotb: words in, words out, random stalls, the model of the core."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cocotb
from axis_bench import PACES, RESET_CYCLES
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from sealwire_model import lwc
from sealwire_model.lwc import Case
from sealwire_model.schemes import model
from support import shares
from support.streams import Sink, Source, rate

PATIENCE = 40000
Words = list[tuple[int, bool]]


def words(lines: Iterable[str], width: int) -> Words:
    """Words of the lines of a vector file, and whether each is a status."""
    digits, lines = width // 4, list(lines)
    assert not any((len(line) - 6) % digits for line in lines), f"not whole words of {width} bits"
    return [
        (int(text[at : at + digits], 16), line.startswith("STT"))
        for line in lines
        for text in [line[6:]]
        for at in range(0, len(text), digits)
    ]


class Bench(shares.BehindAdapter):
    """Make it with `await Bench.start(dut)`."""

    def __init__(self, dut: Any, pace: str) -> None:
        self.dut, self.width, self.key_width = dut, len(dut.pdi_data), len(dut.sdi_data)
        names = ("KEY_BITS", "NONCE_BITS", "TAG_BITS")
        self.key_len, self.nonce_len, self.tag_len = (int(os.environ[name]) // 8 for name in names)
        self.scheme, self.version = os.environ["SCHEME"], int(os.environ["VERSION"])
        self.packet = int(os.environ["PACKET_BYTES"])
        offer, accept = PACES[pace]
        self.pdi = Source(dut, "pdi", dut.clk, ("data",), rate(offer))
        self.sdi = Source(dut, "sdi", dut.clk, ("data",), rate(offer))
        self.willing, yes = True, rate(accept)
        self.do = Sink(dut, "do", dut.clk, ("data", "last"), lambda: self.willing and yes())
        self.begin_seeds()

    @classmethod
    async def start(cls, dut: Any, pace: str = "none", key: bool = True) -> Bench:
        dut.rst.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut, pace)
        bench.do.in_reset = True
        await bench.cycle(RESET_CYCLES)
        dut.rst.value = 0
        await bench.cycle()
        bench.do.in_reset = False
        if key:
            bench.new_key()
        return bench

    async def reset(self) -> None:
        self.do.in_reset = True
        self.dut.rst.value = 1
        self.pdi.reset()
        self.sdi.reset()
        await self.cycle(RESET_CYCLES)
        self.dut.rst.value = 0
        await self.cycle()
        self.do.beats.clear()
        self.do.in_reset = False

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    def send(self, lines: Any) -> None:
        """Lines of pdi.txt."""
        self.pdi.send((word,) for word, _ in words(lines, self.width))

    def send_key(self, lines: Any) -> None:
        """Lines of sdi.txt."""
        self.sdi.send((word,) for word, _ in words(lines, self.key_width))

    def instruct(self, code: int) -> None:
        self.send([f"INS = {lwc.instruction(code, self.width)}"])

    def use_key(self, key: bytes) -> None:
        """The model's key, without a word."""
        self.key, self.model = key, model(self.scheme, key, self.tag_len, self.version)

    def new_key(self, key: bytes | None = None) -> None:
        self.use_key(key or random.randbytes(self.key_len))
        self.instruct(lwc.ACTKEY)
        self.send_key(lwc.key_lines(self.key_string(self.key), self.key_width))

    def case(self, ad: bytes, msg: bytes, kind: str = "seal") -> Case:
        """A message to seal, open, or one with a flipped bit to open."""
        nonce = random.randbytes(self.nonce_len)
        text, tag = self.model.seal(nonce, ad, msg)
        if kind == "seal":
            return Case(self.key, nonce, ad, msg, None, text, tag)
        if kind == "forged":
            return Case(self.key, nonce, ad, text, bytes([tag[0] ^ 1]) + tag[1:], None)
        return Case(self.key, nonce, ad, text, tag, msg)

    def submit(self, case: Case, longest: int = lwc.SEGMENT) -> Words:
        """Send a message; the words that must come."""
        self.send(lwc.input_lines(case, self.width, longest))
        return self.answer(case)

    def answer(self, case: Case) -> Words:
        return words(lwc.output_lines(case, self.width), self.width)

    def failure(self) -> Words:
        return [(int(lwc.instruction(lwc.FAILURE, self.width), 16), True)]

    async def expect(self, wanted: Words) -> None:
        """Exactly these words come, and then none."""
        for _ in range(PATIENCE + 150 * len(wanted)):
            if len(self.do.beats) >= len(wanted):
                break
            await RisingEdge(self.dut.clk)
        await self.cycle(30)
        found = [(beat[0], bool(beat[1])) for beat in self.do.beats]
        self.do.beats.clear()
        for place, (here, there) in enumerate(zip(found, wanted, strict=False)):
            digits = self.width // 4
            assert here == there, f"word {place}: {here[0]:0{digits}x} {here[1]}, not {there[0]:0{digits}x} {there[1]}"
        assert len(found) == len(wanted), f"{len(found)} words, not {len(wanted)}"

    async def refused(self) -> None:
        await self.expect(self.failure())

    async def still_works(self) -> None:
        """Ordinary messages go well, whatever came before."""
        wanted: Words = []
        for kind in ("seal", "open"):
            wanted += self.submit(self.case(random.randbytes(20), random.randbytes(90), kind))
        await self.expect(wanted)


def vector_files(width: int) -> dict[str, Words]:
    """The words of the vector files of the API, by name."""
    folder = Path(os.environ["FILES"])
    texts = {name: (folder / f"{name}.txt").read_text(encoding="ascii") for name in ("pdi", "sdi", "do")}
    return {
        name: words([line for line in text.splitlines() if line[3:6] == " = "], width) for name, text in texts.items()
    }
