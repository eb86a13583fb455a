// SPDX-License-Identifier: Apache-2.0
//
// Brings a core under a session: key first, then its constant associated data into the core's AD cache; after that packet
// commands pass. A core without that cache gets the key alone. Specification: docs/core-ports.md rules 7 and 11, docs/wire-format.md "AD".
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: key and AD are held by ks_gen while they load and copied nowhere here.

module session_load #(
    parameter bit AD_CACHE = 1'b1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear,
    input  logic         load,          // level: key and ad stand; rises with no packet in work, falls after `loaded`
    input  logic [255:0] ad,
    output logic         loaded,        // level, while `load` is high
    output logic         key_valid,     // to the core
    input  logic         key_ready,
    output logic         cmd_valid,     // load AD
    input  logic         cmd_ready,
    output logic         ad_valid,
    input  logic         ad_ready,
    output logic [ 63:0] ad_data,
    output logic [  3:0] ad_bytes,
    output logic         ad_last,
    input  logic         result_valid,
    output logic         result_ready,
    output logic         owns           // the command and result channels are the loader's
);
  typedef enum logic [2:0] {
    S_PASS,
    S_KEY,
    S_COMMAND,
    S_AD,
    S_RESULT,
    S_LOADED
  } state_e;

  state_e state_q;
  logic [1:0] beat_q;

  assign key_valid = state_q == S_KEY;
  assign cmd_valid = state_q == S_COMMAND;
  assign ad_valid = state_q == S_AD;
  assign ad_data = ad[64*beat_q+:64];
  assign ad_bytes = 4'd8;
  assign ad_last = beat_q == 2'd3;
  assign result_ready = state_q == S_RESULT;
  assign loaded = state_q == S_LOADED;
  assign owns = state_q != S_PASS;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_PASS: if (load) state_q <= S_KEY;
      S_KEY: if (key_ready) state_q <= AD_CACHE ? S_COMMAND : S_LOADED;
      S_COMMAND: if (cmd_ready) state_q <= S_AD;
      S_AD: begin
        if (ad_ready) begin
          beat_q <= beat_q + 2'd1;
          if (ad_last) state_q <= S_RESULT;
        end
      end
      S_RESULT: if (result_valid) state_q <= S_LOADED;
      S_LOADED: if (!load) state_q <= S_PASS;
      default: state_q <= S_PASS;
    endcase
    if (rst || clear) begin
      state_q <= S_PASS;
      beat_q  <= 2'd0;
    end
  end
endmodule
