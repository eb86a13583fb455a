// SPDX-License-Identifier: Apache-2.0
//
// The session that is about to be installed: written by the key schedule, output by output, or by software, word by word.
// Word order of a load: session_t in link_pkg. Specification: docs/wire-format.md, "loaded sessions".
// Security: zeroised with every `clear`; `complete` says that every word was written since.

module next_session
  import link_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    input  logic             clear,           // level or pulse
    input  logic             schedule,        // pulse: an output of the key schedule
    input  logic     [  7:0] schedule_c,      // CTX_I_TO_R, CTX_R_TO_I or CTX_SALTS, which brings the ids with it
    input  logic     [511:0] schedule_data,
    input  logic     [ 31:0] schedule_sid_i,
    input  logic     [ 31:0] schedule_sid_r,
    input  logic             load,            // pulse: a word from software
    input  logic     [  5:0] load_index,
    input  logic     [ 31:0] load_data,
    output logic             complete,        // by software
    output session_t         session
);
  logic [SESSION_WORDS-1:0][31:0] words_q, loaded;
  logic [SESSION_WORDS-1:0] written_q, writes;
  session_t derived;

  assign session  = session_t'(words_q);
  assign complete = &written_q;

  always_comb begin
    loaded = words_q;
    writes = '0;
    for (int unsigned i = 0; i < SESSION_WORDS; i++) begin
      if (load_index == 6'(i)) begin
        loaded[i] = load_data;
        writes[i] = 1'b1;
      end
    end
    derived = session;
    unique case (schedule_c)
      CTX_I_TO_R: derived.key_ir = schedule_data;
      CTX_R_TO_I: derived.key_ri = schedule_data;
      default: begin
        derived.salt_ir = schedule_data[191:0];
        derived.salt_ri = schedule_data[447:256];
        derived.sid_i   = schedule_sid_i;
        derived.sid_r   = schedule_sid_r;
      end
    endcase
  end

  always_ff @(posedge clk) begin
    if (schedule) words_q <= derived;
    else if (load) words_q <= loaded;
    if (load) written_q <= written_q | writes;
    if (rst || clear) begin
      words_q   <= '0;
      written_q <= '0;
    end
  end
endmodule
