// SPDX-License-Identifier: Apache-2.0
// The port contract of the AEAD cores inside the house (docs/core-ports.md): one bundle between a mode and whoever feeds it.
// The flat ports of a named core are these fields, `cmd_nonce` for `cmd.nonce`.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Streams are valid and ready: a transfer is valid && ready[ctx]; valid and data hold until then.
// Security: `out` is unverified in opening until `result.ok`.
interface aead_if #(
    parameter int unsigned DATA_BITS  = 64,   // beat of ad, msg and out
    parameter int unsigned KEY_BITS   = 128,
    parameter int unsigned NONCE_BITS = 96,
    parameter int unsigned TAG_BITS   = 128,
    parameter int unsigned CONTEXTS   = 1
);

  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);
  localparam int unsigned CTX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;

  typedef struct packed {
    logic                valid;
    logic [KEY_BITS-1:0] data;
  } key_t;

  typedef struct packed {
    logic                  valid;
    logic [CTX_BITS-1:0]   ctx;
    logic [1:0]            op;         // aead_pkg::op_e; 3 is refused
    logic                  cached_ad;  // use the AD cache, send no AD
    logic [NONCE_BITS-1:0] nonce;
  } command_t;

  typedef struct packed {
    logic                  valid;
    logic [CTX_BITS-1:0]   ctx;
    logic [DATA_BITS-1:0]  data;
    logic [BYTES_BITS-1:0] bytes;  // valid bytes of the beat
    logic                  last;
  } beat_t;

  typedef struct packed {
    logic                valid;
    logic [CTX_BITS-1:0] ctx;
    logic [TAG_BITS-1:0] data;
  } tag_t;

  typedef struct packed {
    logic                valid;
    logic [CTX_BITS-1:0] ctx;
    logic                ok;
    logic [TAG_BITS-1:0] tag;    // seal only, else 0
  } result_t;

  logic                    busy;  // key work or a command in flight, or clearing
  key_t                    key;
  logic                    key_ready;
  command_t                cmd;
  logic     [CONTEXTS-1:0] cmd_ready;
  beat_t                   ad;
  logic     [CONTEXTS-1:0] ad_ready;
  beat_t                   msg;  // message, or ciphertext without tag
  logic     [CONTEXTS-1:0] msg_ready;
  tag_t                    tag_in;  // expected tag, open only
  logic     [CONTEXTS-1:0] tag_in_ready;
  beat_t                   out;  // ciphertext, or plaintext NOT YET VERIFIED
  logic                    out_ready;
  result_t                 result;
  logic                    result_ready;

  modport core(
      output busy, key_ready, cmd_ready, ad_ready, msg_ready, tag_in_ready, out, result,
      input key, cmd, ad, msg, tag_in, out_ready, result_ready
  );

  modport user(
      input busy, key_ready, cmd_ready, ad_ready, msg_ready, tag_in_ready, out, result,
      output key, cmd, ad, msg, tag_in, out_ready, result_ready
  );

  modport monitor(
      input busy, key_ready, cmd_ready, ad_ready, msg_ready, tag_in_ready, out, result,
      input key, cmd, ad, msg, tag_in, out_ready, result_ready
  );

endinterface
