# SPDX-License-Identifier: Apache-2.0
"""The executable specification of Sealwire in plain Python: primitives, every mode, the wire format, a whole end.

Slow, and nothing here is constant time: it is for checking, never for secrets.
"""
