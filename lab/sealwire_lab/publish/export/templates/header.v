// SPDX-License-Identifier: Apache-2.0
// @{p.name}@ in plain Verilog (IEEE 1364-2005), made from the SystemVerilog in sv/ by Yosys.
// Parameters, built in:@% for name, value in p.values.items() %@ @{name}@=@{value}@@% endfor %@.
// Core @{p.core.name}@; ports and framing: datasheet.md, docs/interfaces.md.

