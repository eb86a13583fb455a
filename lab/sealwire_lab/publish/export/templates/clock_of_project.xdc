# SPDX-License-Identifier: Apache-2.0
create_clock -name clk -period @{"%g" % p.period_ns}@ [get_ports clk]
