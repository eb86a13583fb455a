// SPDX-License-Identifier: Apache-2.0
//
// What the nonces of the sending direction are made of, salt || packet number: a number for every command the core accepts.
// Specification: docs/wire-format.md, "Nonce" and "Sessions".
// Byte order: nonce byte i is bits [8i+7:8i]; the packet number is its last eight bytes, big-endian.
// Security: the number becomes 0 only when new keys are installed and never falls under one key; a number taken is spent,
// whatever becomes of its packet. At N_MAX the generator is exhausted and hands out nothing.

module nonce_gen #(
    parameter logic [63:0] N_MAX = 64'h0001_0000_0000_0000  // packets a key may seal, up to 2^48
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         wipe,      // forget the salt
    input  logic         install,   // new keys: take the salt, start at packet 0
    input  logic [191:0] salt,
    input  logic         take,      // the number shown was used
    output logic [ 63:0] pn,        // next packet number
    output logic [191:0] salt_now,  // salt of the keys in use
    output logic         exhausted  // no number left under these keys, or no keys
);
  logic [191:0] salt_q;
  logic [ 63:0] pn_q;
  logic         usable_q;

  assign pn = pn_q;
  assign salt_now = salt_q;
  assign exhausted = !usable_q;

  always_ff @(posedge clk) begin
    if (take) begin
      pn_q <= pn_q + 64'd1;
      if (pn_q + 64'd1 >= N_MAX) usable_q <= 1'b0;
    end
    if (install) begin
      salt_q   <= salt;
      pn_q     <= '0;
      usable_q <= 1'b1;
    end
    if (rst || wipe) begin
      salt_q   <= '0;
      pn_q     <= '0;
      usable_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // Under one key the numbers used rise strictly, none is used without keys, none reaches N_MAX.
  logic        used_q;
  logic [63:0] last_q;
  always_ff @(posedge clk) begin
    if (take && !rst && !wipe) begin
      a_live :
      assert (usable_q && pn_q < N_MAX)
      else $error("nonce_gen: packet number used without right");
      a_rise :
      assert (!used_q || pn_q > last_q)
      else $error("nonce_gen: packet number repeats");
    end
    if (take) begin
      used_q <= 1'b1;
      last_q <= pn_q;
    end
    if (rst || wipe || install) used_q <= 1'b0;
  end
`endif
endmodule
