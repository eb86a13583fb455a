# SPDX-License-Identifier: Apache-2.0
# The word stands still when it is copied: at most one period of the faster clock.
# Vivado, scoped to the module: read_xdc -unmanaged -ref cdc_word cdc_word.tcl

set starts [get_cells -quiet -hierarchical -filter {NAME =~ *word_reg*}]
set ends [get_cells -quiet -hierarchical -filter {NAME =~ *m_data_reg*}]
set clocks [get_clocks -quiet -of_objects [concat $starts $ends]]
if {[llength $clocks] > 1} {
    set period [lindex [lsort -real [get_property PERIOD $clocks]] 0]
    set_max_delay -quiet -datapath_only -from $starts -to $ends $period
}
