# SPDX-License-Identifier: Apache-2.0
"""The C port on every machine that the host has tools for: known answers, forgeries, running time without secrets."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator

import pytest
from measure import AVR_KEY_BYTES, instructions, sections
from port import BUILD, HERE, MACHINES, VECTORS, Machine, Record, RefusedError, Runner, check, flipped, records

pytestmark = pytest.mark.xdist_group("embedded")


@pytest.fixture(scope="module", params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return ready(request.param)


def ready(name: str) -> Machine:
    found = MACHINES[name]
    if lacking := found.missing():
        pytest.skip(lacking)
    found.build()
    return found


@pytest.fixture(scope="module")
def runner(machine: Machine) -> Iterator[Runner]:
    with machine.start() as process:
        yield process


def known(bits: int, form: str) -> list[Record]:
    found = list(records(VECTORS / f"aes{bits}otrpv3{form}.rsp"))
    assert len(found) == (6 if form else 275)
    return found


@pytest.mark.parametrize("bits", [128, 256])
def test_agrees_with_the_published_answers(machine: Machine, runner: Runner, bits: int) -> None:
    if bits // 8 not in machine.key_lengths:
        with pytest.raises(RefusedError, match="length"):
            runner.seal(bytes(bits // 8), bytes(12), b"", b"")
        return
    failures = [failure for record in known(bits, "") if (failure := check(runner, record))]
    assert failures == []


@pytest.mark.parametrize("bits", [128, 256])
def test_agrees_with_the_published_long_answers(machine: Machine, runner: Runner, bits: int) -> None:
    if bits // 8 not in machine.key_lengths:
        return
    too_large = []
    for record in known(bits, ".long"):
        try:
            assert check(runner, record) is None
        except RefusedError as why:
            assert str(why) == "larger than the memory"
            too_large.append(len(record.plaintext))
    # An AVR's data pointers have 16 bits: 65537 bytes are more than it can address.
    assert too_large == ([65537] if machine.name == "avr" else [])


def test_refuses_keys_of_other_lengths(runner: Runner) -> None:
    for length in (0, 1, 15, 17, 24, 31, 33):
        with pytest.raises(RefusedError, match="length"):
            runner.seal(bytes(length), bytes(12), b"", b"text")


def test_warns_of_results_that_are_ignored() -> None:
    ready("host-2")
    program = """#include "sealwire_otr.h"
    void ignore(sealwire_otr_key *key, uint8_t *b);
    void ignore(sealwire_otr_key *key, uint8_t *b) {
      sealwire_otr_set_key(key, b, 16);
      sealwire_otr_seal(key, b, b, 0, b, 0, b);
      sealwire_otr_open(key, b, b, 0, b, 0, b);
    }"""
    command = ["cc", "-S", "-o", "/dev/null", f"-I{HERE / 'include'}", "-x", "c", "-"]
    warned = subprocess.run(command, input=program, check=True, capture_output=True, text=True).stderr
    assert warned.count("warning: ignoring return value") == 3


@pytest.mark.parametrize("size", [1, 16, 33, 64])
def test_refuses_every_flipped_bit_of_the_tag(runner: Runner, size: int) -> None:
    key, nonce, text = bytes(range(16)), bytes(12), bytes(range(size))
    sealed = runner.seal(key, nonce, b"ad", text)
    assert runner.open(key, nonce, b"ad", sealed.text, sealed.tag).authentic
    for bit in range(128):
        forged = runner.open(key, nonce, b"ad", sealed.text, flipped(sealed.tag, bit))
        assert not forged.authentic and forged.text == bytes(size)


def test_the_checks_can_fail(runner: Runner) -> None:
    record = known(128, "")[-1]
    sealed = record.sealed or b""
    assert check(runner, record) is None
    wrong = Record(record.name, record.key, record.nonce, record.ad, record.plaintext, flipped(sealed, 0), None)
    assert "another ciphertext" in (check(runner, wrong) or "")


def test_cycles_on_avr_depend_on_lengths_alone() -> None:
    draw = random.Random(20)
    with ready("avr").start() as runner:
        for size, ad_size in ((0, 0), (5, 3), (16, 16), (31, 17), (96, 40)):
            spent = set()
            for _ in range(6):
                key, nonce, ad, text = (draw.randbytes(n) for n in (16, 12, ad_size, size))
                sealed = runner.seal(key, nonce, ad, text)
                opened = runner.open(key, nonce, ad, sealed.text, sealed.tag)
                spent.add((sealed.cycles, sealed.key_cycles, opened.cycles))
            assert len(spent) == 1, f"{size} bytes: {spent}"


@pytest.mark.parametrize("call", ["seal", "open", "key"])
@pytest.mark.parametrize("name", ["armv7", "armv7-neon"])
def test_instructions_on_arm_depend_on_lengths_alone(name: str, call: str) -> None:
    found = ready(name)
    draw = random.Random(21)
    sizes = ((0, 0, 16), (0, 0, 32)) if call == "key" else ((85, 37, 16),)
    for size, ad_size, key_size in sizes:
        seeds = [draw.randrange(1 << 20) for _ in range(4)]
        counts = {instructions(found, call, size, ad_size, key_size, seed) for seed in seeds}
        assert len(counts) == 1, f"{call} of {size} bytes, {ad_size} of associated data: {counts}"


@pytest.mark.parametrize(("name", "program"), [("host-2", "host-2"), ("host-8", "host-8"), ("armv7-neon", "arm-8")])
def test_leaves_no_key_material_on_the_stack(name: str, program: str) -> None:
    command = [*ready(name).command[:-1], str(BUILD / f"residue-{program}")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("processor", "refusal"),
    [
        ("atmega128", None),
        ("atmega328p", None),
        ("atmega1284p", None),
        ("atmega2560", "return addresses of two bytes"),
        ("attiny2313", "stack pointer of 16 bits"),
        ("atmega103", "with movw"),
    ],
)
def test_assembles_only_for_cores_that_it_was_written_for(processor: str, refusal: str | None) -> None:
    ready("avr")
    command = ["avr-gcc", f"-mmcu={processor}", "-c", str(HERE / "src" / "avr.S"), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == (refusal is None), done.stderr
    assert (refusal or "") in done.stderr


def test_stays_below_the_published_figures_on_avr() -> None:
    with ready("avr").start() as runner:
        sealed = runner.seal(bytes(16), bytes(12), b"", bytes(256))
        opened = runner.open(bytes(16), bytes(12), b"", sealed.text, sealed.tag)
    assert opened.authentic
    for call in (sealed, opened):
        assert (call.cycles + call.key_cycles) / 256 < 240
        assert AVR_KEY_BYTES + call.stack < 180
    assert sections("avr-size", "avr.o") < 2100


@pytest.mark.parametrize(
    ("options", "lanes"),
    [
        ([], 8),
        (["-D__clang__"], 2),
        (["-U__BYTE_ORDER__", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"], 2),
        (["-D__clang__", "-DOTR_LANES=8"], None),
        (["-U__BYTE_ORDER__", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__", "-DOTR_LANES=8"], None),
    ],
)
def test_takes_eight_lanes_only_where_they_are_right(options: list[str], lanes: int | None) -> None:
    ready("armv7-neon")
    program = f'#include "cipher.h"\n#if OTR_LANES != {lanes or 2}\n#error "another number"\n#endif\n'
    places = [f"-I{HERE / 'include'}", f"-I{HERE / 'src'}"]
    command = ["arm-linux-gnueabihf-gcc", "-march=armv7-a+simd", *options, *places, "-E", "-o", "/dev/null", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    assert (done.returncode == 0) == (lanes is not None), done.stderr
    assert lanes is not None or "eight lanes need GCC and a little-endian machine" in done.stderr


def test_objects_hold_no_writable_data_and_need_no_heap() -> None:
    ready("armv7")
    for lanes in "28":
        listing = subprocess.run(
            ["arm-linux-gnueabihf-nm", str(BUILD / f"otr-arm-{lanes}")], check=True, capture_output=True, text=True
        ).stdout
        kinds = {line.split()[-1]: line.split()[-2] for line in listing.splitlines()}
        assert not [name for name, kind in kinds.items() if kind in "bBdDC"]
        assert {name for name, kind in kinds.items() if kind == "U"} <= {"memcpy", "memset"}


def test_the_header_compiles_as_cpp() -> None:
    machine = ready("host-2")
    assert machine
    subprocess.run(
        ["c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", str(HERE / "include" / "sealwire_otr.h")],
        check=True,
    )
