# SPDX-License-Identifier: Apache-2.0
"""The report: a static site made of the shipped results alone (`sealwire-lab report`)."""
