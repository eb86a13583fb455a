// SPDX-License-Identifier: Apache-2.0
//
// The control plane of a link: registers on AXI4-Lite (described in sealwire_link_regs.rdl), secrets handed over whole, counters
// read without tearing. Guide: docs/control.md. Byte order: byte i of every string is bits [8i+7:8i].
// Security: secrets are write-only and wiped with their handover, by a zeroise and by any reset of the link; the bus registers
// keep the last word until the next write, which the commit is.

module link_control
  import link_pkg::*;
  import sealwire_link_regs_pkg::*;
  import link_control_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] KIND = 8'h00,
    parameter int unsigned PACKETS = 1,  // in work in one direction's core
    parameter bit DROP_WHEN_FULL = 1'b1,
    parameter bit OUTER_ETHERNET = 1'b1,
    parameter int unsigned FIFO_BYTES = 32768,
    parameter int unsigned STORE_BYTES = 131072,
    parameter int unsigned COUNTERS = 32
) (
    input  logic                              clk,
    input  logic                              rst,             // registers to their reset values
    // AXI4-Lite
    input  logic         [        11:0]       s_axil_awaddr,
    input  logic         [         2:0]       s_axil_awprot,
    input  logic                              s_axil_awvalid,
    output logic                              s_axil_awready,
    input  logic         [        31:0]       s_axil_wdata,
    input  logic         [         3:0]       s_axil_wstrb,
    input  logic                              s_axil_wvalid,
    output logic                              s_axil_wready,
    output logic         [         1:0]       s_axil_bresp,
    output logic                              s_axil_bvalid,
    input  logic                              s_axil_bready,
    input  logic         [        11:0]       s_axil_araddr,
    input  logic         [         2:0]       s_axil_arprot,
    input  logic                              s_axil_arvalid,
    output logic                              s_axil_arready,
    output logic         [        31:0]       s_axil_rdata,
    output logic         [         1:0]       s_axil_rresp,
    output logic                              s_axil_rvalid,
    input  logic                              s_axil_rready,
    // the link
    output settings_t                         settings,        // changes in its reset only
    output logic                              psk_valid,
    input  logic                              psk_ready,
    output logic         [       511:0]       psk_data,
    output logic                              random_valid,
    input  logic                              random_ready,
    output logic         [       255:0]       random_data,
    output logic                              load_write,
    output logic         [         5:0]       load_index,
    output logic         [        31:0]       load_data,
    output logic                              load_commit,     // pulse
    input  logic                              load_done,
    input  logic                              load_error,
    output logic                              restart,         // level, 16 cycles: reset of the link
    output logic                              zeroise,         // pulse
    input  link_status_t                      status,
    input  logic         [COUNTERS-1:0][63:0] counts           // in the order of the registers
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
  settings_t written;
  logic [4:0] restart_q;

  assign written.local_id = {out.local_id[1].bytes.value, out.local_id[0].bytes.value};
  assign written.peer_id = {out.peer_id[1].bytes.value, out.peer_id[0].bytes.value};
  assign written.local_mac = {out.local_mac.high.bytes.value, out.local_mac.low.bytes.value};
  assign written.peer_mac = {out.peer_mac.high.bytes.value, out.peer_mac.low.bytes.value};
  assign written.handshake = out.control.handshake.value;
  assign written.ms_cycles = out.millisecond.cycles.value;
  assign written.t_rekey_ms = out.t_rekey.ms.value;
  assign written.t_max_ms = out.t_max.ms.value;
  assign restart = restart_q[4];

  always_ff @(posedge clk) begin
    if (restart) restart_q <= restart_q + 5'd1;
    if (out.command.restart.value) begin
      restart_q <= 5'd16;
      settings  <= written;
    end
    if (rst) begin
      restart_q <= '0;
      settings  <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ secrets
  logic forget;
  assign zeroise = out.command.zeroise.value;
  assign forget  = zeroise || status.resetting;

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
      .WORDS(8)
  ) u_random (
      .clk,
      .rst,
      .clear(forget),
      .req(out.random.req),
      .req_is_wr(out.random.req_is_wr),
      .index(out.random.addr[4:2]),
      .wr_data(out.random.wr_data),
      .wr_biten(out.random.wr_biten),
      .wr_ack(in.random.wr_ack),
      .rd_ack(in.random.rd_ack),
      .commit(out.command.commit_random.value),
      .refused(in.events.random_incomplete.hwset),
      .complete(in.status.random_complete.next),
      .valid(random_valid),
      .ready(random_ready),
      .data(random_data)
  );
  assign in.random.rd_data = '0;

  link_load u_load (
      .clk,
      .rst,
      .req(out.session.req),
      .req_is_wr(out.session.req_is_wr),
      .index(out.session.addr[7:2]),
      .wr_data(out.session.wr_data),
      .wr_biten(out.session.wr_biten),
      .wr_ack(in.session.wr_ack),
      .rd_ack(in.session.rd_ack),
      .load_write,
      .load_index,
      .load_data
  );
  assign in.session.rd_data = '0;
  assign load_commit = out.command.commit_session.value;

  // ------------------------------------------------------------------------------------------------ state
  assign in.status.session_up.next = status.session_up;
  assign in.status.busy.next = status.busy;
  assign in.status.resetting.next = status.resetting;
  assign in.status.sealing.next = status.sealing;
  assign in.status.opening.next = status.opening;
  assign in.status.psk_pending.next = psk_valid;
  assign in.status.random_pending.next = random_valid;
  assign in.status.random_wanted.next = random_ready;
  assign in.status.load_ready.next = status.load_ready;
  assign in.status.second_session.next = status.second_session;
  assign in.status.initiator.next = status.initiator;
  assign in.status.ids_bad.next = status.ids_bad;
  assign in.status.psk_held.next = status.psk_held;
  assign in.status.handshake_state.next = status.handshake_state;
  assign in.session_age.ms.next = status.session_age_ms;
  assign in.own_sid.bytes.next = status.own_sid;
  assign in.peer_sid.bytes.next = status.peer_sid;
  assign in.events.session_refused.hwset = load_error;
  assign in.events.session_loaded.hwset = load_done;
  assign in.events.was_reset.hwset = status.resetting;

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
