// SPDX-License-Identifier: Apache-2.0
// A core at its usual sizes with its feeder left free, under the monitor of the port contract. MODE chooses the core.
module aead_contract_more #(
    parameter int unsigned MODE = 0,
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned NONCE_BITS = 96,
    parameter int unsigned TAG_BITS = 128
) (
    input logic clk,
    input logic clear_wanted
);
  logic clear;
  aead_if #(
      .DATA_BITS (DATA_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) port ();
  aead_user u_user (.*);
  aead_monitor #(.DATA_BITS(DATA_BITS)) u_monitor (.*);

  if (MODE == 0) begin : g_aegis
    aegis_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else if (MODE == 1) begin : g_gcm
    gcm_core #(
        .DATA_BITS(DATA_BITS),
        .STAGES(2)
    ) u_core (
        .*
    );
  end else if (MODE == 2) begin : g_deoxysi
    deoxysi_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else if (MODE == 3) begin : g_scream
    scream_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else if (MODE == 4) begin : g_deoxysii
    deoxysii_core #(
        .DATA_BITS(DATA_BITS),
        .MAX_MSG_BYTES(64)
    ) u_core (
        .*
    );
  end else if (MODE == 5) begin : g_colm
    colm_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else if (MODE == 6) begin : g_copa
    copa_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end else begin : g_minalpher
    minalpher_core #(.DATA_BITS(DATA_BITS)) u_core (.*);
  end
endmodule
