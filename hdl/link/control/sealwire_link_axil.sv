// SPDX-License-Identifier: Apache-2.0
//
// The link with its control plane: link_end behind AXI4-Lite registers (link_control) in core_clk. Register map:
// sealwire_link_regs.rdl, guide: docs/control.md. core_rst resets the registers too; the other two resets keep the settings.
// Settings reach the link with command.restart only, so its quasi-static inputs change in its reset.
// R of the next handshake comes from the port (a random source), or from registers if software has committed one.
// Security: no secret can be read back, see link_control.

module sealwire_link_axil
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,  // 01, 02 OMD, 03, 04 p-OMD, 11, 12 AES-OTR: link_pkg
    parameter logic [7:0] ARCHITECTURE = 8'd0,  // of the cores: link_pkg, ARCH_*
    parameter int unsigned LANES = 1,  // cores in each direction: 1, 2, 4
    parameter int unsigned WORK_BYTES = 131072,  // packets in interleaved cores or lanes; a power of two, 16384 or more
    parameter int unsigned DATA_BITS = 64,  // of a beat of each stream: 64, 128
    parameter bit DROP_WHEN_FULL = 1'b1,  // 1 never stalls an input, drops whole frames; 0 stalls, for lossless tests
    parameter bit OUTER_ETHERNET = 1'b1,  // 1 link packets in Ethernet frames of EtherType 88B5; 0 bare
    parameter int unsigned FIFO_BYTES = 32768,  // each entrance FIFO and fifo_enc; a power of two, 32768 or more
    parameter int unsigned STORE_BYTES = 131072,  // release store; a power of two, 32768 or more
    parameter int unsigned REPLAY_WINDOW = 64,  // packets that may come out of order; a power of two, 64 to 1024
    parameter bit FAST_SCHEDULE = 1'b0,  // key schedule of the handshake: 0 small, 1 fast
    parameter bit SLICES = 1'b0,  // 1: registers on the longest paths, for a faster clock
    parameter bit PROTECTED_WRITES = 1'b0,  // 1: registers take writes of privileged, secure masters only
    parameter logic [7:0] KIND = 8'h00,  // what the messages are: 00 Ethernet, 01 IP
    parameter logic [63:0] N_MAX = link_pkg::suite_info(SUITE).max_packets,  // packets a key may seal, up to this
    localparam int unsigned KEEP_BITS = DATA_BITS / 8
) (
    input  logic                 trusted_clk,
    input  logic                 trusted_rst,              // any of the three resets restarts the whole link
    input  logic                 core_clk,
    input  logic                 core_rst,
    input  logic                 untrusted_clk,
    input  logic                 untrusted_rst,
    // trusted_clk
    input  logic [DATA_BITS-1:0] s_axis_trusted_tdata,     // plaintext Ethernet frames in, without FCS
    input  logic [KEEP_BITS-1:0] s_axis_trusted_tkeep,
    input  logic                 s_axis_trusted_tvalid,
    output logic                 s_axis_trusted_tready,
    input  logic                 s_axis_trusted_tlast,
    input  logic                 s_axis_trusted_tuser,     // with tlast: the frame is damaged, drop it
    output logic [DATA_BITS-1:0] m_axis_trusted_tdata,     // verified plaintext frames out
    output logic [KEEP_BITS-1:0] m_axis_trusted_tkeep,
    output logic                 m_axis_trusted_tvalid,
    input  logic                 m_axis_trusted_tready,
    output logic                 m_axis_trusted_tlast,
    // untrusted_clk
    input  logic [DATA_BITS-1:0] s_axis_untrusted_tdata,   // link packets in
    input  logic [KEEP_BITS-1:0] s_axis_untrusted_tkeep,
    input  logic                 s_axis_untrusted_tvalid,
    output logic                 s_axis_untrusted_tready,
    input  logic                 s_axis_untrusted_tlast,
    input  logic                 s_axis_untrusted_tuser,   // with tlast: the frame is damaged, drop it
    output logic [DATA_BITS-1:0] m_axis_untrusted_tdata,   // link packets out
    output logic [KEEP_BITS-1:0] m_axis_untrusted_tkeep,
    output logic                 m_axis_untrusted_tvalid,
    input  logic                 m_axis_untrusted_tready,
    output logic                 m_axis_untrusted_tlast,
    // core_clk
    input  logic [         11:0] s_axil_awaddr,            // control: AXI4-Lite, 4 KiB
    input  logic [          2:0] s_axil_awprot,
    input  logic                 s_axil_awvalid,
    output logic                 s_axil_awready,
    input  logic [         31:0] s_axil_wdata,
    input  logic [          3:0] s_axil_wstrb,
    input  logic                 s_axil_wvalid,
    output logic                 s_axil_wready,
    output logic [          1:0] s_axil_bresp,
    output logic                 s_axil_bvalid,
    input  logic                 s_axil_bready,
    input  logic [         11:0] s_axil_araddr,
    input  logic [          2:0] s_axil_arprot,
    input  logic                 s_axil_arvalid,
    output logic                 s_axil_arready,
    output logic [         31:0] s_axil_rdata,
    output logic [          1:0] s_axil_rresp,
    output logic                 s_axil_rvalid,
    input  logic                 s_axil_rready,
    input  logic                 s_random_valid,           // 32 fresh random bytes, or 0: there is no source
    output logic                 s_random_ready,
    input  logic [        255:0] s_random_data
);
  localparam build_t BUILD = '{
      suite: SUITE,
      architecture: ARCHITECTURE,
      lanes: LANES,
      work_bytes: WORK_BYTES,
      data_bits: DATA_BITS,
      drop_when_full: DROP_WHEN_FULL,
      outer_ethernet: OUTER_ETHERNET,
      fifo_bytes: FIFO_BYTES,
      store_bytes: STORE_BYTES,
      replay_window: REPLAY_WINDOW,
      fast_schedule: FAST_SCHEDULE,
      slices: SLICES,
      count_ports: 1'b0,
      kind: KIND,
      n_max: N_MAX
  };
  sealwire_link_regs_pkg::sealwire_link_regs__in_t in;
  sealwire_link_regs_pkg::sealwire_link_regs__out_t out;
  logic [11:0] awaddr;
  logic [2:0] awprot;
  logic awvalid, awready;
  logic [31:0] wdata;
  logic [ 3:0] wstrb;
  logic wvalid, wready;
  logic [1:0] bresp;
  logic bvalid, bready;
  if (PROTECTED_WRITES) begin : g_guard
    axil_write_guard u_guard (
        .clk(core_clk),
        .rst(core_rst),
        .s_awaddr(s_axil_awaddr),
        .s_awprot(s_axil_awprot),
        .s_awvalid(s_axil_awvalid),
        .s_awready(s_axil_awready),
        .s_wdata(s_axil_wdata),
        .s_wstrb(s_axil_wstrb),
        .s_wvalid(s_axil_wvalid),
        .s_wready(s_axil_wready),
        .s_bresp(s_axil_bresp),
        .s_bvalid(s_axil_bvalid),
        .s_bready(s_axil_bready),
        .m_awaddr(awaddr),
        .m_awprot(awprot),
        .m_awvalid(awvalid),
        .m_awready(awready),
        .m_wdata(wdata),
        .m_wstrb(wstrb),
        .m_wvalid(wvalid),
        .m_wready(wready),
        .m_bresp(bresp),
        .m_bvalid(bvalid),
        .m_bready(bready)
    );
  end else begin : g_open
    assign {awaddr, awprot, awvalid} = {s_axil_awaddr, s_axil_awprot, s_axil_awvalid};
    assign {wdata, wstrb, wvalid} = {s_axil_wdata, s_axil_wstrb, s_axil_wvalid};
    assign {s_axil_awready, s_axil_wready} = {awready, wready};
    assign {s_axil_bresp, s_axil_bvalid, bready} = {bresp, bvalid, s_axil_bready};
  end

  sealwire_link_regs u_regs (
      .*,
      .s_axil_awaddr(awaddr),
      .s_axil_awprot(awprot),
      .s_axil_awvalid(awvalid),
      .s_axil_awready(awready),
      .s_axil_wdata(wdata),
      .s_axil_wstrb(wstrb),
      .s_axil_wvalid(wvalid),
      .s_axil_wready(wready),
      .s_axil_bresp(bresp),
      .s_axil_bvalid(bvalid),
      .s_axil_bready(bready),
      .clk(core_clk),
      .rst(core_rst),
      .hwif_in(in),
      .hwif_out(out)
  );

  settings_t settings;
  load_t load;
  status_t status;
  counter_read_t count_read;
  logic count_done;
  logic [63:0] count;
  counts_t counts;
  logic restart, zeroise, psk_valid, psk_ready, random_valid, random_ready, register_random;
  logic [511:0] psk_data;
  logic [ 63:0] psk_number;
  logic [255:0] random_data, register_random_data;
  link_control #(
      .BUILD(BUILD)
  ) u_control (
      .*,
      .clk(core_clk),
      .rst(core_rst),
      .random_valid(register_random),
      .random_data(register_random_data)
  );

  assign random_valid = register_random || s_random_valid;
  assign random_data = register_random ? register_random_data : s_random_data;
  assign s_random_ready = random_ready && !register_random;

  link_end #(
      .BUILD(BUILD)
  ) u_end (
      .*,
      .core_rst(core_rst || restart)
  );

  wire unused = &{1'b0, counts};
endmodule
