// SPDX-License-Identifier: Apache-2.0
//
// Builds link packets behind the sealing core: header (two beats of 64 bits, one of 128), ciphertext, and the tag put right behind
// its last byte, whole into fifo_enc. Specification: docs/wire-format.md, message "data" and "keep-alive".
// Cycles: those of the header before the ciphertext; the tag's, one more where it begins in mid-beat, after the result, with the
// first of which the core is free again.
// A packet is committed with its last beat, and only then counted as sealed.

module get_from_enc
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter bit SLICES = 1'b0,  // a packet shows a cycle after it is in work, from a register
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic                    clk,
    input  logic                    rst,
    input  order_t                  order,
    input  command_t                work,          // the oldest packet in work
    output logic                    work_done,     // pulse: it left, or is dropped
    input  beat_t                   out,           // the core
    output logic                    out_ready,
    input  result_t                 result,
    output logic                    result_ready,
    output beat_t                   sealed,        // link packets to fifo_enc
    input  logic                    sealed_ready,
    output counted_t                counted,
    output logic     [LEN_BITS-1:0] sealed_bytes   // of the packet that counts as COUNT_SEALED in this cycle
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned BYTES = $bits(sealed.data) / 8;
  localparam int unsigned PLACE_BITS = $clog2(BYTES);
  localparam logic [PLACE_BITS:0] FULL = (PLACE_BITS + 1)'(BYTES);
  localparam bit LONG_HEADER = BYTES < HEADER_BYTES;  // of two beats
  localparam int unsigned TAG_BEATS = INFO.tag_bytes / BYTES;
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;

  typedef enum logic [2:0] {
    S_HEADER,  // first beat
    S_NUMBER,  // second beat, if there is one: packet number
    S_TEXT,
    S_RESULT,
    S_TAG
  } state_e;

  state_e state_q;
  logic [TAG_BITS-1:0] tag_q;
  logic [8*BYTES-1:0] rest_q;  // bytes not yet written, in front of the next
  logic [PLACE_BITS-1:0] rest_bytes_q;
  logic [$clog2(TAG_BEATS + 1)-1:0] left_q;  // tag words not yet joined
  logic wrote, frame, whole;

  header_t header;
  assign header = '{
          version: WIRE_VERSION,
          kind: TYPE_DATA,
          suite: SUITE,
          length: 16'(work.packet.length) + 16'(INFO.tag_bytes),
          sid: work.packet.sid
      };

  logic [16*BYTES-1:0] joined;  // rest and the next tag word behind it
  assign joined = (16 * BYTES)'(rest_q) | ((16 * BYTES)'(tag_q[8*BYTES-1:0]) << {rest_bytes_q, 3'd0});

  always_comb begin
    sealed = '{valid: 1'b0, data: out.data, bytes: FULL, last: 1'b0};
    unique case (state_q)
      S_HEADER: begin
        sealed.valid = SLICES ? g_there.q : work.valid;
        sealed.data  = (8 * BYTES)'({swap64(work.packet.number), beat_of(header)});
      end
      S_NUMBER: begin
        sealed.valid = 1'b1;
        sealed.data  = (8 * BYTES)'(swap64(work.packet.number));
      end
      S_TEXT:  sealed.valid = out.valid && out.bytes == FULL;
      S_TAG: begin
        sealed.valid = 1'b1;
        sealed.data  = joined[8*BYTES-1:0];
        sealed.last  = (left_q == '0) || (left_q == 1 && rest_bytes_q == '0);
        sealed.bytes = (left_q == '0) ? {1'b0, rest_bytes_q} : FULL;
      end
      default: ;
    endcase
    if (order.wipe) sealed.valid = 1'b0;
  end

  if (SLICES) begin : g_there
    logic q;
    always_ff @(posedge clk) q <= work.valid && !work_done && !rst;
  end else begin : g_there
    localparam logic q = 1'b0;  // verilog_lint: waive parameter-name-style (it stands for a signal)
  end

  assign wrote = sealed.valid && sealed_ready;
  assign out_ready = state_q == S_TEXT && (sealed_ready || (out.last && out.bytes != FULL));
  assign result_ready = state_q == S_RESULT;
  assign work_done = whole || order.wipe;

  assign frame = is_frame(work.packet.length);
  assign whole = wrote && sealed.last;
  assign sealed_bytes = work.packet.length;
  always_comb begin
    counted = '0;
    counted[COUNT_SEALED] = 5'(whole && frame);
    counted[COUNT_KEEPALIVES_OUT] = 5'(whole && !frame);
    counted[COUNT_DROP_TRUSTED_SESSION] = 5'(order.wipe && work.valid && frame);  // in work
  end

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_HEADER: if (wrote) state_q <= LONG_HEADER ? S_NUMBER : S_TEXT;
      S_NUMBER: if (wrote) state_q <= S_TEXT;
      S_TEXT: begin
        if (out.valid && out_ready && out.last) begin
          state_q      <= S_RESULT;
          rest_q       <= out.bytes == FULL ? '0 : out.data;
          rest_bytes_q <= out.bytes[PLACE_BITS-1:0];
        end
      end
      S_RESULT: begin
        tag_q  <= result.tag[TAG_BITS-1:0];
        left_q <= ($bits(left_q))'(TAG_BEATS);
        if (result.valid) state_q <= S_TAG;
      end
      S_TAG: begin
        if (wrote) begin
          rest_q <= joined[16*BYTES-1:8*BYTES];
          tag_q  <= tag_q >> (8 * BYTES);
          left_q <= left_q - 1'b1;
          if (sealed.last) state_q <= S_HEADER;
        end
      end
      default:  state_q <= S_HEADER;
    endcase
    if (rst || order.wipe) state_q <= S_HEADER;
  end

  wire unused = &{1'b0, order, work, result};
endmodule
