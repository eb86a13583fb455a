// SPDX-License-Identifier: Apache-2.0
//
// What passes between the modules of the link: beats, packets in work, sessions, settings, state.
// Byte order: byte i of every string (key, salt, id, data) is bits [8i+7:8i].
// Streams: a transfer is valid && ready; a beat holds until then. Ready is a signal of its own beside the structure.

package link_types_pkg;
  import link_pkg::*;

  // How a link is built: the parameters of sealwire_link.
  typedef struct packed {
    logic [7:0]  suite;
    logic [7:0]  architecture;
    int unsigned lanes;
    int unsigned work_bytes;
    int unsigned data_bits;       // of a beat of every stream but those of handshake messages
    logic        drop_when_full;
    logic        outer_ethernet;
    int unsigned fifo_bytes;
    int unsigned store_bytes;
    int unsigned replay_window;
    logic        fast_schedule;
    logic        slices;
    logic        count_ports;
    logic [7:0]  kind;
    logic [63:0] n_max;
  } build_t;

  // How many packets the link keeps notes of: all that cores with several contexts may hold, or one that takes commands ahead; or one
  // in work and the next.
  function automatic int unsigned in_work(input logic [7:0] suite, input logic [7:0] architecture,
                                          input int unsigned lanes);
    if (lanes * contexts_of(suite, architecture) > 1) return 2 * turns_of(suite, architecture, lanes);
    return architecture == ARCH_UNROLLED ? 16 : 2;
  endfunction

  // ------------------------------------------------------------------------------------------------ streams
  // A beat of 64 bits. Modules of packets take the type of their beats as a parameter of this name: link_end has the one of
  // BUILD.data_bits, with these fields.
  typedef struct packed {
    logic        valid;
    logic [63:0] data;
    logic [3:0]  bytes;  // of the beat; 8 but in a packet's last one
    logic        last;
  } beat_t;

  typedef beat_t message_beat_t;  // of a handshake message, whatever the width of packets

  // ------------------------------------------------------------------------------------------------ packets in work
  // A packet from its start to its verdict. Its nonce is formed where the core takes it, and stays nowhere: the salt is secret.
  typedef struct packed {
    logic                slot;    // of the session that it belongs to
    logic [31:0]         sid;     // in its header
    logic [63:0]         number;
    logic [LEN_BITS-1:0] length;  // of the message, bytes
  } packet_t;

  typedef struct packed {
    logic    valid;
    packet_t packet;
  } command_t;

  // Whether a message is a frame; a shorter message only shows that the peer lives.
  function automatic logic is_frame(input logic [LEN_BITS-1:0] length);
    return length >= LEN_BITS'(MIN_FRAME);
  endfunction

  typedef struct packed {
    logic         valid;
    logic [255:0] data;
  } tag_t;

  typedef struct packed {
    logic         valid;
    logic         ok;     // opening: the tag was right
    logic [255:0] tag;    // sealing
  } result_t;

  // ------------------------------------------------------------------------------------------------ sessions
  // A session's secrets and ids, in words of 32 bits as they are loaded by an initiator: key and salt of what it sends are those
  // of i->r, its own session id is sid_i. A responder's words change places in pairs (session_place).
  localparam int unsigned SESSION_WORDS = 46;
  localparam int unsigned SALTS_AT = 32;
  localparam int unsigned SIDS_AT = 44;
  typedef struct packed {
    logic [31:0]  peer_sid;
    logic [31:0]  own_sid;
    logic [191:0] salt_rx;
    logic [191:0] salt_tx;
    logic [511:0] key_rx;
    logic [511:0] key_tx;
  } session_t;

  // Where word i of a load stands in a session_t. The words of a load: key i->r, key r->i, salt i->r, salt r->i, sid_i, sid_r.
  function automatic logic [5:0] session_place(input logic [5:0] i, input logic initiator);
    if (initiator) return i;
    if (i < 6'(SALTS_AT)) return i ^ 6'd16;
    if (i >= 6'(SIDS_AT)) return i ^ 6'd1;
    return i < 6'(SALTS_AT + 6) ? i + 6'd6 : i - 6'd6;
  endfunction

  // Who the two ends are.
  typedef struct packed {
    logic        initiator;  // this end is
    logic        bad;        // an id is zero, or both are the same
    logic [63:0] id_i;
    logic [63:0] id_r;
  } identity_t;

  // A session slot but for its secrets.
  typedef struct packed {
    logic        live;
    logic        heard;     // a valid packet came since it was installed
    logic        sealable;  // live, with packet numbers left
    logic        quiet;     // nothing sealed for 250 ms
    logic        overdue;   // to be erased
    logic        renew;     // old or nearly used up
    logic [31:0] age_ms;
    logic [31:0] own_sid;   // packets to this end carry it
    logic [31:0] peer_sid;
    logic [63:0] sent;      // packet numbers spent; the next one
  } slot_t;

  // Whether this end uses the session id in a slot.
  function automatic logic is_live(input slot_t [1:0] slots, input logic [31:0] own_sid);
    return (slots[0].live && slots[0].own_sid == own_sid) || (slots[1].live && slots[1].own_sid == own_sid);
  endfunction

  // The secrets of one direction of a slot, with the associated data of its packets.
  typedef struct packed {
    logic [511:0] key;
    logic [255:0] ad;
    logic [191:0] salt;
  } keys_t;

  // What the sessions ask of both directions.
  typedef struct packed {
    logic hold;  // level: start no packet
    logic clear;  // pulse at the start of a wipe: zeroise
    logic wipe;  // level: everything in work is dropped and counted
    logic [1:0] erase;  // pulse: this slot's session ends, its keys are forgotten
    logic [1:0] install;  // pulse: a new session begins in this slot
  } order_t;

  // Secret random bytes for a direction whose core masks its key; each is used once, and for nothing else.
  typedef struct packed {
    logic         valid;
    logic [159:0] data;
  } seed_t;

  // What a direction tells the sessions.
  typedef struct packed {
    logic idle;     // no packet in work
    logic busy;     // the core has key work or a packet, or zeroises
    logic unclean;  // something zeroises or counts after a wipe
    logic working;  // a packet or a new key is in the core
    logic stirs;    // something waits in a FIFO, of any clock: for assertions
    logic seedless;  // the core masks its key and lacks a seed
    logic seed_ready;  // it takes one that is valid
    logic alarm;    // level: its random bits failed; no packet passes until a seed comes
  } direction_t;

  // Pulses of the sessions, and what lasts.
  typedef struct packed {
    logic tick;      // pulse: a millisecond
    logic heard;     // pulse: a valid packet
    logic promoted;  // pulse: the first one in `alt`
    logic taken;     // pulse: the session on offer is installed
    logic cur;       // slot of the current session
    logic renew;     // there is none, or it is old or nearly used up
  } progress_t;

  // ------------------------------------------------------------------------------------------------ handshake
  // State of the initiator's handshake.
  typedef enum logic [1:0] {
    HS_IDLE,
    HS_HELLO,
    HS_CONFIRM
  } handshake_e;

  // A handshake message, behind receive rules 1 and 2 or to be sent, but for R and MAC, which are read word by word.
  typedef struct packed {
    logic [63:0] number;  // of a hello; else 0
    logic [3:0]  kind;
    logic [31:0] sid;
  } message_t;

  // A word of an output of the key schedule for the next session.
  typedef struct packed {
    logic        valid;     // pulse
    logic [7:0]  c;         // CTX_I_TO_R, CTX_R_TO_I or CTX_SALTS, which brings the ids with it
    logic [2:0]  at;        // which word of the output
    logic [63:0] data;
    logic [31:0] own_sid;
    logic [31:0] peer_sid;
  } derived_t;

  // The session id that a hello-reply or confirm must have to be of use now.
  typedef struct packed {
    logic        valid;  // there is one
    logic [31:0] sid;
  } awaited_t;

  // What the handshake asks of the sessions.
  typedef struct packed {
    derived_t derived;
    logic     offer;    // level: install the next session
    logic     clear;    // wipe the words of the next session
    logic     probe;    // pulse: seal a keep-alive in `alt`, behind the confirm
  } proposal_t;

  // ------------------------------------------------------------------------------------------------ control
  // Settings: they change in reset only.
  typedef struct packed {
    logic [63:0] local_id;    // 8-byte strings, not zero, different
    logic [63:0] peer_id;
    logic [47:0] local_mac;   // outer header
    logic [47:0] peer_mac;
    logic        handshake;   // 1 sessions by handshake, 0 loaded by software
    logic [19:0] ms_cycles;   // cycles of core_clk a millisecond; 0: time stands still
    logic [31:0] t_rekey_ms;
    logic [31:0] t_max_ms;
  } settings_t;

  // A word of the next session from software.
  typedef struct packed {
    logic        write;   // pulse
    logic [5:0]  index;
    logic [31:0] data;
    logic        commit;  // pulse: install the session
  } load_t;

  typedef struct packed {
    logic        ready;            // level: words and commits of a loaded session are taken
    logic        loaded;           // pulses that answer a commit
    logic        refused;
    logic        session_up;
    logic        busy;
    logic        resetting;
    logic        sealing;
    logic        opening;
    logic        second_session;
    logic        initiator;
    logic        ids_bad;
    logic        psk_held;
    handshake_e  handshake_state;
    logic [31:0] session_age_ms;
    logic [31:0] own_sid;
    logic [31:0] peer_sid;
  } status_t;

  // ------------------------------------------------------------------------------------------------ counters
  // In the order of the registers (control/sealwire_link_regs.rdl): a new counter is one line here and one there. The last two
  // are no counters of their own, but numbers of the current session.
  typedef enum logic [5:0] {
    COUNT_TRUSTED_IN,
    COUNT_TRUSTED_IN_BYTES,
    COUNT_SEALED,
    COUNT_SEALED_BYTES,
    COUNT_DROP_TRUSTED_OVERLOAD,
    COUNT_DROP_TRUSTED_SIZE,
    COUNT_DROP_TRUSTED_SESSION,
    COUNT_UNTRUSTED_OUT,
    COUNT_UNTRUSTED_IN,
    COUNT_UNTRUSTED_IN_BYTES,
    COUNT_DELIVERED,
    COUNT_DELIVERED_BYTES,
    COUNT_KEEPALIVES_IN,
    COUNT_KEEPALIVES_OUT,
    COUNT_DROP_OVERLOAD,
    COUNT_DROP_SHORT,
    COUNT_DROP_VERSION,
    COUNT_DROP_TYPE,
    COUNT_DROP_SUITE,
    COUNT_DROP_LENGTH,
    COUNT_DROP_SESSION,
    COUNT_DROP_NUMBER,
    COUNT_DROP_REPLAY,
    COUNT_DROP_AUTH,
    COUNT_DROP_FOREIGN,
    COUNT_HANDSHAKES_IN,
    COUNT_HANDSHAKES_OUT,
    COUNT_DROP_PEER,
    COUNT_SESSIONS_INSTALLED,
    COUNT_SESSIONS_TAKEN,
    COUNT_DROP_STALE,
    COUNT_DROP_SURPLUS,
    COUNT_DROP_TRUSTED_BAD,
    COUNT_DROP_TRUSTED_CONTROL,
    COUNT_DROP_BAD,
    COUNT_SESSION_SENT,
    COUNT_SESSION_RECEIVED,
    COUNTERS  // how many there are
  } counter_e;
  typedef logic [COUNTERS-1:0][63:0] counts_t;  // by counter_e
  localparam int unsigned KEPT_COUNTERS = 32'(COUNT_SESSION_SENT);  // all but the numbers of the session

  // What one cycle adds, by counter_e; a beat has at most sixteen bytes.
  typedef logic [COUNTERS-1:0][4:0] counted_t;

  // Whether a counter counts bytes; every other one counts packets or events.
  function automatic logic counts_bytes(input counter_e counter);
    return counter inside {COUNT_TRUSTED_IN_BYTES, COUNT_SEALED_BYTES, COUNT_UNTRUSTED_IN_BYTES, COUNT_DELIVERED_BYTES};
  endfunction

  // What one cycle of an outer clock adds to a counter at most, both directions together: the bytes of a beat, or two packets,
  // one that ends at an entrance and one that ends behind it.
  localparam int unsigned MAX_PACKETS_A_CYCLE = 2;

  // The sum of what the blocks of the core's clock count in one cycle, each of them once at most.
  localparam int unsigned CORE_SOURCES = 6;
  localparam int unsigned GAIN_BITS = $clog2(CORE_SOURCES + 1);
  typedef logic [COUNTERS-1:0][GAIN_BITS-1:0] gains_t;

  // A request to read a counter.
  typedef struct packed {
    logic     valid;    // level, until it is answered
    counter_e counter;
  } counter_read_t;

  // Of one direction, by clock.
  typedef struct packed {
    counted_t            trusted;
    counted_t [1:0]      core;          // where packets begin, and where they end
    counted_t            untrusted;
    logic [LEN_BITS-1:0] sealed_bytes;  // core, of what counts as COUNT_SEALED; more than a beat at once
  } direction_counted_t;

  // A sum that comes from an outer clock.
  localparam int unsigned SUM_BITS = 20;
  typedef struct packed {
    logic                valid;    // pulse: add `sum` to the counter of `channel`
    logic [3:0]          channel;
    logic [SUM_BITS-1:0] sum;
  } arrived_t;

  // What the two outer clocks count: each has one channel to core_clk a counter.
  localparam int unsigned TRUSTED_CHANNELS = 9;
  localparam counter_e [TRUSTED_CHANNELS-1:0] TRUSTED_COUNTERS = {
    COUNT_DROP_SESSION,
    COUNT_DELIVERED_BYTES,
    COUNT_DELIVERED,
    COUNT_DROP_TRUSTED_CONTROL,
    COUNT_DROP_TRUSTED_BAD,
    COUNT_DROP_TRUSTED_SIZE,
    COUNT_DROP_TRUSTED_OVERLOAD,
    COUNT_TRUSTED_IN_BYTES,
    COUNT_TRUSTED_IN
  };
  localparam int unsigned UNTRUSTED_CHANNELS = 14;
  localparam counter_e [UNTRUSTED_CHANNELS-1:0] UNTRUSTED_COUNTERS = {
    COUNT_DROP_NUMBER,
    COUNT_DROP_PEER,
    COUNT_DROP_SESSION,
    COUNT_DROP_BAD,
    COUNT_DROP_FOREIGN,
    COUNT_DROP_LENGTH,
    COUNT_DROP_SUITE,
    COUNT_DROP_TYPE,
    COUNT_DROP_VERSION,
    COUNT_DROP_SHORT,
    COUNT_DROP_OVERLOAD,
    COUNT_UNTRUSTED_IN_BYTES,
    COUNT_UNTRUSTED_IN,
    COUNT_UNTRUSTED_OUT
  };

  // The counter of a channel, by clock; COUNTERS for a channel that is not there.
  function automatic counter_e trusted_counter(input logic [3:0] channel);
    return 32'(channel) < TRUSTED_CHANNELS ? TRUSTED_COUNTERS[channel] : COUNTERS;
  endfunction

  function automatic counter_e untrusted_counter(input logic [3:0] channel);
    return 32'(channel) < UNTRUSTED_CHANNELS ? UNTRUSTED_COUNTERS[channel] : COUNTERS;
  endfunction

endpackage
