// SPDX-License-Identifier: Apache-2.0
// What becomes of a computed tag that is in shares, in the masked cores. In sealing the shares are added, since the tag is
// public then; in opening they are compared with the expected tag in shares, and only the verdict is added up.
// Cycles: in sealing the tag stands two edges after `finish`; in opening the verdict falls eleven edges after the expected tag.
// Security: the comparison takes the same time whatever differs; `clear` zeroises domain 0 and what is public, and
// domain 1 one cycle later. The tree of ANDs is empty seven cycles after that.
module aead_masked_verdict
  import aead_pkg::*;
#(
    parameter int unsigned TAG_BITS = 128  // 32 to 128, whole bytes
) (
    input logic clk,
    input logic clear,
    input logic clear_late,
    input logic [126:0] random,
    input logic [1:0][127:0] computed,
    input logic [TAG_BITS-1:0] expected,

    input  logic [         1:0] op,         // when `finish` rises
    input  logic                tag_taken,  // the expected tag moves with this edge
    input  logic                finish,     // level: the computed tag stands
    output logic                tag_wait,   // level: the expected tag is needed
    output logic                good,       // level, until `finish` falls: the command may end
    output logic                wrong,      // pulse: it is refused
    output logic [TAG_BITS-1:0] tag         // of a sealed message, while `good`
);

  localparam int unsigned LEVELS = 7;
  localparam logic [3:0] VERDICT_AT = 4'(LEVELS + 2);  // difference, levels, sum of the verdict's shares

  logic [1:0][TAG_BITS-1:0] shown;
  logic [1:0][127:0] equal;  // bits of the tags
  logic [3:0] step_q;
  logic [1:0] op_q;
  logic step_end;
  logic sealed, tag_made_q, got_q, all0, all1, verdict_q;
  logic unused;
  assign unused = &{1'b0, computed};

  // A wrong tag is refused in the cycle before a right one ends the command: both take one time.
  assign step_end = step_q == VERDICT_AT + 4'd1;
  assign sealed = finish && op_q == OP_SEAL;
  assign tag_wait = finish && op_q == OP_OPEN && !got_q;
  assign good = finish && (op_q == OP_LOAD_AD || (op_q == OP_SEAL ? tag_made_q : step_end && verdict_q));
  assign wrong = finish && op_q == OP_OPEN && step_q == VERDICT_AT && !verdict_q;

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    always_ff @(posedge clk) begin
      shown[d] <= computed[d][TAG_BITS-1:0] & {TAG_BITS{sealed}};
      if (tag_taken) begin
        // Bits beyond a short tag are equal.
        equal[d] <= d == 0 ? '1 : '0;
        equal[d][TAG_BITS-1:0] <= computed[d][TAG_BITS-1:0] ^ (d == 0 ? ~expected : '0);
      end else if (!finish) begin
        equal[d] <= '0;  // no tag is right
      end
      if (d == 0 ? clear : clear_late) begin
        shown[d] <= '0;
        equal[d] <= '0;
      end
    end
  end

  masked_all u_all (
      .clk,
      .random,
      .x0(equal[0]),
      .x1(equal[1]),
      .y0(all0),
      .y1(all1)
  );


  always_ff @(posedge clk) begin
    verdict_q  <= all0 ^ all1;
    tag        <= shown[0] ^ shown[1];
    tag_made_q <= sealed && step_q != '0;
    if (tag_taken) got_q <= 1'b1;
    if ((sealed || got_q) && !step_end) step_q <= step_q + 4'd1;
    if (!finish) begin
      op_q   <= op;
      got_q  <= 1'b0;
      step_q <= '0;
    end
    if (clear) begin
      verdict_q  <= 1'b0;
      tag        <= '0;
      op_q       <= '0;
      tag_made_q <= 1'b0;
      got_q      <= 1'b0;
      step_q     <= '0;
    end
  end

endmodule
