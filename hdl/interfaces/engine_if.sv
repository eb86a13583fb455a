// SPDX-License-Identifier: Apache-2.0
//
// What an adapter says to its engine, and hears from it; the strings of an order go beside it (string_if).
// Each is valid and ready: a transfer is valid && ready; valid and data hold until then.
interface engine_if #(
    parameter int unsigned KEY_BITS   = 512,
    parameter int unsigned NONCE_BITS = 256,
    parameter int unsigned TAG_BITS   = 256   // 1 or more, also where there is no tag
);

  import aead_adapter_pkg::code_e;

  typedef struct packed {
    logic                valid;
    logic [KEY_BITS-1:0] data;
  } key_t;

  typedef struct packed {
    logic                  valid;
    logic                  note;    // no work: only say op and code in its turn
    logic [7:0]            op;
    code_e                 code;    // of a note
    logic                  cached;  // the AD is the loaded one
    logic [NONCE_BITS-1:0] nonce;
  } order_t;

  typedef struct packed {
    logic                valid;
    code_e               code;
    logic [TAG_BITS-1:0] data;
  } tag_t;

  typedef struct packed {
    logic        valid;
    logic [7:0]  op;
    code_e       code;
    logic [31:0] length;  // bytes of the packet that leaves
  } done_t;

  key_t   key;
  logic   key_ready;
  order_t order;
  logic   order_ready;
  tag_t   tag;  // expected, after an order to open
  logic   tag_ready;
  done_t  done;  // in the order of the orders
  logic   done_ready;

  modport adapter(output key, order, tag, done_ready, input key_ready, order_ready, tag_ready, done);
  modport engine(input key, order, tag, done_ready, output key_ready, order_ready, tag_ready, done);

endinterface
