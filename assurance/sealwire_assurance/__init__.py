# SPDX-License-Identifier: Apache-2.0
"""How far the tests and the masked cores can be trusted: commands of `sealwire-lab` that stand on the lab."""
