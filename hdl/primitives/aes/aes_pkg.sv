// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197), encryption only: the functions of a round, and the S-box in two forms.
// Byte order: byte i of a block in bits [8i+7:8i]; it is row i mod 4, column i / 4 of the state.
// Composite field: GF(2^8) as GF(2^4)[X] / (X^2 + X + LAMBDA) over GF(2)[y] / (y^4 + y + 1); of all maps from the field
// of the standard the one whose two matrices have the fewest ones. `sbox_front` and `sbox_back` are its two halves.
// Security: a table here is logic, read in constant time; no block RAM.
package aes_pkg;

  localparam int unsigned SBOX_TABLE = 0;
  localparam int unsigned SBOX_COMPOSITE = 1;

  // ---- S-box as a table ----

  // Entry 0 first, in the uppermost bits
  localparam logic [2047:0] SBOX = {
    8'h63,
    8'h7c,
    8'h77,
    8'h7b,
    8'hf2,
    8'h6b,
    8'h6f,
    8'hc5,
    8'h30,
    8'h01,
    8'h67,
    8'h2b,
    8'hfe,
    8'hd7,
    8'hab,
    8'h76,
    8'hca,
    8'h82,
    8'hc9,
    8'h7d,
    8'hfa,
    8'h59,
    8'h47,
    8'hf0,
    8'had,
    8'hd4,
    8'ha2,
    8'haf,
    8'h9c,
    8'ha4,
    8'h72,
    8'hc0,
    8'hb7,
    8'hfd,
    8'h93,
    8'h26,
    8'h36,
    8'h3f,
    8'hf7,
    8'hcc,
    8'h34,
    8'ha5,
    8'he5,
    8'hf1,
    8'h71,
    8'hd8,
    8'h31,
    8'h15,
    8'h04,
    8'hc7,
    8'h23,
    8'hc3,
    8'h18,
    8'h96,
    8'h05,
    8'h9a,
    8'h07,
    8'h12,
    8'h80,
    8'he2,
    8'heb,
    8'h27,
    8'hb2,
    8'h75,
    8'h09,
    8'h83,
    8'h2c,
    8'h1a,
    8'h1b,
    8'h6e,
    8'h5a,
    8'ha0,
    8'h52,
    8'h3b,
    8'hd6,
    8'hb3,
    8'h29,
    8'he3,
    8'h2f,
    8'h84,
    8'h53,
    8'hd1,
    8'h00,
    8'hed,
    8'h20,
    8'hfc,
    8'hb1,
    8'h5b,
    8'h6a,
    8'hcb,
    8'hbe,
    8'h39,
    8'h4a,
    8'h4c,
    8'h58,
    8'hcf,
    8'hd0,
    8'hef,
    8'haa,
    8'hfb,
    8'h43,
    8'h4d,
    8'h33,
    8'h85,
    8'h45,
    8'hf9,
    8'h02,
    8'h7f,
    8'h50,
    8'h3c,
    8'h9f,
    8'ha8,
    8'h51,
    8'ha3,
    8'h40,
    8'h8f,
    8'h92,
    8'h9d,
    8'h38,
    8'hf5,
    8'hbc,
    8'hb6,
    8'hda,
    8'h21,
    8'h10,
    8'hff,
    8'hf3,
    8'hd2,
    8'hcd,
    8'h0c,
    8'h13,
    8'hec,
    8'h5f,
    8'h97,
    8'h44,
    8'h17,
    8'hc4,
    8'ha7,
    8'h7e,
    8'h3d,
    8'h64,
    8'h5d,
    8'h19,
    8'h73,
    8'h60,
    8'h81,
    8'h4f,
    8'hdc,
    8'h22,
    8'h2a,
    8'h90,
    8'h88,
    8'h46,
    8'hee,
    8'hb8,
    8'h14,
    8'hde,
    8'h5e,
    8'h0b,
    8'hdb,
    8'he0,
    8'h32,
    8'h3a,
    8'h0a,
    8'h49,
    8'h06,
    8'h24,
    8'h5c,
    8'hc2,
    8'hd3,
    8'hac,
    8'h62,
    8'h91,
    8'h95,
    8'he4,
    8'h79,
    8'he7,
    8'hc8,
    8'h37,
    8'h6d,
    8'h8d,
    8'hd5,
    8'h4e,
    8'ha9,
    8'h6c,
    8'h56,
    8'hf4,
    8'hea,
    8'h65,
    8'h7a,
    8'hae,
    8'h08,
    8'hba,
    8'h78,
    8'h25,
    8'h2e,
    8'h1c,
    8'ha6,
    8'hb4,
    8'hc6,
    8'he8,
    8'hdd,
    8'h74,
    8'h1f,
    8'h4b,
    8'hbd,
    8'h8b,
    8'h8a,
    8'h70,
    8'h3e,
    8'hb5,
    8'h66,
    8'h48,
    8'h03,
    8'hf6,
    8'h0e,
    8'h61,
    8'h35,
    8'h57,
    8'hb9,
    8'h86,
    8'hc1,
    8'h1d,
    8'h9e,
    8'he1,
    8'hf8,
    8'h98,
    8'h11,
    8'h69,
    8'hd9,
    8'h8e,
    8'h94,
    8'h9b,
    8'h1e,
    8'h87,
    8'he9,
    8'hce,
    8'h55,
    8'h28,
    8'hdf,
    8'h8c,
    8'ha1,
    8'h89,
    8'h0d,
    8'hbf,
    8'he6,
    8'h42,
    8'h68,
    8'h41,
    8'h99,
    8'h2d,
    8'h0f,
    8'hb0,
    8'h54,
    8'hbb,
    8'h16
  };

  // A tree of multiplexers: synthesis would put an indexed array into block RAM, which is slow and cannot be read in place.
  function automatic logic [7:0] sbox_table(input logic [7:0] x);  /*verilator no_inline_task*/
    logic [1023:0] s7;
    logic [ 511:0] s6;
    logic [ 255:0] s5;
    logic [ 127:0] s4;
    logic [  63:0] s3;
    logic [  31:0] s2;
    logic [  15:0] s1;
    s7 = x[7] ? SBOX[1023:0] : SBOX[2047:1024];
    s6 = x[6] ? s7[511:0] : s7[1023:512];
    s5 = x[5] ? s6[255:0] : s6[511:256];
    s4 = x[4] ? s5[127:0] : s5[255:128];
    s3 = x[3] ? s4[63:0] : s4[127:64];
    s2 = x[2] ? s3[31:0] : s3[63:32];
    s1 = x[1] ? s2[15:0] : s2[31:16];
    return x[0] ? s1[7:0] : s1[15:8];
  endfunction

  // ---- S-box by the composite field ----

  localparam logic [3:0] LAMBDA = 4'd10;
  // Images of x^0 to x^7 of the standard's field, and back, the affine map of the S-box included
  localparam logic [7:0] TO_TOWER[8] = '{8'h01, 8'h50, 8'h27, 8'h28, 8'h48, 8'h93, 8'h42, 8'hd3};
  localparam logic [7:0] FROM_TOWER[8] = '{8'h1f, 8'hab, 8'had, 8'h9d, 8'h52, 8'h65, 8'h6c, 8'h05};
  localparam logic [3:0] GF16_INVERSE[16] = '{
      4'h0,
      4'h1,
      4'h9,
      4'he,
      4'hd,
      4'hb,
      4'h7,
      4'h6,
      4'hf,
      4'h2,
      4'hc,
      4'h5,
      4'ha,
      4'h4,
      4'h3,
      4'h8
  };

  function automatic logic [3:0] gf16_times(input logic [3:0] a, input logic [3:0] b);
    logic [6:0] p;
    p = '0;
    for (int unsigned i = 0; i < 4; i++) p ^= {3'b0, a & {4{b[i]}}} << i;
    return p[3:0] ^ {p[6], p[6] ^ p[5], p[5] ^ p[4], p[4]};
  endfunction

  // The byte in the tower field, and the inverse of its norm
  function automatic logic [11:0] sbox_front(input logic [7:0] x);  /*verilator no_inline_task*/
    logic [7:0] t;
    logic [3:0] norm;
    t = '0;
    for (int unsigned i = 0; i < 8; i++) t ^= TO_TOWER[i] & {8{x[i]}};
    norm = gf16_times(gf16_times(t[7:4], t[7:4]), LAMBDA) ^ gf16_times(t[3:0], t[3:0]) ^ gf16_times(t[7:4], t[3:0]);
    return {GF16_INVERSE[norm], t};
  endfunction

  function automatic logic [7:0] sbox_back(input logic [11:0] x);  /*verilator no_inline_task*/
    logic [7:0] t, y;
    t = {gf16_times(x[11:8], x[7:4]), gf16_times(x[11:8], x[7:4] ^ x[3:0])};
    y = 8'h63;
    for (int unsigned i = 0; i < 8; i++) y ^= FROM_TOWER[i] & {8{t[i]}};
    return y;
  endfunction

  // ---- a byte through either form, whole or in two halves ----

  function automatic logic [7:0] sub_byte(input int unsigned form, input logic [7:0] x);
    return form == SBOX_COMPOSITE ? sbox_back(sbox_front(x)) : sbox_table(x);
  endfunction

  function automatic logic [11:0] sub_byte_front(input int unsigned form, input logic [7:0] x);
    return form == SBOX_COMPOSITE ? sbox_front(x) : {4'b0, sbox_table(x)};
  endfunction

  function automatic logic [7:0] sub_byte_back(input int unsigned form, input logic [11:0] x);
    return form == SBOX_COMPOSITE ? sbox_back(x) : x[7:0];
  endfunction

  // ---- the rest of a round ----

  function automatic logic [127:0] shift_rows(input logic [127:0] s);
    for (int unsigned i = 0; i < 16; i++) shift_rows[8*i+:8] = s[8*((5*i)%16)+:8];
  endfunction

  function automatic logic [7:0] xtime(input logic [7:0] x);
    return {x[6:0], 1'b0} ^ (8'h1b & {8{x[7]}});
  endfunction

  function automatic logic [127:0] mix_columns(input logic [127:0] s);
    logic [3:0][7:0] a;
    for (int unsigned c = 0; c < 4; c++) begin
      a = s[32*c+:32];
      for (int unsigned r = 0; r < 4; r++) begin
        mix_columns[32*c+8*r+:8] = xtime(a[r]) ^ xtime(a[(r+1)%4]) ^ a[(r+1)%4] ^ a[(r+2)%4] ^ a[(r+3)%4];
      end
    end
  endfunction

  // ---- key schedule ----

  // Words w0 to w3 of a round key from those of the one NK words before and the word g made of the last one.
  function automatic logic [127:0] next_words(input logic [127:0] w, input logic [31:0] g);
    next_words[31:0]   = w[31:0] ^ g;
    next_words[63:32]  = w[63:32] ^ w[31:0] ^ g;
    next_words[95:64]  = w[95:64] ^ w[63:32] ^ w[31:0] ^ g;
    next_words[127:96] = w[127:96] ^ w[95:64] ^ w[63:32] ^ w[31:0] ^ g;
  endfunction

  function automatic logic [31:0] rot_word(input logic [31:0] w);
    return {w[7:0], w[31:8]};
  endfunction

endpackage
