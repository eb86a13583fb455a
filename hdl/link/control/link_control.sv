// SPDX-License-Identifier: Apache-2.0
//
// The control plane of a link behind its registers (described in sealwire_link_regs.rdl): secrets handed over whole, counters read
// without tearing. Guide: docs/control.md. Byte order: byte i of every string is bits [8i+7:8i].
// Security: secrets are write-only and wiped with their handover, by a zeroise and by any reset of the link; the bus registers
// keep the last word until the next write, which the commit is.

module link_control
  import link_pkg::*;
  import link_types_pkg::*;
  import sealwire_link_regs_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic                             clk,
    input  logic                             rst,           // registers to their reset values
    input  sealwire_link_regs__out_t         out,           // of the registers
    output sealwire_link_regs__in_t          in,
    output settings_t                        settings,      // changes in the link's reset only
    output logic                             psk_valid,
    input  logic                             psk_ready,
    output logic                     [511:0] psk_data,
    output logic                     [ 63:0] psk_number,
    output logic                             random_valid,
    input  logic                             random_ready,
    output logic                     [255:0] random_data,
    output load_t                            load,
    output logic                             restart,       // level, 16 cycles: reset of the link
    output logic                             zeroise,       // pulse
    input  status_t                          status,        // read a cycle later
    output counter_read_t                    count_read,
    input  logic                             count_done,    // `count` answers it
    input  logic                     [ 63:0] count
);
  localparam suite_t INFO = suite_info(BUILD.suite);

  // The state of the link stands behind a register, so that no path of the link ends in a read of the bus.
  status_t status_q;
  always_ff @(posedge clk) status_q <= status;

  // ------------------------------------------------------------------------------------------------ what this is
  assign in.capabilities.suite.next = BUILD.suite;
  assign in.capabilities.kind.next = BUILD.kind;
  assign in.capabilities.contexts.next = 5'(contexts_of(BUILD.suite, BUILD.architecture));
  assign in.capabilities.outer_ethernet.next = BUILD.outer_ethernet;
  assign in.capabilities.drop_when_full.next = BUILD.drop_when_full;
  assign in.capabilities.lanes.next = 3'(BUILD.lanes);
  assign in.sizes.fifo_log2.next = 8'($clog2(BUILD.fifo_bytes));
  assign in.sizes.store_log2.next = 8'($clog2(BUILD.store_bytes));
  assign in.suite_sizes.key.next = 8'(INFO.key_bytes);
  assign in.suite_sizes.salt.next = 8'(INFO.nonce_bytes - 8);
  assign in.suite_sizes.tag.next = 8'(INFO.tag_bytes);
  assign in.suite_sizes.psk.next = 8'(INFO.block_bytes);

  // ------------------------------------------------------------------------------------------------ settings
  // The link may see its settings change in reset only, so they are copied with the last edge of a restart of 64 cycles: by
  // then the reset has reached the other two clocks, each of which has 4 cycles in that time if it is a tenth of this one.
  settings_t written;
  logic [6:0] restart_q;

  assign written.local_id = {out.local_id[1].bytes.value, out.local_id[0].bytes.value};
  assign written.peer_id = {out.peer_id[1].bytes.value, out.peer_id[0].bytes.value};
  assign written.local_mac = {out.local_mac.high.bytes.value, out.local_mac.low.bytes.value};
  assign written.peer_mac = {out.peer_mac.high.bytes.value, out.peer_mac.low.bytes.value};
  assign written.handshake = out.control.handshake.value;
  assign written.ms_cycles = out.millisecond.cycles.value;
  assign written.t_rekey_ms = out.t_rekey.ms.value;
  assign written.t_max_ms = out.t_max.ms.value;
  assign restart = restart_q[6];

  always_ff @(posedge clk) begin
    if (restart) restart_q <= restart_q + 7'd1;
    if (restart_q == '1) settings <= written;
    if (out.command.restart.value) restart_q <= 7'd64;
    if (rst) begin
      restart_q <= '0;
      settings  <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ secrets
  logic forget;
  assign zeroise = out.command.zeroise.value;
  assign forget  = zeroise || status_q.resetting;

  // Each window acknowledges in the next cycle and reads as 0. A write of less than four bytes is ignored.
  logic [2:0] write, put, wrote_q, read_q;  // session, random, psk
  assign write = {
    out.session.req && out.session.req_is_wr, out.random.req && out.random.req_is_wr, out.psk.req && out.psk.req_is_wr
  };
  assign put = write & {&out.session.wr_biten, &out.random.wr_biten, &out.psk.wr_biten};
  assign {in.session.wr_ack, in.random.wr_ack, in.psk.wr_ack} = wrote_q;
  assign {in.session.rd_ack, in.random.rd_ack, in.psk.rd_ack} = read_q;
  assign in.session.rd_data = '0;
  assign in.random.rd_data = '0;
  assign in.psk.rd_data = '0;
  always_ff @(posedge clk) begin
    wrote_q <= rst ? '0 : write;
    read_q  <= rst ? '0 : {out.session.req, out.random.req, out.psk.req} & ~write;
  end

  // With slices, words of secrets and reads of counters stay here for a cycle, so that no path leads from the bus through all
  // registers to them.
  if (BUILD.slices) begin : g_staged
    logic [ 1:0] put_q;
    logic [ 3:0] index_q;
    logic [31:0] word_q;
    logic count_q, count_written_q;
    logic [$bits(out.counters.addr)-1:0] count_at_q;
    always_ff @(posedge clk) begin
      count_q         <= out.counters.req && !rst;
      count_written_q <= out.counters.req_is_wr;
      count_at_q      <= out.counters.addr;

      put_q           <= rst ? '0 : put[1:0];
      index_q         <= put[0] ? out.psk.addr[5:2] : {1'b0, out.random.addr[4:2]};
      word_q          <= (put[0] && !rst) ? out.psk.wr_data : (put[1] && !rst) ? out.random.wr_data : '0;
    end
  end else begin : g_staged
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam logic [1:0] put_q = '0;
    localparam logic [3:0] index_q = '0;
    localparam logic [31:0] word_q = '0;
    localparam logic count_q = 1'b0;
    localparam logic count_written_q = 1'b0;
    localparam logic [$bits(out.counters.addr)-1:0] count_at_q = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  assign psk_number = {out.hello_number[1].value.value, out.hello_number[0].value.value};
  link_staging #(
      .WORDS(16)
  ) u_psk (
      .clk,
      .rst,
      .clear(forget),
      .put(BUILD.slices ? g_staged.put_q[0] : put[0]),
      .index(BUILD.slices ? g_staged.index_q : out.psk.addr[5:2]),
      .word(BUILD.slices ? g_staged.word_q : out.psk.wr_data),
      .commit(out.command.commit_psk.value),
      .refused(in.events.psk_incomplete.hwset),
      .complete(in.status.psk_complete.next),
      .valid(psk_valid),
      .ready(psk_ready),
      .data(psk_data)
  );

  link_staging #(
      .WORDS(8)
  ) u_random (
      .clk,
      .rst,
      .clear(forget),
      .put(BUILD.slices ? g_staged.put_q[1] : put[1]),
      .index(BUILD.slices ? g_staged.index_q[2:0] : out.random.addr[4:2]),
      .word(BUILD.slices ? g_staged.word_q : out.random.wr_data),
      .commit(out.command.commit_random.value),
      .refused(in.events.random_incomplete.hwset),
      .complete(in.status.random_complete.next),
      .valid(random_valid),
      .ready(random_ready),
      .data(random_data)
  );

  // Words of a loaded session stay here for one cycle: the link keeps them and judges the commit. A word that it does not take is
  // missing then.
  logic load_write_q;
  logic [5:0] load_index_q;
  logic [31:0] load_data_q;
  always_ff @(posedge clk) begin
    load_write_q <= put[2] && !rst;
    load_index_q <= (put[2] && !rst) ? out.session.addr[7:2] : '0;
    load_data_q  <= (put[2] && !rst) ? out.session.wr_data : '0;
  end
  assign load = '{
          write: load_write_q,
          index: load_index_q,
          data: load_data_q,
          commit: out.command.commit_session.value
      };

  // ------------------------------------------------------------------------------------------------ state
  assign in.status.session_up.next = status_q.session_up;
  assign in.status.busy.next = status_q.busy;
  assign in.status.resetting.next = status_q.resetting;
  assign in.status.sealing.next = status_q.sealing;
  assign in.status.opening.next = status_q.opening;
  assign in.status.psk_pending.next = psk_valid;
  assign in.status.random_pending.next = random_valid;
  assign in.status.random_wanted.next = random_ready;
  assign in.status.load_ready.next = status_q.ready;
  assign in.status.second_session.next = status_q.second_session;
  assign in.status.initiator.next = status_q.initiator;
  assign in.status.ids_bad.next = status_q.ids_bad;
  assign in.status.psk_held.next = status_q.psk_held;
  assign in.status.handshake_state.next = status_q.handshake_state;
  assign in.session_age.ms.next = status_q.session_age_ms;
  assign in.own_sid.bytes.next = status_q.own_sid;
  assign in.peer_sid.bytes.next = status_q.peer_sid;
  assign in.events.session_refused.hwset = status_q.refused;
  assign in.events.session_loaded.hwset = status_q.loaded;
  assign in.events.was_reset.hwset = status_q.resetting;

  link_counter_read u_counters (
      .clk,
      .rst,
      .req(BUILD.slices ? g_staged.count_q : out.counters.req),
      .req_is_wr(BUILD.slices ? g_staged.count_written_q : out.counters.req_is_wr),
      .counter(counter_e'(6'(BUILD.slices ? g_staged.count_at_q[3+:$clog2(
          COUNTERS
      )] : out.counters.addr[3+:$clog2(
          COUNTERS
      )]))),
      .high(BUILD.slices ? g_staged.count_at_q[2] : out.counters.addr[2]),
      .wr_ack(in.counters.wr_ack),
      .rd_ack(in.counters.rd_ack),
      .rd_data(in.counters.rd_data),
      .read(count_read),
      .done(count_done),
      .count
  );
endmodule
