# SPDX-License-Identifier: Apache-2.0
"""What the lab has of coverage: simulators that count, and the figures that ship."""
