# SPDX-License-Identifier: Apache-2.0
# The asynchronous set of the first flip-flops is no path to time. They and the chain behind them stay together.
# Vivado, scoped to the module: read_xdc -unmanaged -ref reset_sync reset_sync.tcl

set held [get_cells {held_reg[*]}]
set_property ASYNC_REG TRUE $held
set_property ASYNC_REG TRUE [get_cells {chain_reg[*]}]
set_false_path -to [get_pins -of_objects $held -filter {REF_PIN_NAME == PRE}]
