# SPDX-License-Identifier: Apache-2.0
# The processor begins here, at address 0, after every reset. All memory but the code becomes zero, so a reset finds no secret and
# the variables as C wants them.

    .section .start, "ax"
    .globl _start
_start:
    la sp, stack_top
    la a0, wiped_start
    la a1, stack_top
1:  sw zero, 0(a0)
    addi a0, a0, 4
    blt a0, a1, 1b
    call main
2:  j 2b
