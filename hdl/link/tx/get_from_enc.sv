// SPDX-License-Identifier: Apache-2.0
//
// Builds link packets behind the sealing core: header (2 beats), ciphertext, and the tag put right behind its last byte,
// whole into fifo_enc. Specification: docs/wire-format.md, message "data" and "keep-alive".
// Cycles: 2 before the ciphertext, 4 to 5 after the result; the core is free again with the first of them.
// A packet is committed with its last beat, and only then counted as sealed.

module get_from_enc
  import link_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                wipe,             // level: drop what is in work
    input  logic [        31:0] peer_sid,
    input  logic                info_valid,       // packets in work, in order
    output logic                info_ready,
    input  logic                info_frame,
    input  logic [LEN_BITS-1:0] info_len,
    input  logic [        63:0] info_pn,
    input  logic                out_valid,        // the core
    output logic                out_ready,
    input  logic [        63:0] out_data,
    input  logic [         3:0] out_bytes,
    input  logic                out_last,
    input  logic                result_valid,
    output logic                result_ready,
    input  logic [       255:0] result_tag,
    output logic                fifo_valid,       // fifo_enc
    input  logic                fifo_ready,
    output logic [        63:0] fifo_data,
    output logic [         3:0] fifo_bytes,
    output logic                fifo_last,
    output logic                fifo_commit,
    output logic                fifo_discard,
    output logic                ev_sealed,        // pulses
    output logic [LEN_BITS-1:0] ev_sealed_bytes,
    output logic                ev_keepalive,
    output logic                ev_drop_session   // a frame in work was wiped
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned TAG_BEATS = INFO.tag_bytes / 8;
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;

  typedef enum logic [2:0] {
    S_HEADER,  // first beat
    S_NUMBER,  // second beat: packet number
    S_TEXT,
    S_RESULT,
    S_TAG
  } state_e;

  state_e state_q;
  logic [TAG_BITS-1:0] tag_q;
  logic [63:0] rest_q;  // bytes not yet written, in front of the next
  logic [2:0] rest_bytes_q;
  logic [$clog2(TAG_BEATS + 1)-1:0] left_q;  // tag words not yet joined
  logic wrote;

  header_t header;
  assign header = '{
          version: WIRE_VERSION,
          kind: TYPE_DATA,
          suite: SUITE,
          length: 16'(info_len) + 16'(INFO.tag_bytes),
          sid: peer_sid
      };

  logic [127:0] joined;  // rest and the next tag word behind it
  assign joined = {64'd0, rest_q} | (128'(tag_q[63:0]) << {rest_bytes_q, 3'd0});

  always_comb begin
    fifo_valid = 1'b0;
    fifo_data  = out_data;
    fifo_bytes = 4'd8;
    fifo_last  = 1'b0;
    unique case (state_q)
      S_HEADER: begin
        fifo_valid = info_valid;
        fifo_data  = beat_of(header);
      end
      S_NUMBER: begin
        fifo_valid = 1'b1;
        fifo_data  = swap64(info_pn);
      end
      S_TEXT:  fifo_valid = out_valid && out_bytes[3];
      S_TAG: begin
        fifo_valid = 1'b1;
        fifo_data  = joined[63:0];
        fifo_last  = (left_q == '0) || (left_q == 1 && rest_bytes_q == 3'd0);
        fifo_bytes = (left_q == '0) ? {1'b0, rest_bytes_q} : 4'd8;
      end
      default: ;
    endcase
    if (wipe) fifo_valid = 1'b0;
  end

  assign wrote = fifo_valid && fifo_ready;
  assign out_ready = state_q == S_TEXT && (fifo_ready || (out_last && !out_bytes[3]));
  assign result_ready = state_q == S_RESULT;
  assign fifo_commit = wrote && fifo_last;
  assign fifo_discard = wipe;
  assign info_ready = fifo_commit || wipe;

  assign ev_sealed = fifo_commit && info_frame;
  assign ev_sealed_bytes = ev_sealed ? info_len : '0;
  assign ev_keepalive = fifo_commit && !info_frame;
  assign ev_drop_session = wipe && info_valid && info_frame;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_HEADER: if (wrote) state_q <= S_NUMBER;
      S_NUMBER: if (wrote) state_q <= S_TEXT;
      S_TEXT: begin
        if (out_valid && out_ready && out_last) begin
          state_q      <= S_RESULT;
          rest_q       <= out_bytes[3] ? '0 : out_data;
          rest_bytes_q <= out_bytes[2:0];
        end
      end
      S_RESULT: begin
        tag_q  <= result_tag[TAG_BITS-1:0];
        left_q <= ($bits(left_q))'(TAG_BEATS);
        if (result_valid) state_q <= S_TAG;
      end
      S_TAG: begin
        if (wrote) begin
          rest_q <= joined[127:64];
          tag_q  <= tag_q >> 64;
          left_q <= left_q - 1'b1;
          if (fifo_last) state_q <= S_HEADER;
        end
      end
      default:  state_q <= S_HEADER;
    endcase
    if (rst || wipe) state_q <= S_HEADER;
  end
endmodule
