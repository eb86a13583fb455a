# SPDX-License-Identifier: Apache-2.0
# The first flip-flops of the chain: at most one period of the faster clock from the flip-flop in front, so that the bits of a
# gray code arrive in their order; the chain stays together.
# Vivado, scoped to the module: read_xdc -unmanaged -ref sync_bits sync_bits.tcl

set_property ASYNC_REG TRUE [get_cells {chain_reg[*][*]}]
set ends [get_cells {chain_reg[0][*]}]
set inputs [get_pins -of_objects $ends -filter {REF_PIN_NAME == D}]
set starts [all_fanin -quiet -flat -only_cells -startpoints_only $inputs]
set clocks [get_clocks -quiet -of_objects [concat $starts $ends]]
if {[llength $clocks] > 1} {
    set period [lindex [lsort -real [get_property PERIOD $clocks]] 0]
    set_max_delay -datapath_only -from $starts -to $ends $period
    set_bus_skew -from $starts -to $ends $period
}
