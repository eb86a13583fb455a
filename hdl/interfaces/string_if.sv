// SPDX-License-Identifier: Apache-2.0
//
// A string on its way through an adapter, in beats: full ones, and a last one that may be short (0 bytes: the string is
// empty). Byte i of the string is in bits [8i+7:8i] of its beat. A transfer is valid && ready; valid and data hold until then.
interface string_if #(
    parameter int unsigned DATA_BITS = 64  // beat; whole bytes
);

  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);

  logic                                     valid;
  logic                                     ready;
  logic                    [ DATA_BITS-1:0] data;
  logic                    [BYTES_BITS-1:0] bytes;  // valid bytes of the beat
  logic                                     last;
  aead_adapter_pkg::code_e                  code;  // with last: what is wrong with the string

  modport source(output valid, data, bytes, last, code, input ready);
  modport sink(input valid, data, bytes, last, code, output ready);

endinterface
