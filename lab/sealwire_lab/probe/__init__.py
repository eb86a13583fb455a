# SPDX-License-Identifier: Apache-2.0
"""An exact first-order probing check of masked modules, on RTL and on netlists."""
