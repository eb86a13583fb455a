# SPDX-License-Identifier: Apache-2.0
"""Bitstreams of the boards in boards/."""
