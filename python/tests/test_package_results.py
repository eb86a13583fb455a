# SPDX-License-Identifier: Apache-2.0
"""When messages are read, where results are put, and what stays locked meanwhile."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sealwire
from sealwire import AESOTRP, OMDSHA512, InvalidTag

NONCE = bytes(12)
LARGE = 5 << 20


@pytest.fixture
def aead() -> AESOTRP:
    return AESOTRP(bytes(16))


def large(count: int) -> list[bytes]:
    return [bytes([1 + i]) * (LARGE + i) for i in range(count)]


def test_a_batch_of_large_messages_is_its_messages_one_by_one(aead: AESOTRP) -> None:
    messages = large(3)
    sealed = aead.encrypt_batch([(NONCE, message, b"ad") for message in messages])
    assert sealed == [aead.encrypt(NONCE, message, b"ad") for message in messages]
    assert messages == large(3)
    forged = bytearray(sealed[1])
    forged[-1] ^= 1
    packets = [(NONCE, data, b"ad") for data in (sealed[0], forged, sealed[2])]
    assert aead.decrypt_batch(packets) == [messages[0], None, messages[2]]


def test_a_batch_holds_messages_that_nobody_else_does(aead: AESOTRP) -> None:
    """Each message is gone, but for the batch, when the next one is made in its place."""
    sealed = aead.encrypt_batch((NONCE, bytes([i]) * 5000, None) for i in range(20))
    assert sealed == [aead.encrypt(NONCE, bytes([i]) * 5000) for i in range(20)]
    assert aead.decrypt_batch((NONCE, aead.encrypt(NONCE, bytes([i]) * 5000), None) for i in range(20)) == [
        bytes([i]) * 5000 for i in range(20)
    ]


@pytest.mark.parametrize("opening", [False, True])
def test_a_batch_takes_a_message_as_it_is_when_it_is_given(aead: AESOTRP, opening: bool) -> None:
    """A buffer may be filled anew for every message."""
    texts = [bytes([1 + i]) * 3000 for i in range(4)]
    sealed = [aead.encrypt(NONCE, text) for text in texts]
    given, wanted = (sealed, texts) if opening else (texts, sealed)
    memory = bytearray(len(given[0]))

    def packets() -> Iterator[tuple[bytes, bytearray, None]]:
        for message in given:
            memory[:] = message
            yield NONCE, memory, None

    assert (aead.decrypt_batch if opening else aead.encrypt_batch)(packets()) == wanted


@pytest.mark.skipif(
    not Path("/sys/kernel/mm/transparent_hugepage/enabled").is_file(), reason="the kernel knows no large pages"
)
def test_the_kernel_is_asked_for_large_pages_for_large_results(aead: AESOTRP) -> None:
    def advised(result: bytes) -> bool:
        """Whether the kernel's list of memory has the advice for the middle of an object."""
        place, inside = id(result) + len(result) // 2, False
        for line in Path("/proc/self/smaps").read_text(encoding="ascii").splitlines():
            name, _, rest = line.partition(" ")
            if "-" in name:
                begin, end = (int(edge, 16) for edge in name.split("-"))
                inside = begin <= place < end
            elif inside and name == "VmFlags:":
                return "hg" in rest.split()
        raise AssertionError("memory that is not in the list")

    text = bytes(40 << 20)
    assert not advised(text)
    sealed = aead.encrypt(NONCE, text)
    assert advised(sealed)
    assert advised(aead.decrypt(NONCE, sealed))
    assert all(map(advised, aead.encrypt_batch([(NONCE, text, None)])))


class Array(bytearray):
    """Not exactly a bytearray."""


@pytest.mark.parametrize("kind", [bytearray, Array])
@pytest.mark.parametrize("fails", [False, True])
def test_a_buffer_is_free_again_after_the_call(aead: AESOTRP, kind: type[bytearray], fails: bool) -> None:
    """An exported bytearray cannot grow."""
    sealed = bytearray(aead.encrypt(NONCE, b"message"))
    sealed[0] ^= fails
    buf = kind(7)
    try:
        aead.decrypt_into(NONCE, sealed, None, buf)
        assert buf == b"message"
    except InvalidTag:
        assert fails
        assert buf == bytes(7)
    buf.append(1)
    with pytest.raises(ValueError, match="wrong buf length: given 8 bytes, allowed 7 bytes"):
        aead.decrypt_into(NONCE, sealed, None, buf)
    buf.append(2)


def let_others_run(call: Callable[[], object], calls: int) -> bool:
    """Whether a thread that waits for the interpreter lock gets it from one of the calls. Nothing else passes it on."""
    seen: list[bool] = [False]
    begun: list[bool] = []

    def wait() -> None:
        while not begun:
            time.sleep(0.001)
        seen[0] = True

    waiting = threading.Thread(target=wait)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        waiting.start()
        begun.append(True)
        end = time.perf_counter() + 0.1
        while time.perf_counter() < end:
            for _ in range(calls):
                call()
        return seen[0]
    finally:
        sys.setswitchinterval(interval)
        waiting.join()


def test_work_that_takes_long_leaves_the_interpreter_free(aead: AESOTRP) -> None:
    omd, text = OMDSHA512(bytes(64)), bytes(64 << 10)
    assert let_others_run(lambda: omd.encrypt(bytes(32), text), 1)
    assert let_others_run(lambda: aead.encrypt(NONCE, text), 1)


def test_brief_work_keeps_the_lock(aead: AESOTRP) -> None:
    """8192 bytes: AES-OTR takes less than a microsecond for them where the processor has AES."""
    text = bytes(8192)
    sealed = aead.encrypt(NONCE, text)
    assert not let_others_run(lambda: aead.encrypt(NONCE, bytes(100)), 100)
    # A first call is timed; a slow one may be the machine's fault.
    times = []
    for _ in range(1000):
        begin = time.perf_counter()
        aead.encrypt(NONCE, text)
        times.append(time.perf_counter() - begin)
    if min(times) > 3e-6:
        pytest.skip(f"8192 bytes take {1e6 * min(times):.1f} microseconds")
    assert not let_others_run(lambda: aead.encrypt(NONCE, text), 10)
    assert not let_others_run(lambda: aead.decrypt(NONCE, sealed), 10)
    other = sealwire.AESOTRP(bytes(16))
    assert other.decrypt(NONCE, sealed) == text
