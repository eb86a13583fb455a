# SPDX-License-Identifier: Apache-2.0
# Reads the constraints of every crossing, each scoped to its module. Before synthesis: source vivado.tcl

set folder [file dirname [file normalize [info script]]]
foreach module {sync_bits reset_sync cdc_word stream_fifo_async wiped_ram} {
    read_xdc -unmanaged -ref $module [file join $folder $module.tcl]
}
