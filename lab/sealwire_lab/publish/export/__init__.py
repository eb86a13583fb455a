# SPDX-License-Identifier: Apache-2.0
"""A core behind a bus as a folder of its own, for people who have nothing of this repository.

`package` gathers what goes in, `verilog` makes plain Verilog, `bench` and `datasheet` write one part each, `folder`
joins them, `project` is a folder for a vendor's tool, `simulate` runs the bench, `command` is the subcommand.
"""
