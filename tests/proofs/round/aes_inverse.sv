// SPDX-License-Identifier: Apache-2.0
// What decryption takes of aes_inverse_pkg is that of FIPS 197, 5.3: InvShiftRows and InvMixColumns on the array of four
// rows with a product of the field, the latter in one step and in two; the S-box with the inverse of its affine map before
// and behind is InvSubBytes, that which SubBytes undoes. A round of aes_crypt takes them in this order.
module aes_inverse (
    input logic [127:0] state,
    input logic [127:0] key
);
  import aes_pkg::*;
  import fips197_pkg::*;
  import aes_inverse_pkg::affine_back, aes_inverse_pkg::shift_rows_back;
  import aes_inverse_pkg::before_mix_back, aes_inverse_pkg::mix_columns_back;

  function automatic logic [127:0] sub(input logic [127:0] s);
    for (int i = 0; i < 16; i++) sub[8*i+:8] = sbox_table(s[8*i+:8]);
  endfunction

  localparam logic [3:0][7:0] MIX_BACK = {8'h09, 8'h0d, 8'h0b, 8'h0e};  // row 0: 0e 0b 0d 09

  function automatic logic [127:0] standard_mix(input logic [127:0] s);
    standard_mix = '0;
    for (int r = 0; r < 4; r++) begin
      for (int c = 0; c < 4; c++) begin
        for (int k = 0; k < 4; k++) standard_mix[8*(r+4*c)+:8] ^= times(MIX_BACK[(k-r+4)%4], s[8*(k+4*c)+:8]);
      end
    end
  endfunction

  function automatic logic [127:0] standard_shift(input logic [127:0] s);
    for (int r = 0; r < 4; r++) begin
      for (int c = 0; c < 4; c++) standard_shift[8*(r+4*((c+r)%4))+:8] = s[8*(r+4*c)+:8];
    end
  endfunction

  // The round of aes_crypt on its way from the register of the state, as it is written there
  logic [127:0] looked_up, backward, sub_back, shifted;
  logic [7:0] sub_again;
  assign looked_up = sub(affine_back(state));
  assign backward  = affine_back(shift_rows_back(looked_up)) ^ key;
  assign sub_back  = affine_back(looked_up);
  assign shifted   = standard_shift(state);
  assign sub_again = standard_sub(sub_back[7:0]);

  always_comb begin
    a_shift_rows : assert (shift_rows_back(state) == shifted);
    a_sub_bytes : assert (sub_again == state[7:0]);
    a_every_byte : assert (sub_back[127:8] == 120'(affine_back(sub(affine_back(state >> 8)))));
    a_mix_columns : assert (mix_columns_back(state) == standard_mix(state));
    a_mix_in_two : assert (mix_columns(before_mix_back(state)) == standard_mix(state));
    a_round : assert (backward == (affine_back(sub(affine_back(shifted))) ^ key));
  end

endmodule
