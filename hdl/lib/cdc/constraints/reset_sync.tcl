# SPDX-License-Identifier: Apache-2.0
# The asynchronous set of the chain is no path to time; the chain itself is, and stays together.
# Vivado, scoped to the module: read_xdc -unmanaged -ref reset_sync reset_sync.tcl

set chain [get_cells {chain_reg[*]}]
set_property ASYNC_REG TRUE $chain
set_false_path -to [get_pins -of_objects $chain -filter {REF_PIN_NAME == PRE}]
