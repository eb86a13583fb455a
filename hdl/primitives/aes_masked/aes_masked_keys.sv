// SPDX-License-Identifier: Apache-2.0
// One domain's share of the round keys of AES-128 (FIPS 197), in LUT memory, half a key a cycle: the key as it comes, with a
// mask added, and the others as their first words' S-boxes have been worked out elsewhere.
// Byte order: byte i of a half in bits [8i+7:8i].
// Cycles: `half` shows what `round` and `upper` choose in their own cycle. `load` takes a key, whose halves, with `mask` of the
// next cycle and of the one after, are written three and four edges later, with `round` 0. `step` takes the word that is added to the first
// word of round key `round`; the two cycles after the next one show its halves by `round` and `upper`, lower half first, and
// end with the edges that write those of the next round key.
// Security: nothing here sees the other domain. `clear` overwrites the registers, but for the key that comes, which stands for
// a cycle only; `wiping` the memory, a round key a cycle.
module aes_masked_keys (
    input logic clk,
    input logic clear,
    input logic wiping,
    input logic [3:0] walk,  // the round key that is overwritten

    input logic         load,
    input logic [127:0] key,
    input logic [ 63:0] mask,
    input logic         step,
    input logic [ 31:0] word,

    input  logic [ 3:0] round,
    input  logic        upper,
    output logic [63:0] half
);

  (* ram_style = "distributed", no_rw_check *)
  logic [63:0] lower_mem[16];
  (* ram_style = "distributed", no_rw_check *)
  logic [63:0] upper_mem[16];

  logic [127:0] key_q;  // `load` comes from far away
  logic [63:0] key_upper_q, masked_q, write;
  logic [31:0] word_q, chain;
  logic load_q, load_upper_q, step_q, write_lower_q, write_upper_q, next_q;
  logic [3:0] address;

  assign half    = upper ? upper_mem[round] : lower_mem[round];
  // Words of the old round key, added up; of a key that comes nothing but itself
  assign chain   = word_q ^ half[31:0];
  assign write   = masked_q ^ ({chain ^ half[63:32], chain} & {64{next_q}});
  assign address = wiping ? walk : round + 4'(next_q);

  always_ff @(posedge clk) if (write_lower_q || wiping) lower_mem[address] <= write;
  always_ff @(posedge clk) if (write_upper_q || wiping) upper_mem[address] <= write;

  always_ff @(posedge clk) begin
    if (load) key_q <= key;
    else key_q <= '0;
    load_q <= load;
    if (load_q) key_upper_q <= key_q[127:64];
    else key_upper_q <= '0;
    load_upper_q  <= load_q;
    masked_q      <= load_q ? key_q[63:0] ^ mask : load_upper_q ? key_upper_q ^ mask : '0;
    step_q        <= step;
    write_lower_q <= load_q || step_q;
    write_upper_q <= write_lower_q;
    next_q        <= step_q || (next_q && write_lower_q);
    if (step) word_q <= word;
    else if (write_lower_q && next_q) word_q <= chain ^ half[63:32];
    else if (write_upper_q) word_q <= '0;
    if (clear) begin
      key_upper_q   <= '0;
      masked_q      <= '0;
      word_q        <= '0;
      load_q        <= 1'b0;
      load_upper_q  <= 1'b0;
      step_q        <= 1'b0;
      write_lower_q <= 1'b0;
      write_upper_q <= 1'b0;
      next_q        <= 1'b0;
    end
  end

endmodule
