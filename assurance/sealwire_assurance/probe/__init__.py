# SPDX-License-Identifier: Apache-2.0
"""An exact probing check of masked modules, of first and second order, on RTL and on netlists."""
