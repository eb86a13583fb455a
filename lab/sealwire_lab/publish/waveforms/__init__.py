# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a short message: recorded in simulation (`sealwire-lab waveforms`), kept as text, drawn as SVG."""
