# SPDX-License-Identifier: Apache-2.0
"""A core behind a bus as a folder of its own, for people who have nothing of this repository.

`package` gathers what goes in, `verilog` makes plain Verilog, `bench` writes the bench and runs it, `folder` the
datasheet and all the rest, `project` is a folder for a vendor's tool, `command` is the subcommand.
"""
