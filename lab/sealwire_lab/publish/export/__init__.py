# SPDX-License-Identifier: Apache-2.0
"""A core behind a bus as a folder of its own, for people who have nothing of this repository.

`package` gathers what goes in, `verilog` makes plain Verilog, `bench` writes the bench, `folder` the datasheet and
all the rest, `project` is a folder for a vendor's tool, `simulate` runs the bench, `command` is the subcommand.
"""
