# SPDX-License-Identifier: Apache-2.0
"""MAC cores: their simulation, known answers and cycles."""
