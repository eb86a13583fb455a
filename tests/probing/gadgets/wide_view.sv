// SPDX-License-Identifier: Apache-2.0
// A view of more bits than a machine word: 70 functions of the same six random bits, so that no rule applies, and
// two shares where one of the bits is 1.
module wide_view (
    input logic clk,
    input logic [5:0] r,
    input logic a0,
    a1,
    output logic y
);
  logic [71:0] q;
  always_ff @(posedge clk) begin
    q[0]  <= 64'h97b750923ceb3ffd >> r;
    q[1]  <= 64'h216363698b529b4a >> r;
    q[2]  <= 64'hea7b5bf55eb561a4 >> r;
    q[3]  <= 64'h795b929e9a9a80fd >> r;
    q[4]  <= 64'h94b2b8fda02f34a6 >> r;
    q[5]  <= 64'h9b08923d10c67fd9 >> r;
    q[6]  <= 64'he8a8529f035efa25 >> r;
    q[7]  <= 64'h781f9c58d6645fa9 >> r;
    q[8]  <= 64'h8d0038ec42650644 >> r;
    q[9]  <= 64'h311624273bfd1d33 >> r;
    q[10] <= 64'hb7970386fee29476 >> r;
    q[11] <= 64'h8a7d43b578633074 >> r;
    q[12] <= 64'h8cb4a0d7d6225675 >> r;
    q[13] <= 64'h65aa9c8279f248b0 >> r;
    q[14] <= 64'hdc6bf1e1a399f82a >> r;
    q[15] <= 64'h3b5f3d86268ecc45 >> r;
    q[16] <= 64'h26d0b944a2863a7f >> r;
    q[17] <= 64'hed038db4de383784 >> r;
    q[18] <= 64'h63d2e49085ef3430 >> r;
    q[19] <= 64'h03e0a813bdc2ae99 >> r;
    q[20] <= a1 & r[0];
    q[21] <= 64'hc6f8da3eabe19f58 >> r;
    q[22] <= 64'h28ce6f2410645d51 >> r;
    q[23] <= 64'hf51e8722c21b6092 >> r;
    q[24] <= 64'h0af438d297524d6a >> r;
    q[25] <= 64'hc7b317d94d1fe09f >> r;
    q[26] <= 64'hd2d5844307f062ce >> r;
    q[27] <= 64'h44f9794cdd933160 >> r;
    q[28] <= 64'h9841811779061596 >> r;
    q[29] <= 64'heb8f624fb804d820 >> r;
    q[30] <= a0 & r[0];
    q[31] <= 64'h633a50eee0f9e038 >> r;
    q[32] <= 64'hc9c18070b6d13089 >> r;
    q[33] <= 64'h6d4b9adbebcd1f5e >> r;
    q[34] <= 64'hba6676b3651c5253 >> r;
    q[35] <= 64'h93b05a04cd085b71 >> r;
    q[36] <= 64'hf6ced90a71d2af72 >> r;
    q[37] <= 64'h2257989fef829c88 >> r;
    q[38] <= 64'h5d92b243e0fd67dd >> r;
    q[39] <= 64'h092fdddf18f2c41c >> r;
    q[40] <= 64'h7eb0adf422cedafb >> r;
    q[41] <= 64'h420b0ebe378c74dc >> r;
    q[42] <= 64'hac0ae4e2f729b4c8 >> r;
    q[43] <= 64'hc76abf436fa84dca >> r;
    q[44] <= 64'hdaf0105ba06c05a1 >> r;
    q[45] <= 64'h6bd0638b4d100d8f >> r;
    q[46] <= 64'hd55ec1a581daad10 >> r;
    q[47] <= 64'h92f3277b62c82185 >> r;
    q[48] <= 64'h88bafad959d54505 >> r;
    q[49] <= 64'h6856e45b95c76ab4 >> r;
    q[50] <= 64'h3b7dae0495918694 >> r;
    q[51] <= 64'h56363b4be779c470 >> r;
    q[52] <= 64'hea6d5547ae966193 >> r;
    q[53] <= 64'h07564931edcf6109 >> r;
    q[54] <= 64'h47997b6bdb3d1150 >> r;
    q[55] <= 64'h9b16f809fdb17f54 >> r;
    q[56] <= 64'hb2109307abd8952c >> r;
    q[57] <= 64'hb2d87d5e29c0e596 >> r;
    q[58] <= 64'h538e504edc52bdca >> r;
    q[59] <= 64'h8ab12c32f6f22f41 >> r;
    q[60] <= 64'h926baeafe79a27e6 >> r;
    q[61] <= 64'h1aa4b64091b1078e >> r;
    q[62] <= 64'ha7cf94d7b6bcb64f >> r;
    q[63] <= 64'ha20ab57c360c4979 >> r;
    q[64] <= 64'hfcf249f3d4e441c3 >> r;
    q[65] <= 64'h445fad2a92d3043a >> r;
    q[66] <= 64'h1fdaf62548f2f8ed >> r;
    q[67] <= 64'h7b6471e2103ef3c2 >> r;
    q[68] <= 64'ha385ac4bda9bf98c >> r;
    q[69] <= 64'h7bc73a83fd63ed5b >> r;
    q[70] <= 64'h5815a3d516a91f39 >> r;
    q[71] <= 64'h110d7c25ccf3d0b3 >> r;
  end
  assign y = ^q;
endmodule
