// SPDX-License-Identifier: Apache-2.0
//
// The link's wire format in one place: packet header, context strings, nonces and the table of suites.
// Specification: docs/wire-format.md, "Wire format" and "Key schedule".
// Byte order: byte i of every string is bits [8i+7:8i]; numbers travel big-endian, so they pass through swap functions.
// Security: pure functions without state; no value here depends on a secret's content.

package link_pkg;

  localparam int unsigned HEADER_BYTES = 16;
  localparam int unsigned MIN_FRAME = 14;  // a trusted frame without FCS, bytes; shorter messages only show life
  localparam int unsigned MAX_FRAME = 9600;  // bytes
  localparam int unsigned LEN_BITS = 14;  // holds MAX_FRAME

  localparam logic [7:0] KIND_ETHERNET = 8'h00;

  localparam logic [3:0] WIRE_VERSION = 4'h2;
  localparam logic [3:0] TYPE_DATA = 4'h0;
  localparam logic [3:0] TYPE_HELLO = 4'h1;
  localparam logic [3:0] TYPE_REPLY = 4'h2;
  localparam logic [3:0] TYPE_CONFIRM = 4'h3;
  localparam int unsigned REPLIES = 16;  // hellos answered in a second
  localparam int unsigned HANDSHAKE_LENGTH = 56;  // 24 + n/2 bytes after the header, n = 64
  localparam logic [15:0] ETHERTYPE = 16'h88B5;  // as a number; the wire carries 88 then B5
  localparam logic [15:0] MAC_CONTROL = 16'h8808;  // EtherType of PAUSE and its like (IEEE 802.3, clause 31)

  // First argument of ctx(): what an output of the schedule is for; 1 and 2 name the directions in associated data too.
  localparam logic [7:0] CTX_HELLO_MAC = 8'd0;
  localparam logic [7:0] CTX_I_TO_R = 8'd1;
  localparam logic [7:0] CTX_R_TO_I = 8'd2;
  localparam logic [7:0] CTX_SALTS = 8'd3;
  localparam logic [7:0] CTX_REPLY_MAC = 8'd4;
  localparam logic [7:0] CTX_CONFIRM_MAC = 8'd5;

  // Times in milliseconds.
  localparam int unsigned RESEND_MS = 250;  // hello, confirm
  localparam int unsigned KEEP_ALIVE_MS = 250;  // nothing sealed
  localparam int unsigned CONFIRM_MS = 500;  // given up
  localparam int unsigned SILENCE_MS = 750;  // nothing heard: a handshake starts
  localparam int unsigned SECOND_MS = 1000;  // of REPLIES
  localparam int unsigned OLD_MS = 2000;  // a session that another one replaced
  localparam int unsigned LEAST_REKEY_MS = 4000;
  localparam int unsigned LEAST_MARGIN_MS = 4000;  // of T_max over T_rekey
  localparam int unsigned MOST_REKEY_MS = 32'hffff_ffff - LEAST_MARGIN_MS;  // 50 days

  // What a suite asks of the link. Suites not listed here are not served yet.
  typedef struct packed {
    logic        served;
    int unsigned key_bytes;
    int unsigned nonce_bytes;
    int unsigned tag_bytes;    // a multiple of 16: the tag then adds whole beats to any message
    int unsigned block_bytes;  // n of the schedule function
    logic        ad_cache;     // the core keeps the session's AD; else it takes it with every packet
    logic        sha512;       // schedule function: SHA-512, else BLAKE2b
    logic [63:0] max_packets;  // N_max: packets a key may seal
  } suite_t;

  function automatic suite_t suite_info(input logic [7:0] suite);
    logic otr;  // AES-OTR: a block cipher of 16 bytes, so everything but the schedule is smaller
    otr = suite inside {8'h11, 8'h12};
    suite_info = '{
        served: otr || suite inside {8'h01, 8'h02, 8'h03, 8'h04},
        key_bytes: (suite == 8'h11) ? 32'd16 : (suite == 8'h12) ? 32'd32 : 32'd64,
        nonce_bytes: otr ? 32'd12 : 32'd32,
        tag_bytes: otr ? 32'd16 : 32'd32,
        block_bytes: 64,
        ad_cache: otr || suite inside {8'h01, 8'h02},
        sha512: suite inside {8'h01, 8'h03},
        max_packets: otr ? 64'h1000_0000 : 64'h1_0000_0000_0000
    };
  endfunction

  // Which core of a suite works: docs/cores.
  localparam logic [7:0] ARCH_ITERATIVE = 8'd0;  // omd-sha512-r1, omd-blake2b-f, those of p-OMD, otr-*-p-r1
  localparam logic [7:0] ARCH_INTERLEAVED = 8'd1;  // omd-sha512-x4, omd-blake2b-x8
  localparam logic [7:0] ARCH_SMALL = 8'd2;  // omd-blake2b-h
  localparam logic [7:0] ARCH_PIPELINED = 8'd3;  // otr-aes128-p-p2
  localparam logic [7:0] ARCH_MASKED = 8'd4;  // otr-aes128-p-m1
  localparam logic [7:0] ARCH_UNROLLED = 8'd5;  // otr-aes128-p-p21

  // Packets that this core works on at a time, in any order; 0: there is no such core.
  function automatic int unsigned contexts_of(input logic [7:0] suite, input logic [7:0] architecture);
    unique case (architecture)
      ARCH_ITERATIVE: return suite_info(suite).served ? 1 : 0;
      ARCH_INTERLEAVED: return (suite == 8'h01) ? 4 : (suite == 8'h02) ? 8 : 0;
      ARCH_SMALL: return (suite == 8'h02) ? 1 : 0;
      ARCH_PIPELINED, ARCH_MASKED, ARCH_UNROLLED: return (suite == 8'h11) ? 1 : 0;
      default: return 0;
    endcase
  endfunction

  // Packets in so many such cores side by side and behind them, where they wait for their turn to leave; a lone core that works on
  // one at a time has no need of it.
  function automatic int unsigned turns_of(input logic [7:0] suite, input logic [7:0] architecture,
                                           input int unsigned lanes);
    return contexts_of(suite, architecture) > 1 ? 64 : 8 * lanes;
  endfunction

  // Fields that the first eight bytes of a packet carry.
  typedef struct packed {
    logic [3:0]  version;
    logic [3:0]  kind;     // message type
    logic [7:0]  suite;
    logic [15:0] length;   // bytes after byte 15
    logic [31:0] sid;      // a string: byte 0 in bits 7:0
  } header_t;

  function automatic logic [15:0] swap16(input logic [15:0] x);
    return {x[7:0], x[15:8]};
  endfunction

  function automatic logic [63:0] swap64(input logic [63:0] x);
    logic [63:0] y;
    for (int unsigned i = 0; i < 8; i++) y[8*i+:8] = x[8*(7-i)+:8];
    return y;
  endfunction

  function automatic header_t header_of(input logic [63:0] beat);
    return
    '{version: beat[7:4], kind: beat[3:0], suite: beat[15:8], length: swap16(beat[31:16]), sid: beat[63:32]}
    ;
  endfunction

  // First beat of a packet; the second one is swap64(packet number).
  function automatic logic [63:0] beat_of(input header_t h);
    return {h.sid, swap16(h.length), h.suite, h.version, h.kind};
  endfunction

  // ctx(c, sid): with sid zero the schedule's message, with the receiver's sid the associated data.
  function automatic logic [255:0] ctx(input logic [7:0] suite, input logic [7:0] c, input logic [7:0] kind,
                                       input logic [31:0] sid, input logic [63:0] id_i, input logic [63:0] id_r);
    return {id_r, id_i, sid, kind, c, suite, 8'(WIRE_VERSION), swap64("sealwire")};
  endfunction

  // Nonce = salt || packet number.
  function automatic logic [255:0] nonce_of(input logic [191:0] salt, input logic [63:0] pn);
    return {swap64(pn), salt};
  endfunction

  // Beats of a message of so many bytes (at least 1); a beat has a power of two of them, 8 or more.
  function automatic logic [LEN_BITS-4:0] beats_of(input logic [LEN_BITS-1:0] bytes, input int unsigned beat_bytes);
    return (LEN_BITS - 3)'(bytes >> $clog2(beat_bytes)) + (LEN_BITS - 3)'((bytes & LEN_BITS'(beat_bytes - 1)) != '0);
  endfunction

endpackage
