# SPDX-License-Identifier: Apache-2.0
"""Two ends that share a key: single messages, a batch of packets, and what is refused. Run: python messages.py"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from sealwire import InvalidTag, OMDBLAKE2b, SessionAD


@dataclass
class Sender:
    """Seals numbered packets. The number is the nonce, so that none is used twice."""

    aead: OMDBLAKE2b
    context: SessionAD
    sent: int = field(default=0)

    def seal(self, packets: list[bytes]) -> list[tuple[bytes, bytes]]:
        """Nonce and sealed packet of each."""
        nonces = [
            number.to_bytes(self.aead.nonce_length, "big") for number in range(self.sent, self.sent + len(packets))
        ]
        self.sent += len(packets)
        jobs = [(nonce, packet, self.context) for nonce, packet in zip(nonces, packets, strict=True)]
        return list(zip(nonces, self.aead.encrypt_batch(jobs), strict=True))


def main() -> None:
    key = OMDBLAKE2b.generate_key()
    aead = OMDBLAKE2b(key)
    context = aead.with_session_ad(b"gateway 1 to gateway 2")

    sealed = Sender(aead, context).seal([os.urandom(1500) for _ in range(16)])
    nonce, last = sealed[-1]
    sealed[-1] = (nonce, last[:-1] + bytes([last[-1] ^ 1]))
    opened = aead.decrypt_batch([(nonce, packet, context) for nonce, packet in sealed])
    print(f"{sum(packet is not None for packet in opened)} of {len(opened)} packets are authentic")

    nonce = (1 << 200).to_bytes(32, "big")
    note = aead.encrypt(nonce, b"meet me at noon", b"to: alice")
    try:
        aead.decrypt(nonce, note, b"to: bob")
    except InvalidTag:
        print("the note is not for bob")
    print(aead.decrypt(nonce, note, b"to: alice").decode())


if __name__ == "__main__":
    main()
