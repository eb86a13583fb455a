# SPDX-License-Identifier: Apache-2.0
# @{p.top}@ (core @{p.core.name}@ of Sealwire) through Vivado, out of context: vivado -mode batch -source run.tcl
# Another device or clock: run.tcl -tclargs PART PERIOD_NS. Reports go to reports/, the figures to figures.json.

set part @{p.part}@
set period @{"%g" % p.period_ns}@
if {[llength $argv] > 0} {set part [lindex $argv 0]}
if {[llength $argv] > 1} {set period [lindex $argv 1]}
if {![string is double -strict $period] || $period <= 0} {error "the period must be nanoseconds, not '$period'"}

cd [file dirname [file normalize [info script]]]
file mkdir reports

# The first number in the row of a utilisation report whose name begins so; families name their rows differently.
proc used {report names} {
    foreach name $names {
        if {[regexp "\\|\\s*$name\[^|\]*\\|\\s*(\[0-9.\]+)" $report -> number]} {return $number}
    }
    return null
}

read_verilog -sv {
@% for name in sources %@
    @{name}@
@% endfor %@
}
set constraints [open clock.xdc w]
puts $constraints "# SPDX-License-Identifier: Apache-2.0"
puts $constraints "create_clock -name clk -period $period \[get_ports clk\]"
close $constraints
read_xdc -mode out_of_context clock.xdc

synth_design -top @{p.top}@ -part $part -mode out_of_context -generic {@% for name, value in p.parameters.items() %@@{name}@=@{value}@@{" " if not loop.last}@@% endfor %@}
report_utilization -file reports/synthesis_utilization.rpt
opt_design
place_design
phys_opt_design
route_design
report_utilization -file reports/utilization.rpt
report_timing_summary -file reports/timing.rpt

set slack [get_property SLACK [get_timing_paths -setup -max_paths 1 -nworst 1]]
set mhz [expr {1000.0 / ($period - $slack)}]
set report [report_utilization -return_string]

set figures [open figures.json w]
puts $figures "{"
puts $figures "  \"core\": \"@{p.core.name}@\", \"top\": \"@{p.top}@\", \"part\": \"$part\", \"tool\": \"[version -short]\","
puts $figures "  \"period_ns\": $period, \"slack_ns\": $slack, \"fmax_mhz\": [format %.2f $mhz],"
puts $figures "  \"lut\": [used $report {{CLB LUTs} {Slice LUTs}}],"
puts $figures "  \"lut_memory\": [used $report {{LUT as Memory}}],"
puts $figures "  \"ff\": [used $report {{CLB Registers} {Slice Registers}}],"
puts $figures "  \"bram\": [used $report {{Block RAM Tile}}]"
puts $figures "}"
close $figures
puts "@{p.top}@ on $part: [format %.1f $mhz] MHz; figures.json, reports/"
