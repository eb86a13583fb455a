// SPDX-License-Identifier: Apache-2.0
//
// One end of a link, with structures for ports: sealwire_link and sealwire_link_axil put theirs around it. Joins both directions,
// the sessions, the handshake and the counters. Specification: docs/wire-format.md; module map, clocks and resets: README.md.
// Byte order: byte i of every string is bits [8i+7:8i]; byte 0 of a packet is in the low byte of its first beat.
// Security: nothing leaves on the trusted side before its tag and its packet number were accepted; no keys after reset.

module link_end
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic                                  trusted_clk,
    input  logic                                  trusted_rst,              // any of the three resets restarts all
    input  logic                                  core_clk,
    input  logic                                  core_rst,
    input  logic                                  untrusted_clk,
    input  logic                                  untrusted_rst,
    input  logic          [  BUILD.data_bits-1:0] s_axis_trusted_tdata,     // trusted_clk
    input  logic          [BUILD.data_bits/8-1:0] s_axis_trusted_tkeep,
    input  logic                                  s_axis_trusted_tvalid,
    input  logic                                  s_axis_trusted_tlast,
    input  logic                                  s_axis_trusted_tuser,     // at its last beat: the frame is damaged
    output logic                                  s_axis_trusted_tready,
    output logic          [  BUILD.data_bits-1:0] m_axis_trusted_tdata,
    output logic          [BUILD.data_bits/8-1:0] m_axis_trusted_tkeep,
    output logic                                  m_axis_trusted_tvalid,
    output logic                                  m_axis_trusted_tlast,
    input  logic                                  m_axis_trusted_tready,
    input  logic          [  BUILD.data_bits-1:0] s_axis_untrusted_tdata,   // untrusted_clk
    input  logic          [BUILD.data_bits/8-1:0] s_axis_untrusted_tkeep,
    input  logic                                  s_axis_untrusted_tvalid,
    input  logic                                  s_axis_untrusted_tlast,
    input  logic                                  s_axis_untrusted_tuser,
    output logic                                  s_axis_untrusted_tready,
    output logic          [  BUILD.data_bits-1:0] m_axis_untrusted_tdata,
    output logic          [BUILD.data_bits/8-1:0] m_axis_untrusted_tkeep,
    output logic                                  m_axis_untrusted_tvalid,
    output logic                                  m_axis_untrusted_tlast,
    input  logic                                  m_axis_untrusted_tready,
    input  settings_t                             settings,                 // core_clk, from here on
    input  logic                                  psk_valid,
    output logic                                  psk_ready,
    input  logic          [                511:0] psk_data,
    input  logic          [                 63:0] psk_number,
    input  logic                                  random_valid,
    output logic                                  random_ready,
    input  logic          [                255:0] random_data,
    input  load_t                                 load,
    input  logic                                  zeroise,
    output status_t                               status,
    input  counter_read_t                         count_read,
    output logic                                  count_done,               // `count` answers the request
    output logic          [                 63:0] count,
    output counts_t                               counts                    // with count_ports
);
  if (contexts_of(BUILD.suite, BUILD.architecture) == 0) begin : g_bad_suite
    $fatal(
        1, "sealwire_link: no core for SUITE = %02x, ARCHITECTURE = %0d: see link_pkg", BUILD.suite, BUILD.architecture
    );
  end
  if (!(BUILD.lanes inside {1, 2, 4})) begin : g_bad_lanes
    $fatal(1, "sealwire_link: LANES = %0d, must be 1, 2 or 4", BUILD.lanes);
  end
  localparam bit FITS_64 = BUILD.data_bits == 64 && BUILD.architecture != ARCH_UNROLLED;
  localparam bit FITS_128 = BUILD.data_bits == 128 && BUILD.architecture != ARCH_INTERLEAVED;
  if (!FITS_64 && !FITS_128) begin : g_bad_data_bits
    $fatal(
        1,
        "sealwire_link: DATA_BITS = %0d, must be 64 or 128: 64 with interleaved cores, 128 with unrolled ones",
        BUILD.data_bits
    );
  end
  if (BUILD.fifo_bytes < 32768 || (BUILD.fifo_bytes & (BUILD.fifo_bytes - 1)) != 0) begin : g_bad_fifo
    $fatal(1, "sealwire_link: FIFO_BYTES = %0d, must be a power of two, 32768 or more", BUILD.fifo_bytes);
  end
  if (BUILD.n_max < 1 || BUILD.n_max > suite_info(BUILD.suite).max_packets) begin : g_bad_n_max
    $fatal(1, "sealwire_link: N_MAX = %0d, must be 1 to %0d", BUILD.n_max, suite_info(BUILD.suite).max_packets);
  end

  logic rst_trusted, rst_core, rst_untrusted;
  link_reset u_reset (.*);

  typedef struct packed {
    logic                               valid;
    logic [BUILD.data_bits-1:0]         data;
    logic [$clog2(BUILD.data_bits/8):0] bytes;  // of the beat; all of them but in a packet's last one
    logic                               last;
  } beat_t;

  identity_t identity;
  order_t order;
  progress_t progress;
  proposal_t proposal;
  slot_t [1:0] slots;
  keys_t [1:0] keys_tx, keys_rx;
  direction_t tx, rx;
  direction_counted_t tx_counted, rx_counted;
  counted_t session_counted, handshake_counted;
  message_beat_t message_in, message_out;
  awaited_t awaited;
  logic message_in_ready, message_out_ready;
  logic good, good_slot, coming, keepalive_valid, keepalive_ready, keepalive_slot;
  logic [31:0] coming_sid;
  logic [1:0] take;
  logic [1:0][63:0] accepted;
  logic load_ready, load_done, load_error, session_busy, handshake_busy, handshake_stirs, psk_known, moving;
  handshake_e state;
  counts_t totals;
  seed_t seed_tx, seed_rx;
  logic r_ready, seedless, erase_all;
  logic [1:0] alarm_q;

  link_tx #(
      .BUILD (BUILD),
      .beat_t(beat_t)
  ) u_tx (
      .*,
      .cur (progress.cur),
      .seed(seed_tx)
  );

  link_rx #(
      .BUILD (BUILD),
      .beat_t(beat_t)
  ) u_rx (
      .*,
      .seed(seed_rx)
  );

  // Cores in shares get their seeds before a handshake gets its R: a random value serves for one of them, and once. What is told
  // of their random bits' alarm is a zeroise, so that whatever was in the core is counted and no key stays.
  assign seed_tx = '{valid: random_valid && tx.seed_ready, data: random_data[159:0]};
  assign seed_rx = '{valid: random_valid && rx.seed_ready && !tx.seed_ready, data: random_data[159:0]};
  assign seedless = tx.seedless || rx.seedless;
  assign random_ready = seedless ? tx.seed_ready || rx.seed_ready : r_ready;
  assign erase_all = zeroise || (alarm_q[0] && !alarm_q[1]);
  always_ff @(posedge core_clk) alarm_q <= rst_core ? '0 : {alarm_q[0], tx.alarm || rx.alarm};

  link_session #(
      .BUILD(BUILD)
  ) u_session (
      .*,
      .clk(core_clk),
      .rst(rst_core),
      .zeroise(erase_all)
  );

  handshake #(
      .SUITE (BUILD.suite),
      .KIND  (BUILD.kind),
      .FAST  (BUILD.fast_schedule),
      .SLICES(BUILD.slices)
  ) u_handshake (
      .*,
      .clk(core_clk),
      .rst(rst_core),
      .enabled(settings.handshake),
      .random_valid(random_valid && !seedless),
      .random_ready(r_ready)
  );

  logic [63:0] kept_count;
  link_counters #(
      .PORTS(BUILD.count_ports),
      .BEAT_BYTES(BUILD.data_bits / 8),
      .SLICES(BUILD.slices)
  ) u_counters (
      .*,
      .count(kept_count)
  );

  slot_t current;
  assign current = slots[progress.cur];
  assign status = '{
          ready: load_ready,
          loaded: load_done,
          refused: load_error,
          session_up: current.live,
          busy: handshake_busy || session_busy,
          resetting: rst_core,
          sealing: tx.working,
          opening: rx.working,
          second_session: slots[!progress.cur].live,
          initiator: identity.initiator,
          ids_bad: identity.bad,
          psk_held: psk_known,
          handshake_state: state,
          session_age_ms: current.age_ms,
          own_sid: current.own_sid,
          peer_sid: current.peer_sid
      };
  logic [63:0] session_received;
  assign session_received = current.live ? accepted[progress.cur] : '0;
  always_comb begin
    counts = totals;
    counts[COUNT_SESSION_SENT] = current.sent;
    counts[COUNT_SESSION_RECEIVED] = session_received;
    unique case (count_read.counter)
      COUNT_SESSION_SENT: count = current.sent;
      COUNT_SESSION_RECEIVED: count = session_received;
      default: count = kept_count;
    endcase
  end

