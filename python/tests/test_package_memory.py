# SPDX-License-Identifier: Apache-2.0
"""What calls that fail leave in memory, and what they keep other threads from."""

import array
import ctypes
import threading
from collections.abc import Callable

import pytest
import sealwire
from sealwire import OMDSHA512

NONCE = bytes(32)
MARK = b"a secret that nobody may find again"
#: Small enough for the interpreter's own allocator, which gives the block that was freed last to the next who asks.
MESSAGE = (MARK * 9)[:300]


@pytest.fixture
def aead() -> OMDSHA512:
    return OMDSHA512(bytes(64))


@pytest.fixture
def foreign() -> sealwire.SessionAD:
    """A session of another key, which is found out when all room has been made."""
    return OMDSHA512(b"\x01" * 64).with_session_ad(b"context")


def left_over(length: int) -> list[bytes]:
    """What stands in blocks of this size that are free."""
    make = ctypes.pythonapi.PyBytes_FromStringAndSize
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_char_p, ctypes.c_ssize_t]
    return [make(None, length) for _ in range(200)]


def test_free_memory_can_be_looked_at() -> None:
    left_over(len(MESSAGE))
    kept = bytes(bytearray(MESSAGE))
    assert kept == MESSAGE
    del kept
    assert any(MARK in block for block in left_over(len(MESSAGE)))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda aead, foreign: aead.encrypt(NONCE, MESSAGE, foreign), id="one message"),
        pytest.param(lambda aead, foreign: aead.encrypt_batch([(NONCE, MESSAGE, foreign)]), id="batch, at its end"),
        pytest.param(
            lambda aead, foreign: aead.encrypt_batch([(NONCE, MESSAGE, None), (bytes(31), b"", None)]),
            id="batch, while it is put together",
        ),
        pytest.param(
            lambda aead, foreign: aead.decrypt_batch(
                [(NONCE, aead.encrypt(NONCE, MESSAGE), None), (NONCE, bytes(40), foreign)]
            ),
            id="batch of openings",
        ),
    ],
)
def test_a_failed_call_frees_no_plaintext(
    aead: OMDSHA512, foreign: sealwire.SessionAD, call: Callable[[OMDSHA512, sealwire.SessionAD], object]
) -> None:
    free = left_over(len(MESSAGE)) + left_over(len(MESSAGE) + aead.tag_length)
    for block in free:
        ctypes.memset(id(block) + bytes.__basicsize__ - 1, 0, len(block))
    del block, free
    with pytest.raises(ValueError, match=r"another key|wrong nonce length"):
        call(aead, foreign)
    for length in (len(MESSAGE), len(MESSAGE) + aead.tag_length):
        assert not any(MARK in block for block in left_over(length))


@pytest.mark.parametrize("length", [0, 1, 100])
@pytest.mark.parametrize("shift", [None, 0, 1, 40, -1, -40])
def test_a_failed_sealing_into_a_buffer_leaves_the_message_only_where_it_was(
    aead: OMDSHA512, foreign: sealwire.SessionAD, length: int, shift: int | None
) -> None:
    """`shift` is where the buffer begins, counted from the message; None: in other memory."""
    message = bytes(range(1, 1 + length))
    if shift is None:
        buf = bytearray(length + 32)
        with pytest.raises(ValueError, match="another key"):
            aead.encrypt_into(NONCE, message, foreign, buf)
        assert buf == bytes(length + 32)
        return
    memory = bytearray(40) + message + bytes(80)
    view = memoryview(memory)
    with pytest.raises(ValueError, match="another key"):
        aead.encrypt_into(NONCE, view[40 : 40 + length], foreign, view[40 + shift : 72 + shift + length])
    outside = memory[:40] + memory[40 + length :]
    assert outside == bytes(len(outside))
    if shift == 0:
        assert memory[40 : 40 + length] == message


def test_a_failed_sealing_of_scattered_bytes_leaves_nothing_of_them(
    aead: OMDSHA512, foreign: sealwire.SessionAD
) -> None:
    buf = bytearray(36)
    with pytest.raises(ValueError, match="another key"):
        aead.encrypt_into(NONCE, memoryview(b"a.b.c.d.")[::2], foreign, buf)
    assert buf == bytes(36)


def test_an_error_of_the_buffer_itself_is_told(aead: OMDSHA512) -> None:
    view = memoryview(b"message")
    view.release()
    with pytest.raises(ValueError, match="released"):
        aead.encrypt(NONCE, view)
    with pytest.raises(TypeError, match="data must be bytes-like, not array"):
        aead.encrypt(NONCE, array.array("I", [1]))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda aead, ad: aead.encrypt(NONCE, b"", ad), id="encrypt"),
        pytest.param(lambda aead, ad: aead.encrypt_batch([(NONCE, b"", ad)]), id="encrypt_batch"),
        pytest.param(lambda aead, ad: aead.decrypt_batch([(NONCE, bytes(32), ad)]), id="decrypt_batch"),
        pytest.param(lambda aead, ad: aead.with_session_ad(ad), id="with_session_ad"),
    ],
)
def test_long_associated_data_leave_the_interpreter_free(
    aead: OMDSHA512, call: Callable[[OMDSHA512, bytes], object]
) -> None:
    """While one thread takes in 32 MiB in a single call, this one goes on running."""
    ad = bytes(32 << 20)
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        call(aead, ad)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    turns = 0
    while not done.wait(0.002):
        turns += 1
    thread.join()
    assert turns >= 5
