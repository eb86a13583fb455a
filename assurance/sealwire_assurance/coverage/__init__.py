# SPDX-License-Identifier: Apache-2.0
"""Coverage of the RTL, lines and toggles: which points count, the tests that are counted, and what these leave out."""
