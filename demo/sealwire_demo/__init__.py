# SPDX-License-Identifier: Apache-2.0
"""The main job: real traffic through two Verilated link ends, over a wire under attack (`make run`)."""
