# SPDX-License-Identifier: Apache-2.0
"""What this job knows of its links: the suites that it runs, and what becomes of a packet at a receiving end.

The expected verdict on every packet is that of the executable specification's onlooker; the RTL's counters must agree.
"""

from sealwire_model import suites

R_BYTES = 32  # of the suites that this job runs

#: Suites whose links this job runs, by name.
SUITES = {name: suites.BY_NAME[name] for name in ("omd-sha512", "omd-blake2b", "otr-aes128-p", "otr-aes256-p")}

#: Causes of a drop in the order of the rules.
CAUSES = (
    "overload", "short", "version", "type", "suite", "length", "session", "peer", "number", "replay", "auth",
    "stale", "surplus", "foreign", "bad",
)  # fmt: skip
#: Causes that the job never brings about, such as those that depend on timing: their counters stay 0.
NEVER = frozenset({"overload", "surplus", "bad"})
DELIVERED = "delivered"
KEEPALIVE = "keepalives_in"
HANDSHAKE = "handshakes_in"
