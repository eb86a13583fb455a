# SPDX-License-Identifier: Apache-2.0
create_clock -period 5.000 -name clk [get_ports clk]