`ifndef SYNTHESIS
  // Totals balance whenever nothing has moved for long enough for every count to arrive. Signals of the other domains are
  // only looked at here, for the length of the rest.
  logic [11:0] rest_q;
  logic stirs;
  assign stirs = moving || !tx.idle || !rx.idle || tx.stirs || rx.stirs || handshake_stirs || rst_core ||
      s_axis_trusted_tvalid || s_axis_untrusted_tvalid || m_axis_trusted_tvalid || m_axis_untrusted_tvalid;
  // Names tell which counters hold the fates of what came in, so that a new cause is among them.
  logic [COUNTERS-1:0] of_trusted, of_untrusted;
  initial
    for (int unsigned i = 0; i < 32'(COUNTERS); i++) begin
      automatic counter_e counter = counter_e'(i);
      automatic string name = counter.name();
      of_trusted[i] = counter == COUNT_SEALED || name.substr(0, 18) == "COUNT_DROP_TRUSTED_";
      of_untrusted[i] = counter inside {COUNT_DELIVERED, COUNT_KEEPALIVES_IN, COUNT_HANDSHAKES_IN} ||
          (name.substr(0, 10) == "COUNT_DROP_" && !of_trusted[i]);
    end
  function automatic logic [63:0] total(input logic [COUNTERS-1:0] chosen);
    total = '0;
    for (int unsigned i = 0; i < 32'(COUNTERS); i++) if (chosen[i]) total += counts[i];
  endfunction
  always_ff @(posedge core_clk) begin
    rest_q <= stirs ? '0 : (rest_q == '1) ? rest_q : rest_q + 1'b1;
    if (!stirs && rest_q == '1) begin
      a_trusted_in :
      assert (counts[COUNT_TRUSTED_IN] == total(of_trusted))
      else $error("sealwire_link: trusted packets do not balance");
      a_untrusted_out :
      assert (counts[COUNT_UNTRUSTED_OUT] ==
              counts[COUNT_SEALED] + counts[COUNT_KEEPALIVES_OUT] + counts[COUNT_HANDSHAKES_OUT])
      else $error("sealwire_link: packets out do not balance");
      a_untrusted_in :
      assert (counts[COUNT_UNTRUSTED_IN] == total(of_untrusted))
      else $error("sealwire_link: untrusted packets do not balance");
    end
  end
`endif

  wire unused = &{1'b0, moving, current, handshake_stirs, tx, rx, totals};
endmodule
