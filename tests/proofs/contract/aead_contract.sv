// SPDX-License-Identifier: Apache-2.0
// A core with its feeder left free, under the monitor of the port contract. MODE chooses the core.
module aead_contract #(
    parameter int unsigned MODE = 0,
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned KEY_BITS = 128,
    parameter int unsigned NONCE_BITS = 96,
    parameter int unsigned TAG_BITS = 128,
    parameter int unsigned CHOICE = 0  // of a mode: rounds a cycle, stages, serial or parallel
) (
    input logic clk,
    input logic clear_wanted
);
  logic clear;
  aead_if #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) port ();
  aead_user u_user (.*);
  aead_monitor #(.DATA_BITS(DATA_BITS)) u_monitor (.*);

  if (MODE == 0) begin : g_ascon
    ascon_aead_core #(
        .DATA_BITS(DATA_BITS),
        .ROUNDS_PER_CYCLE(CHOICE)
    ) u_core (
        .*
    );
  end else if (MODE == 1) begin : g_omd
    omd_core #(
        .N_BITS(256),
        .DATA_BITS(DATA_BITS),
        .KEY_BITS(KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS(TAG_BITS)
    ) u_core (
        .*
    );
  end else if (MODE == 2) begin : g_pomd
    pomd_core #(
        .N_BITS(256),
        .DATA_BITS(DATA_BITS),
        .KEY_BITS(KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS(TAG_BITS)
    ) u_core (
        .*
    );
  end else if (MODE == 3) begin : g_otr
    otr_core #(
        .DATA_BITS(DATA_BITS),
        .STAGES(CHOICE)
    ) u_core (
        .*
    );
  end else if (MODE == 4) begin : g_ocb
    ocb_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else begin : g_sivomd
    sivomd_core #(
        .SERIAL(CHOICE),
        .N_BITS(256),
        .DATA_BITS(DATA_BITS),
        .KEY_BITS(KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS(TAG_BITS),
        .MAX_MSG_BYTES(256)
    ) u_core (
        .*
    );
  end
endmodule
