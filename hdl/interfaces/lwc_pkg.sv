// SPDX-License-Identifier: Apache-2.0
//
// Words of the LWC hardware API (docs/interfaces.md).
package lwc_pkg;

  localparam logic [3:0] INST_ENC = 4'h2;
  localparam logic [3:0] INST_DEC = 4'h3;
  localparam logic [3:0] INST_LDKEY = 4'h4;
  localparam logic [3:0] INST_ACTKEY = 4'h7;
  localparam logic [3:0] INST_HASH = 4'h8;
  localparam logic [3:0] STATUS_SUCCESS = 4'he;
  localparam logic [3:0] STATUS_FAILURE = 4'hf;

  localparam logic [3:0] SEG_PLAINTEXT = 4'h4;
  localparam logic [3:0] SEG_CIPHERTEXT = 4'h5;
  localparam logic [3:0] SEG_TAG = 4'h8;

  typedef struct packed {
    logic [3:0]  kind;
    logic        partial;
    logic        eoi;       // last segment with data of the input
    logic        eot;       // last segment of this type
    logic        last;      // last segment of the input
    logic [7:0]  reserved;
    logic [15:0] length;    // bytes
  } segment_t;

  // Strings in the order in which they come
  typedef enum logic [2:0] {
    NONCE = 3'd0,
    AD    = 3'd1,
    TEXT  = 3'd2,
    TAG   = 3'd3,
    KEY   = 3'd4
  } string_e;

  typedef struct packed {
    logic       valid;
    logic [3:0] code;
    logic       clean;  // its other bits are 0
  } inst_t;

  // What follows an instruction
  typedef struct packed {
    logic    run;        // segments
    logic    drop;       // without any string
    logic    open;       // ciphertext, not plaintext
    string_e first;      // string
    string_e final_one;
  } segments_t;

  function automatic logic [3:0] segment_of(string_e what, logic open);
    unique case (what)
      NONCE:   return 4'hd;
      AD:      return 4'h1;
      TEXT:    return open ? SEG_CIPHERTEXT : SEG_PLAINTEXT;
      TAG:     return SEG_TAG;
      default: return 4'hc;
    endcase
  endfunction

endpackage
