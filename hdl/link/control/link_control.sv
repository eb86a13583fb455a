// SPDX-License-Identifier: Apache-2.0
//
// The control plane of a link: registers on AXI4-Lite (described in sealwire_link_regs.rdl), secrets handed over whole, counters
// read without tearing. Guide: docs/control.md. Byte order: byte i of every string is bits [8i+7:8i].
// Security: secrets are write-only and wiped with their handover, by a zeroise and by any reset of the link; the bus registers
// keep the last word until the next write, which the commit is.

module link_control
  import link_pkg::*;
  import sealwire_link_regs_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] KIND = 8'h00,
    parameter int unsigned PACKETS = 1,  // in work in one direction's core
    parameter bit DROP_WHEN_FULL = 1'b1,
    parameter bit OUTER_ETHERNET = 1'b1,
    parameter int unsigned FIFO_BYTES = 32768,
    parameter int unsigned STORE_BYTES = 131072,
    parameter int unsigned COUNTERS = 25
) (
    input  logic                      clk,
    input  logic                      rst,              // registers to their reset values
    // AXI4-Lite
    input  logic [        11:0]       s_axil_awaddr,
    input  logic [         2:0]       s_axil_awprot,
    input  logic                      s_axil_awvalid,
    output logic                      s_axil_awready,
    input  logic [        31:0]       s_axil_wdata,
    input  logic [         3:0]       s_axil_wstrb,
    input  logic                      s_axil_wvalid,
    output logic                      s_axil_wready,
    output logic [         1:0]       s_axil_bresp,
    output logic                      s_axil_bvalid,
    input  logic                      s_axil_bready,
    input  logic [        11:0]       s_axil_araddr,
    input  logic [         2:0]       s_axil_arprot,
    input  logic                      s_axil_arvalid,
    output logic                      s_axil_arready,
    output logic [        31:0]       s_axil_rdata,
    output logic [         1:0]       s_axil_rresp,
    output logic                      s_axil_rvalid,
    input  logic                      s_axil_rready,
    // the link
    output logic [        63:0]       local_id,
    output logic [        63:0]       peer_id,
    output logic [        47:0]       local_mac,
    output logic [        47:0]       peer_mac,
    output logic                      psk_valid,
    input  logic                      psk_ready,
    output logic [       511:0]       psk_data,
    output logic                      session_valid,
    input  logic                      session_ready,
    output logic [       511:0]       session_data,
    output logic                      keepalive_valid,
    input  logic                      keepalive_ready,
    output logic                      restart,          // level, 16 cycles: reset of the link
    output logic                      zeroise,          // pulse
    input  logic                      resetting,
    input  logic                      session_up,
    input  logic                      session_error,
    input  logic                      busy,
    input  logic                      sealing,
    input  logic                      opening,
    input  logic [COUNTERS-1:0][63:0] counts            // in the order of the registers
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned COUNTER_BITS = $clog2(COUNTERS);

  sealwire_link_regs__in_t  in;
  sealwire_link_regs__out_t out;

  sealwire_link_regs u_regs (
      .clk,
      .rst,
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in (in),
      .hwif_out(out)
  );

  // ------------------------------------------------------------------------------------------------ what this is
  assign in.capabilities.suite.next = SUITE;
  assign in.capabilities.kind.next = KIND;
  assign in.capabilities.contexts.next = 5'(PACKETS);
  assign in.capabilities.outer_ethernet.next = OUTER_ETHERNET;
  assign in.capabilities.drop_when_full.next = DROP_WHEN_FULL;
  assign in.sizes.fifo_log2.next = 8'($clog2(FIFO_BYTES));
  assign in.sizes.store_log2.next = 8'($clog2(STORE_BYTES));
  assign in.suite_sizes.key.next = 8'(INFO.key_bytes);
  assign in.suite_sizes.salt.next = 8'(INFO.nonce_bytes - 8);
  assign in.suite_sizes.tag.next = 8'(INFO.tag_bytes);
  assign in.suite_sizes.psk.next = 8'(INFO.block_bytes);

  // ------------------------------------------------------------------------------------------------ settings
  // The link may see its settings change in reset only, so they are copied at the first edge of a restart.
  typedef struct packed {
    logic [63:0] local_id;
    logic [63:0] peer_id;
    logic [47:0] local_mac;
    logic [47:0] peer_mac;
  } settings_t;

  settings_t settings, settings_q;
  logic [4:0] restart_q;

  assign settings.local_id = {out.local_id[1].bytes.value, out.local_id[0].bytes.value};
  assign settings.peer_id = {out.peer_id[1].bytes.value, out.peer_id[0].bytes.value};
  assign settings.local_mac = {out.local_mac.high.bytes.value, out.local_mac.low.bytes.value};
  assign settings.peer_mac = {out.peer_mac.high.bytes.value, out.peer_mac.low.bytes.value};
  assign {local_id, peer_id, local_mac, peer_mac} = settings_q;
  assign restart = restart_q[4];

  always_ff @(posedge clk) begin
    if (restart) restart_q <= restart_q + 5'd1;
    if (out.command.restart.value) begin
      restart_q  <= 5'd16;
      settings_q <= settings;
    end
    if (rst) begin
      restart_q  <= '0;
      settings_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ secrets
  logic forget;
  assign zeroise = out.command.zeroise.value;
  assign forget  = zeroise || resetting;

  link_staging #(
      .WORDS(16)
  ) u_psk (
      .clk,
      .rst,
      .clear(forget),
      .req(out.psk.req),
      .req_is_wr(out.psk.req_is_wr),
      .index(out.psk.addr[5:2]),
      .wr_data(out.psk.wr_data),
      .wr_biten(out.psk.wr_biten),
      .wr_ack(in.psk.wr_ack),
      .rd_ack(in.psk.rd_ack),
      .commit(out.command.commit_psk.value),
      .refused(in.events.psk_incomplete.hwset),
      .complete(in.status.psk_complete.next),
      .valid(psk_valid),
      .ready(psk_ready),
      .data(psk_data)
  );
  assign in.psk.rd_data = '0;

  link_staging #(
      .WORDS(16)
  ) u_session (
      .clk,
      .rst,
      .clear(forget),
      .req(out.session.req),
      .req_is_wr(out.session.req_is_wr),
      .index(out.session.addr[5:2]),
      .wr_data(out.session.wr_data),
      .wr_biten(out.session.wr_biten),
      .wr_ack(in.session.wr_ack),
      .rd_ack(in.session.rd_ack),
      .commit(out.command.commit_session.value),
      .refused(in.events.session_incomplete.hwset),
      .complete(in.status.session_complete.next),
      .valid(session_valid),
      .ready(session_ready),
      .data(session_data)
  );
  assign in.session.rd_data = '0;

  always_ff @(posedge clk) begin
    if (out.command.keepalive.value) keepalive_valid <= 1'b1;
    else if (keepalive_ready) keepalive_valid <= 1'b0;
    if (rst || forget) keepalive_valid <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ state
  assign in.status.session_up.next = session_up;
  assign in.status.busy.next = busy;
  assign in.status.resetting.next = resetting;
  assign in.status.sealing.next = sealing;
  assign in.status.opening.next = opening;
  assign in.status.psk_pending.next = psk_valid;
  assign in.status.session_pending.next = session_valid;
  assign in.status.keepalive_pending.next = keepalive_valid;
  assign in.events.session_refused.hwset = session_error;
  assign in.events.was_reset.hwset = resetting;

  link_counter_read #(
      .COUNTERS(COUNTERS)
  ) u_counters (
      .clk,
      .rst,
      .req(out.counters.req),
      .req_is_wr(out.counters.req_is_wr),
      .index(out.counters.addr[3+:COUNTER_BITS]),
      .high(out.counters.addr[2]),
      .wr_ack(in.counters.wr_ack),
      .rd_ack(in.counters.rd_ack),
      .rd_data(in.counters.rd_data),
      .counts
  );
endmodule
