// SPDX-License-Identifier: Apache-2.0
//
// Several AEAD cores side by side, behind the ports of one with as many contexts as all of them together: link_interleave deals
// packets out to contexts that are free and puts what comes back in order, and so does both for the lanes here.
// Context c is context c / LANES of lane c % LANES, so that packets in contexts next to each other are in different lanes.
// Key and associated data of a session go to every lane (`all`), and their command has ended when it has in the last one.
// A core with one context takes an expected tag at its end only; it waits here, so that the next packet can come in.
// Byte order: byte i of every string is bits [8i+7:8i]. Cycles: none beside the cores'; one beat of `out` and one result a cycle.
// Security: `out` is unverified in opening. A clear reaches every lane; tags that wait here are zeroised with it.

module link_lanes
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter  logic        [7:0] SUITE        = 8'h01,
    parameter  logic        [7:0] ARCHITECTURE = ARCH_ITERATIVE,
    parameter  int unsigned       LANES        = 2,                                // a power of two, 2 or more
    parameter  type               beat_t       = link_types_pkg::beat_t,
    localparam int unsigned       CONTEXTS     = contexts_of(SUITE, ARCHITECTURE)  // of a lane
) (
    input  logic           clk,
    input  logic           clear,
    input  logic           forget,     // zeroises the random bits of cores in shares, too
    input  seed_t          seed,       // for the first lane that lacks one
    output logic           seedless,
    output logic           alarm,
    input  logic           all,        // level, only while no packet is in work: key and commands are for every lane
    input  logic   [255:0] packet_ad,  // for cores that keep no associated data
           aead_if         port        // LANES * CONTEXTS contexts
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned KEY_BITS = 8 * INFO.key_bytes;
  localparam int unsigned NONCE_BITS = 8 * INFO.nonce_bytes;
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;
  localparam int unsigned LANE_BITS = $clog2(LANES);
  localparam int unsigned CTX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1;
  localparam int unsigned PORT_BITS = $clog2(LANES * CONTEXTS);

  if (LANES < 2 || (LANES & (LANES - 1)) != 0) begin : g_bad_lanes
    $fatal(1, "link_lanes: LANES = %0d, must be a power of two, 2 or more", LANES);
  end

  typedef logic [LANE_BITS-1:0] lane_t;
  typedef logic [CTX_BITS-1:0] ctx_t;

  function automatic lane_t lane_of(input logic [PORT_BITS-1:0] place);
    return lane_t'(place & PORT_BITS'(LANES - 1));
  endfunction

  function automatic ctx_t ctx_of(input logic [PORT_BITS-1:0] place);
    return CONTEXTS > 1 ? ctx_t'(place >> LANE_BITS) : '0;
  endfunction

  function automatic logic [PORT_BITS-1:0] port_ctx(input lane_t lane, input ctx_t place);
    return CONTEXTS > 1 ? PORT_BITS'({place, lane}) : PORT_BITS'(lane);
  endfunction

  // ------------------------------------------------------------------------------------------------ what each lane says
  typedef struct packed {
    ctx_t  ctx;
    beat_t beat;
  } out_t;
  typedef struct packed {
    ctx_t                ctx;
    logic                ok;
    logic [TAG_BITS-1:0] tag;
  } verdict_t;

  logic [LANES-1:0] busy, key_ready, ad_ready, out_valid, result_valid;
  logic [LANES-1:0][CONTEXTS-1:0] cmd_ready, msg_ready, tag_in_ready;
  out_t [LANES-1:0] out;
  localparam int unsigned DATA_BITS = $bits(out[0].beat.data);
  verdict_t [LANES-1:0] result;

  // ------------------------------------------------------------------------------------------------ to every lane
  // A key, a command or a beat for all is taken when the last lane takes it; the others have it by then.
  logic [LANES-1:0] takes, has_q;
  assign port.busy = busy != '0;
  assign port.key_ready = &(has_q | key_ready);
  always_comb begin
    for (int unsigned c = 0; c < LANES * CONTEXTS; c++) begin
      port.cmd_ready[c] = cmd_ready[c%LANES][c/LANES];
      port.msg_ready[c] = msg_ready[c%LANES][c/LANES];
      port.tag_in_ready[c] = tag_in_ready[c%LANES][c/LANES];
    end
    port.ad_ready = '0;
    port.ad_ready[0] = &(has_q | ad_ready);
    if (all) begin
      port.cmd_ready[0] = 1'b1;
      for (int unsigned i = 0; i < LANES; i++) if (!has_q[i] && !cmd_ready[i][0]) port.cmd_ready[0] = 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    has_q <= (&(has_q | takes)) ? '0 : has_q | takes;
    if (clear) has_q <= '0;
  end

  // ------------------------------------------------------------------------------------------------ from the lanes
  // The lowest lane goes first. None starves: link_interleave begins no packet far ahead of the oldest one.
  logic [LANES-1:0] out_turn, result_turn;
  lane_t out_lane, result_lane;
  always_comb begin
    out_lane = '0;
    result_lane = '0;
    for (int unsigned i = LANES; i > 0; i--) begin
      if (out_valid[i-1]) out_lane = lane_t'(i - 1);
      if (result_valid[i-1]) result_lane = lane_t'(i - 1);
    end
    for (int unsigned i = 0; i < LANES; i++) begin
      out_turn[i] = out_lane == lane_t'(i);
      result_turn[i] = all ? &result_valid : result_lane == lane_t'(i);
    end
  end
  assign port.out = '{
          valid: out_valid != '0,
          ctx: port_ctx(out_lane, out[out_lane].ctx),
          data: out[out_lane].beat.data,
          bytes: out[out_lane].beat.bytes,
          last: out[out_lane].beat.last
      };
  assign port.result = '{
          valid: all ? &result_valid : result_valid != '0,
          ctx: port_ctx(result_lane, result[result_lane].ctx),
          ok: result[result_lane].ok,
          tag: result[result_lane].tag
      };

  // ------------------------------------------------------------------------------------------------ seeds
  logic [LANES-1:0] lane_seedless, lane_alarm;
  seed_t [LANES-1:0] lane_seed;
  assign seedless = lane_seedless != '0;
  assign alarm = lane_alarm != '0;
  always_comb begin
    logic given;
    given = 1'b0;
    for (int unsigned i = 0; i < LANES; i++) begin
      lane_seed[i] = '{valid: seed.valid && lane_seedless[i] && !given, data: seed.data};
      given |= lane_seedless[i];
    end
  end

  // ------------------------------------------------------------------------------------------------ the lanes
  for (genvar i = 0; i < LANES; i++) begin : g_lane
    aead_if #(
        .DATA_BITS (DATA_BITS),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .CONTEXTS  (CONTEXTS)
    ) core ();
    link_aead #(
        .SUITE(SUITE),
        .ARCHITECTURE(ARCHITECTURE),
        .DATA_BITS(DATA_BITS)
    ) u_aead (
        .*,
        .seed(lane_seed[i]),
        .seedless(lane_seedless[i]),
        .alarm(lane_alarm[i]),
        .io(core)
    );

    logic lacks;  // what comes for all
    assign lacks = all && !has_q[i];
    assign takes[i] = all && ((core.key.valid && core.key_ready) || (core.cmd.valid && core.cmd_ready[0]) ||
        (core.ad.valid && core.ad_ready[0]));

    assign core.key = '{valid: port.key.valid && lacks, data: port.key.data};
    assign core.cmd = '{
            valid: port.cmd.valid && (all ? lacks : lane_of(port.cmd.ctx) == lane_t'(i)),
            ctx: ctx_of(port.cmd.ctx),
            op: port.cmd.op,
            cached_ad: port.cmd.cached_ad,
            nonce: port.cmd.nonce
        };
    assign core.msg = '{
            valid: port.msg.valid && lane_of(port.msg.ctx) == lane_t'(i),
            ctx: ctx_of(port.msg.ctx),
            data: port.msg.data,
            bytes: port.msg.bytes,
            last: port.msg.last
        };
    assign core.out_ready = port.out_ready && out_turn[i];
    assign core.result_ready = port.result_ready && result_turn[i];

    if (INFO.ad_cache) begin : g_cached_ad
      assign core.ad = '{
              valid: port.ad.valid && lacks,
              ctx: '0,
              data: port.ad.data,
              bytes: port.ad.bytes,
              last: port.ad.last
          };
    end else begin : g_ad_with_packet
      beat_t beat;
      ad_with_packet #(
          .beat_t(beat_t)
      ) u_ad (
          .*,
          .rst(clear),
          .ad(packet_ad),
          .begins(core.cmd.valid && core.cmd_ready[0]),
          .beat_ready(core.ad_ready[0])
      );
      assign core.ad = '{valid: beat.valid, ctx: '0, data: beat.data, bytes: beat.bytes, last: beat.last};
    end

    logic tag_here;
    assign tag_here = port.tag_in.valid && lane_of(port.tag_in.ctx) == lane_t'(i);
    if (CONTEXTS == 1) begin : g_tag_waits
      logic full_q;
      logic [TAG_BITS-1:0] tag_q;
      assign core.tag_in = '{valid: full_q, ctx: '0, data: tag_q};
      assign tag_in_ready[i] = !full_q && !clear;
      always_ff @(posedge clk) begin
        if (core.tag_in_ready[0]) full_q <= 1'b0;
        if (tag_here && !full_q) begin
          full_q <= 1'b1;
          tag_q  <= port.tag_in.data;
        end
        if (clear) begin
          full_q <= 1'b0;
          tag_q  <= '0;
        end
      end
    end else begin : g_tag
      assign core.tag_in = '{valid: tag_here, ctx: ctx_of(port.tag_in.ctx), data: port.tag_in.data};
      assign tag_in_ready[i] = core.tag_in_ready;
    end

    assign busy[i] = core.busy;
    assign key_ready[i] = core.key_ready;
    assign ad_ready[i] = core.ad_ready[0];
    assign cmd_ready[i] = core.cmd_ready;
    assign msg_ready[i] = core.msg_ready;
    assign out_valid[i] = core.out.valid;
    assign out[i].ctx = core.out.ctx;
    assign out[i].beat = '{valid: core.out.valid, data: core.out.data, bytes: core.out.bytes, last: core.out.last};
    assign result_valid[i] = core.result.valid;
    assign result[i] = '{ctx: core.result.ctx, ok: core.result.ok, tag: core.result.tag};
  end

  wire unused = &{1'b0, packet_ad, port.ad};

`ifndef SYNTHESIS
  logic seen_q;  // a clear has come: before it nothing is known
  initial seen_q = 1'b0;
  always_ff @(posedge clk) begin
    if (clear) seen_q <= 1'b1;
    if (seen_q && !clear) begin
      a_all_at_rest :
      assert (!all || (!port.msg.valid && !port.tag_in.valid && out_valid == '0))
      else $error("link_lanes: a key or command for every lane while a packet is in one");
      a_all_alike :
      assert (all || has_q == '0)
      else $error("link_lanes: one lane has what another one lacks");
    end
  end
`endif
endmodule
