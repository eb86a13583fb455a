# SPDX-License-Identifier: Apache-2.0
"""What the modes are made of: compression functions, a block cipher, a permutation."""

from collections.abc import Callable

#: F' of a mode: a chaining value of n bytes and a block of 2n bytes give n bytes.
Compress = Callable[[bytes, bytes], bytes]
