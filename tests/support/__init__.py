# SPDX-License-Identifier: Apache-2.0
"""What the benches of several folders share: the runner of cocotb benches, ports, streams, published messages.

pytest makes it importable, for itself and for the simulations that it starts (`pythonpath` in pyproject.toml).
"""
