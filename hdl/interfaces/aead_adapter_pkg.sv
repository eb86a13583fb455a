// SPDX-License-Identifier: Apache-2.0
//
// Operations and status codes of the adapters (docs/interfaces.md).
package aead_adapter_pkg;

  typedef enum logic [7:0] {
    OP_SEAL    = 8'd0,
    OP_OPEN    = 8'd1,
    OP_LOAD_AD = 8'd2,
    OP_KEY     = 8'd3,   // in a status only
    OP_NONE    = 8'd255  // in a status only: the operation could not be read
  } op_e;

  typedef enum logic [3:0] {
    OK          = 4'd0,
    NOT_AUTH    = 4'd1,  // open: the core says no
    CORE_REFUSE = 4'd2,  // seal or load AD: the core says no
    BAD_COMMAND = 4'd3,
    BAD_STREAM  = 4'd4,  // AD or message malformed
    TOO_SHORT   = 4'd5,  // ciphertext || tag shorter than a tag
    TOO_LONG    = 4'd6,  // output longer than PACKET_BYTES
    BAD_KEY     = 4'd7,
    AD_TOO_LONG = 4'd8   // AD longer than AD_FIFO_BYTES
  } code_e;

endpackage
