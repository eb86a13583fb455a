// SPDX-License-Identifier: Apache-2.0
// A word some cycles later: a ring in block RAM, in place of a row of registers.
// Security: while `clear` is held, for at least 64 cycles with `in` zero, all of it goes to zero.
module sha2_delay #(
    parameter int unsigned CYCLES = 10  // 3 to 17
) (
    input  logic        clk,
    input  logic        clear,
    input  logic [ 3:0] clear_walk,  // walks through all values while clear is held
    input  logic [63:0] in,
    output logic [63:0] out
);

  if (CYCLES < 3 || CYCLES > 17) begin : gen_bad_cycles
    $fatal(1, "sha2_delay: CYCLES = %0d, allowed: 3 to 17", CYCLES);
  end

  // Written in one cycle, read CYCLES - 2 later, then two registers
  (* ram_style = "block", no_rw_check *) logic [63:0] mem[16];
  logic [3:0] put_q, get_q;
  logic [63:0] raw;
  always_ff @(posedge clk) begin
    put_q <= clear ? clear_walk : put_q + 4'd1;
    get_q <= put_q + 4'd1 - 4'(CYCLES - 2);
    mem[put_q] <= in;
    raw <= mem[get_q];
    out <= raw;
  end

endmodule
