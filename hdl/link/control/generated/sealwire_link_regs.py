# SPDX-License-Identifier: Apache-2.0
"""Registers of a Sealwire link. Generated from sealwire_link_regs.rdl by generate.py; do not edit."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Register:
    """One register or an array of equal ones: byte address of the first, bits, number, access (r, w, rw)."""

    address: int
    bits: int
    count: int
    access: str
    fields: dict[str, tuple[int, int]] = field(default_factory=dict)  # name: (lowest bit, bits)
    resets: dict[str, int] = field(default_factory=dict)  # of fields that have a value after reset


SIZE = 0x1000  # bytes of address space

REGISTERS = {
    "identity": Register(0x000, 32, 1, "r", {"value": (0, 32)}, {"value": 0x4b4c5753}),
    "version": Register(0x004, 32, 1, "r", {"minor": (0, 8), "major": (8, 8), "wire_format": (16, 8)}, {"minor": 0x1, "major": 0x3, "wire_format": 0x2}),
    "capabilities": Register(0x008, 32, 1, "r", {"suite": (0, 8), "kind": (8, 8), "contexts": (16, 5), "outer_ethernet": (24, 1), "drop_when_full": (25, 1), "lanes": (28, 3)}, {}),
    "sizes": Register(0x00c, 32, 1, "r", {"fifo_log2": (0, 8), "store_log2": (8, 8)}, {}),
    "suite_sizes": Register(0x010, 32, 1, "r", {"key": (0, 8), "salt": (8, 8), "tag": (16, 8), "psk": (24, 8)}, {}),
    "status": Register(0x020, 32, 1, "r", {"session_up": (0, 1), "busy": (1, 1), "resetting": (2, 1), "sealing": (3, 1), "opening": (4, 1), "psk_complete": (8, 1), "random_complete": (9, 1), "psk_pending": (12, 1), "random_pending": (13, 1), "random_wanted": (14, 1), "load_ready": (15, 1), "second_session": (16, 1), "initiator": (17, 1), "ids_bad": (18, 1), "psk_held": (19, 1), "handshake_state": (20, 2)}, {}),
    "events": Register(0x024, 32, 1, "rw", {"session_refused": (0, 1), "psk_incomplete": (1, 1), "random_incomplete": (2, 1), "was_reset": (3, 1), "session_loaded": (4, 1)}, {"session_refused": 0x0, "psk_incomplete": 0x0, "random_incomplete": 0x0, "was_reset": 0x0, "session_loaded": 0x0}),
    "command": Register(0x028, 32, 1, "w", {"commit_psk": (0, 1), "commit_session": (1, 1), "commit_random": (2, 1), "restart": (6, 1), "zeroise": (7, 1)}, {"commit_psk": 0x0, "commit_session": 0x0, "commit_random": 0x0, "restart": 0x0, "zeroise": 0x0}),
    "local_id": Register(0x040, 32, 2, "rw", {"bytes": (0, 32)}, {"bytes": 0x0}),
    "peer_id": Register(0x048, 32, 2, "rw", {"bytes": (0, 32)}, {"bytes": 0x0}),
    "local_mac.low": Register(0x050, 32, 1, "rw", {"bytes": (0, 32)}, {"bytes": 0x0}),
    "local_mac.high": Register(0x054, 32, 1, "rw", {"bytes": (0, 16)}, {"bytes": 0x0}),
    "peer_mac.low": Register(0x058, 32, 1, "rw", {"bytes": (0, 32)}, {"bytes": 0x0}),
    "peer_mac.high": Register(0x05c, 32, 1, "rw", {"bytes": (0, 16)}, {"bytes": 0x0}),
    "control": Register(0x060, 32, 1, "rw", {"handshake": (0, 1)}, {"handshake": 0x1}),
    "millisecond": Register(0x064, 32, 1, "rw", {"cycles": (0, 20)}, {"cycles": 0x186a0}),
    "t_rekey": Register(0x068, 32, 1, "rw", {"ms": (0, 32)}, {"ms": 0x1d4c0}),
    "t_max": Register(0x06c, 32, 1, "rw", {"ms": (0, 32)}, {"ms": 0x2bf20}),
    "hello_number": Register(0x070, 32, 2, "rw", {"value": (0, 32)}, {"value": 0x0}),
    "session_age": Register(0x080, 32, 1, "r", {"ms": (0, 32)}, {}),
    "own_sid": Register(0x084, 32, 1, "r", {"bytes": (0, 32)}, {}),
    "peer_sid": Register(0x088, 32, 1, "r", {"bytes": (0, 32)}, {}),
    "counters.trusted_in": Register(0x200, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.trusted_in_bytes": Register(0x208, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.sealed": Register(0x210, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.sealed_bytes": Register(0x218, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_trusted_overload": Register(0x220, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_trusted_size": Register(0x228, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_trusted_session": Register(0x230, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.untrusted_out": Register(0x238, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.untrusted_in": Register(0x240, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.untrusted_in_bytes": Register(0x248, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.delivered": Register(0x250, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.delivered_bytes": Register(0x258, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.keepalives_in": Register(0x260, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.keepalives_out": Register(0x268, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_overload": Register(0x270, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_short": Register(0x278, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_version": Register(0x280, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_type": Register(0x288, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_suite": Register(0x290, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_length": Register(0x298, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_session": Register(0x2a0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_number": Register(0x2a8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_replay": Register(0x2b0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_auth": Register(0x2b8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_foreign": Register(0x2c0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.handshakes_in": Register(0x2c8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.handshakes_out": Register(0x2d0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_peer": Register(0x2d8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.sessions_installed": Register(0x2e0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.sessions_taken": Register(0x2e8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_stale": Register(0x2f0, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_surplus": Register(0x2f8, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_trusted_bad": Register(0x300, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_trusted_control": Register(0x308, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.drop_bad": Register(0x310, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.session_sent": Register(0x318, 64, 1, "r", {"value": (0, 64)}, {}),
    "counters.session_received": Register(0x320, 64, 1, "r", {"value": (0, 64)}, {}),
    "psk.word": Register(0x400, 32, 16, "w", {"bytes": (0, 32)}, {}),
    "session.word": Register(0x500, 32, 46, "w", {"bytes": (0, 32)}, {}),
    "random.word": Register(0x600, 32, 8, "w", {"bytes": (0, 32)}, {}),
}
