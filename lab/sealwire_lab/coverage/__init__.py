# SPDX-License-Identifier: Apache-2.0
"""Coverage of the RTL, lines and toggles: simulators that count, their counts summed, and what they leave out."""
