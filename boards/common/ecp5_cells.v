// SPDX-License-Identifier: Apache-2.0
//
// Ports and parameters of the ECP5's cells that the boards name, for synthesis: what a cell does, the tools know.
// Simulations take models in place of this file.

(* blackbox *)
module DELAYG #(parameter DEL_MODE = "USER_DEFINED", parameter DEL_VALUE = 0) (input A, output Z);
endmodule

(* blackbox *)
module ODDRX1F (input SCLK, input RST, input D0, input D1, output Q);
endmodule

(* blackbox *)
module IDDRX1F (input D, input SCLK, input RST, output Q0, output Q1);
endmodule

(* blackbox *)
module FD1S3BX (input CK, input D, input PD, output Q);
endmodule

(* blackbox *)
module LUT4 #(parameter INIT = 16'h0) (input A, input B, input C, input D, output Z);
endmodule

(* blackbox *)
module TRELLIS_IO #(parameter DIR = "INPUT") (inout B, input I, input T, output O);
endmodule

// The flash's clock pin, which is the configuration's.
(* blackbox *)
module USRMCLK (input USRMCLKI, input USRMCLKTS);
endmodule

(* blackbox *)
module EHXPLLL #(
    parameter CLKI_DIV = 1, parameter CLKFB_DIV = 1, parameter CLKOP_DIV = 8, parameter CLKOS_DIV = 8,
    parameter CLKOS2_DIV = 8, parameter CLKOS3_DIV = 8, parameter CLKOP_ENABLE = "ENABLED",
    parameter CLKOS_ENABLE = "DISABLED", parameter CLKOS2_ENABLE = "DISABLED", parameter CLKOS3_ENABLE = "DISABLED",
    parameter CLKOP_CPHASE = 0, parameter CLKOS_CPHASE = 0, parameter CLKOS2_CPHASE = 0, parameter CLKOS3_CPHASE = 0,
    parameter CLKOP_FPHASE = 0, parameter CLKOS_FPHASE = 0, parameter CLKOS2_FPHASE = 0, parameter CLKOS3_FPHASE = 0,
    parameter FEEDBK_PATH = "CLKOP", parameter CLKOP_TRIM_POL = "RISING", parameter CLKOP_TRIM_DELAY = 0,
    parameter CLKOS_TRIM_POL = "RISING", parameter CLKOS_TRIM_DELAY = 0, parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB", parameter OUTDIVIDER_MUXC = "DIVC", parameter OUTDIVIDER_MUXD = "DIVD",
    parameter PLL_LOCK_MODE = 0, parameter PLL_LOCK_DELAY = 200, parameter STDBY_ENABLE = "DISABLED",
    parameter REFIN_RESET = "DISABLED", parameter SYNC_ENABLE = "DISABLED", parameter INT_LOCK_STICKY = "ENABLED",
    parameter DPHASE_SOURCE = "DISABLED", parameter PLLRST_ENA = "DISABLED", parameter INTFB_WAKE = "DISABLED"
) (
    input CLKI, input CLKFB, input PHASESEL1, input PHASESEL0, input PHASEDIR, input PHASESTEP, input PHASELOADREG,
    input STDBY, input PLLWAKESYNC, input RST, input ENCLKOP, input ENCLKOS, input ENCLKOS2, input ENCLKOS3,
    output CLKOP, output CLKOS, output CLKOS2, output CLKOS3, output LOCK, output INTLOCK, output REFCLK,
    output CLKINTFB
);
endmodule
