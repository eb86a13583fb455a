# SPDX-License-Identifier: Apache-2.0
# Every path between two clocks, for tools that read SDC: at most one period of the faster clock, no hold check. No names of
# registers stand here, as tools name them differently: tests/lib/test_two_clock_paths.py of Sealwire shows that no other
# path goes from clock to clock. Before this file: create each clock, and name those that meet with their periods in ns:
#   set sealwire_clocks {trusted_clk 8.0 core_clk 5.0 untrusted_clk 8.0}

if {![info exists sealwire_clocks] || [llength $sealwire_clocks] % 2 != 0} {
    error "set sealwire_clocks to the names and periods of the clocks that meet: {trusted_clk 8.0 core_clk 5.0}"
}
foreach {start start_ns} $sealwire_clocks {
    foreach {end end_ns} $sealwire_clocks {
        if {$start ne $end} {
            set period [expr {$start_ns < $end_ns ? $start_ns : $end_ns}]
            set_max_delay $period -from [get_clocks $start] -to [get_clocks $end]
            set_false_path -hold -from [get_clocks $start] -to [get_clocks $end]
        }
    }
}
