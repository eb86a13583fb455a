# SPDX-License-Identifier: Apache-2.0
"""A core behind a bus as a folder of its own, for people who have nothing of this repository.

`package` gathers what goes in, `verilog` makes plain Verilog, `vhdl`, `fusesoc`, `bench` and `datasheet` write one part
each, `area` measures, `command` is the subcommand of `sealwire-lab`.
"""
