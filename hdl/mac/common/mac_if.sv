// SPDX-License-Identifier: Apache-2.0
// The port contract of the MAC cores inside the house (docs/core-ports.md): one bundle between a core and whoever feeds it.
// The flat ports of a named core are these fields, `cmd_verify` for `cmd.verify`.
// Byte order: byte i of every string (key, tag, data) in bits [8i+7:8i].
// Streams are valid and ready: a transfer is valid && ready; valid and data hold until then.
interface mac_if #(
    parameter int unsigned DATA_BITS = 320,  // beat of msg
    parameter int unsigned KEY_BITS  = 128,
    parameter int unsigned TAG_BITS  = 128
);

  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);

  typedef struct packed {
    logic                valid;
    logic [KEY_BITS-1:0] data;
  } key_t;

  typedef struct packed {
    logic valid;
    logic verify;  // 0 compute a tag, 1 compare with an expected one
  } command_t;

  typedef struct packed {
    logic                  valid;
    logic [DATA_BITS-1:0]  data;
    logic [BYTES_BITS-1:0] bytes;  // valid bytes of the beat
    logic                  last;
  } beat_t;

  typedef struct packed {
    logic                valid;
    logic [TAG_BITS-1:0] data;
  } tag_t;

  typedef struct packed {
    logic                valid;
    logic                ok;
    logic [TAG_BITS-1:0] tag;    // compute only, else 0
  } result_t;

  logic     busy;  // key work or a command in flight, or clearing
  key_t     key;  // kept until replaced
  logic     key_ready;
  command_t cmd;
  logic     cmd_ready;
  beat_t    msg;
  logic     msg_ready;
  tag_t     tag_in;  // expected tag, verify only
  logic     tag_in_ready;
  result_t  result;
  logic     result_ready;

  modport core(
      output busy, key_ready, cmd_ready, msg_ready, tag_in_ready, result,
      input key, cmd, msg, tag_in, result_ready
  );

  modport user(
      input busy, key_ready, cmd_ready, msg_ready, tag_in_ready, result,
      output key, cmd, msg, tag_in, result_ready
  );

  modport monitor(
      input busy, key_ready, cmd_ready, msg_ready, tag_in_ready, result,
      input key, cmd, msg, tag_in, result_ready
  );

endinterface
