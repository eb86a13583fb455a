# SPDX-License-Identifier: Apache-2.0
create_clock -name clk -period @PERIOD@ [get_ports clk]
