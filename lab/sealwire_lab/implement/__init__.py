# SPDX-License-Identifier: Apache-2.0
"""Area and clock of a core by open tools: synthesis (Yosys with slang), then place and route (nextpnr) where possible.

`targets` says what a target is and how its cells are counted, `stages` runs one tool in a child process and keeps what
came out, `flow` makes a record of it all, `command` is the subcommand of `sealwire-lab`.
"""
