// SPDX-License-Identifier: Apache-2.0
//
// The AEAD core of a suite and an architecture. A further mode is one more branch here, its contexts a line in link_pkg.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: `out` is unverified plaintext when opening; only get_from_dec with its release FIFO may consume it.

module link_aead
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter  logic        [7:0] SUITE        = 8'h01,
    parameter  logic        [7:0] ARCHITECTURE = ARCH_ITERATIVE,
    parameter  int unsigned       DATA_BITS    = 64,
    localparam int unsigned       CONTEXTS     = contexts_of(SUITE, ARCHITECTURE),
    localparam int unsigned       KEY_BITS     = 8 * suite_info(SUITE).key_bytes,
    localparam int unsigned       NONCE_BITS   = 8 * suite_info(SUITE).nonce_bytes,
    localparam int unsigned       TAG_BITS     = 8 * suite_info(SUITE).tag_bytes
) (
    input  logic   clk,
    input  logic   clear,
    input  logic   forget,    // zeroises random bits, too
    input  seed_t  seed,      // for a core in shares
    output logic   seedless,
    output logic   alarm,
           aead_if io
);
  localparam bit BLAKE2B = SUITE == 8'h02 || SUITE == 8'h04;
  localparam int unsigned HALF_ROUNDS = ARCHITECTURE == ARCH_SMALL ? 1 : 2;
  localparam bit ITERATIVE = ARCHITECTURE == ARCH_ITERATIVE || (SUITE == 8'h02 && ARCHITECTURE == ARCH_SMALL);

  if (ARCHITECTURE != ARCH_MASKED) begin : g_no_shares
    wire unused = &{1'b0, forget, seed};
    assign seedless = 1'b0;
    assign alarm = 1'b0;
  end

  if ((SUITE == 8'h01 || SUITE == 8'h02) && ITERATIVE) begin : g_omd
    omd_core #(
        .DATA_BITS  (DATA_BITS),
        .BLAKE2B    (BLAKE2B),
        .HALF_ROUNDS(HALF_ROUNDS),
        .KEY_BITS   (KEY_BITS),
        .NONCE_BITS (NONCE_BITS),
        .TAG_BITS   (TAG_BITS)
    ) u_core (
        .port(io),
        .*
    );
  end else if ((SUITE == 8'h01 || SUITE == 8'h02) && ARCHITECTURE == ARCH_INTERLEAVED) begin : g_omd_x
    omd_x_core #(
        .DATA_BITS(DATA_BITS),
        .BLAKE2B   (BLAKE2B),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .port(io),
        .*
    );
  end else if ((SUITE == 8'h03 || SUITE == 8'h04) && ITERATIVE) begin : g_pomd
    pomd_core #(
        .DATA_BITS(DATA_BITS),
        .BLAKE2B   (BLAKE2B),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS)
    ) u_core (
        .port(io),
        .*
    );
  end else if ((SUITE == 8'h11 || SUITE == 8'h12) && (ITERATIVE || (SUITE == 8'h11 && ARCHITECTURE == ARCH_PIPELINED)))
  begin : g_otr
    otr_core #(
        .DATA_BITS (DATA_BITS),
        .STAGES    (ARCHITECTURE == ARCH_PIPELINED ? 2 : 1),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS)
    ) u_core (
        .port(io),
        .*
    );
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_UNROLLED) begin : g_otr_pipe
    otr_pipe_core #(
        .DATA_BITS (DATA_BITS),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS)
    ) u_core (
        .port(io),
        .*
    );
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_MASKED) begin : g_masked
    masked_aead #(
        .DATA_BITS (DATA_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS)
    ) u_core (
        .seed_valid (seed.valid),
        .seed_wanted(seedless),
        .seed_data  (seed.data),
        .*
    );
  end else begin : g_unknown
    $fatal(1, "link_aead: no core for SUITE = %02x, ARCHITECTURE = %0d", SUITE, ARCHITECTURE);
  end

`ifndef SYNTHESIS
  if (ARCHITECTURE == ARCH_UNROLLED) begin : g_ahead
    aead_pipe_monitor #(
        .DATA_BITS(DATA_BITS)
    ) u_monitor (
        .port(io),
        .*
    );
  end else begin : g_one_command
    aead_monitor #(
        .DATA_BITS(DATA_BITS),
        .CONTEXTS (CONTEXTS)
    ) u_monitor (
        .port(io),
        .*
    );
  end
`endif

endmodule
