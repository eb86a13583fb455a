@% import "ports.sv" as ports %@
// SPDX-License-Identifier: Apache-2.0
//
// Known answers through @{p.name}@: each record is sealed, opened, and opened with a bit flipped in the tag, in the
// ciphertext and in the AD, which must give the status "not authentic" and nothing on m_axis. After the first good record
// come malformed packets: each must give its code and nothing on m_axis, and the next command works. All streams pause at
// random.
// +answers=FILE (.rsp), +every=N (each Nth record). The last line is `N passed, N failed`; a failure ends with $fatal.
`timescale 1ns / 1ps

// Sends one packet from `bytes` each time `wanted` is raised. `fault` 1: the first of several beats is short of a byte;
// 2: the last beat has a hole at its byte 0; 3: the first beat has one.
module axis_source #(
    parameter int BITS  = 64,
    parameter int BYTES = 1024
) (
    input  logic              clk,
    input  logic              rst,
    output logic [  BITS-1:0] tdata,
    output logic [BITS/8-1:0] tkeep,
    output logic              tvalid,
    input  logic              tready,
    output logic              tlast
);

  logic [7:0] bytes[BYTES];
  int length, wanted, sent, at, fault;
  initial begin
    wanted = 0;
    length = 0;
    fault  = 0;
  end

  always @(posedge clk) begin
    if (rst) begin
      tvalid <= 1'b0;
      sent   <= 0;
      at     <= 0;
    end else if (!tvalid || tready) begin
      tvalid <= 1'b0;
      tlast  <= $urandom_range(1) == 0;
      tkeep  <= '1;
      for (int i = 0; i < BITS / 8; i++) tdata[8*i+:8] <= 8'($urandom);  // bytes that do not count are random
      if (sent != wanted && $urandom_range(3) != 0) begin
        tvalid <= 1'b1;
        tlast  <= at + BITS / 8 >= length;
        for (int i = 0; i < BITS / 8; i++) begin
          tkeep[i] <= at + i < length;
          if (at + i < length) tdata[8*i+:8] <= bytes[at+i];
        end
        if (fault == 1 && at == 0) tkeep[BITS/8-1] <= 1'b0;
        if (fault == 2 && at + BITS / 8 >= length) tkeep[0] <= 1'b0;
        if (fault == 3 && at == 0) tkeep[0] <= 1'b0;
        if (at + BITS / 8 >= length) begin
          at   <= 0;
          sent <= sent + 1;
        end else begin
          at <= at + BITS / 8;
        end
      end
    end
  end

endmodule

// Gathers packets into `bytes`; `count` goes up with each whole one, `beats` with each beat. `faults` counts broken rules.
module axis_sink #(
    parameter int BITS  = 64,
    parameter int BYTES = 1024
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [  BITS-1:0] tdata,
    input  logic [BITS/8-1:0] tkeep,
    input  logic              tvalid,
    output logic              tready,
    input  logic              tlast
);

  logic [7:0] bytes[BYTES];
  int length, at, count, beats, faults;
  logic waiting, kept_last;
  logic [  BITS-1:0] kept_data;
  logic [BITS/8-1:0] kept_keep;
  initial begin
    {length, at, count, beats, faults} = '0;
    waiting = 1'b0;
  end

  always @(posedge clk) begin
    tready  <= !rst && $urandom_range(3) != 0;
    waiting <= tvalid && !tready && !rst;
    {kept_data, kept_keep, kept_last} <= {tdata, tkeep, tlast};
    if (waiting && (!tvalid || {kept_data, kept_keep, kept_last} != {tdata, tkeep, tlast})) begin
      faults <= faults + 1;
      $display("the beat changed before it was taken");
    end
    if (tvalid && tready && !rst) begin
      beats <= beats + 1;
      for (int i = 0; i < BITS / 8; i++) begin
        if (tkeep[i] && at + i < BYTES) bytes[at+i] <= tdata[8*i+:8];
        if (!tkeep[i] && tdata[8*i+:8] != 8'h00) begin
          faults <= faults + 1;
          $display("a byte beyond tkeep is not zero");
        end
        if (!tkeep[i] && !tlast) begin
          faults <= faults + 1;
          $display("a beat is not full and not the last");
        end
      end
      at <= tlast ? 0 : at + BITS / 8;
      if (tlast) begin
        length <= at + $countones(tkeep);
        count  <= count + 1;
      end
    end
  end

endmodule

module @{p.name}@_tb;

  localparam int KEY_BYTES = @{sizes.KEY}@;
  localparam int NONCE_BYTES = @{sizes.NONCE}@;
  localparam int TAG_BYTES = @{sizes.TAG}@;
  localparam int BYTES = @{longest + 16}@;  // longest string of a record
  localparam int PATIENCE = 100000;  // cycles
  localparam int BEAT = @{sizes.AXIS}@;  // bytes
  localparam logic [7:0] SEAL = 0, OPEN = 1, LOAD_AD = 2, KEY = 3, UNREADABLE = 255;
  localparam logic [7:0] DONE = 0, NOT_AUTHENTIC = 1, REFUSED = 2, BAD_COMMAND = 3, BAD_STREAM = 4, TOO_SHORT = 5, BAD_KEY = 7;
  localparam logic [7:0] CACHED_AD = 1, EMPTY_AD = 2, EMPTY_MSG = 4;

  logic clk = 1'b0;
  logic rst = 1'b1;
  always #5 clk = !clk;
@{ports.wires(p)}@
  @{p.name}@ dut (
@{ports.connections(p)}@  );
@{ports.streams(p)}@
  // ---- the answers ---------------------------------------------------------------------------------------------------
  // Lines `Name = HEX`; a blank line ends a record.
  logic [7:0] key[BYTES], old_key[BYTES], nonce[BYTES], ad[BYTES], pt[BYTES], ct[BYTES];
  int key_len, nonce_len, ad_len, pt_len, ct_len, number;
  int file;

  function automatic int nibble(input int c);
    if (c >= "0" && c <= "9") return c - "0";
    if (c >= "A" && c <= "F") return c - "A" + 10;
    if (c >= "a" && c <= "f") return c - "a" + 10;
    return -1;
  endfunction

  // One record into the arrays; 0 at the end of the file.
  task automatic read_record(output int found);
    int c, n, digits, decimal, in_value, comment, column;
    logic [31:0] name;  // the last letters of it
    logic [ 7:0] high;
    found = 0;
    {key_len, nonce_len, ad_len, pt_len, ct_len, number} = '0;
    {name, digits, decimal, in_value, comment, column, high} = '0;
    c = $fgetc(file);
    while (c != -1 && !(c == 10 && column == 0 && found != 0)) begin
      n = nibble(c);
      if (c == 10) begin
        if (name[7:0] == "t" && in_value != 0) number = decimal;  // Count
        {name, digits, decimal, in_value, comment, column} = '0;
      end else begin
        column++;
        if (c == "#") comment = 1;
        if (comment == 0) begin
          if (c == "=") begin
            in_value = 1;
            found = 1;
          end else if (in_value == 0) begin
            if (c != " ") name = {name[23:0], c[7:0]};
          end else if (n >= 0) begin
            decimal = decimal * 10 + n;
            if (digits % 2 == 0) high = {n[3:0], 4'h0};
            else put(name, digits / 2, high | n[7:0]);
            digits++;
          end
        end
      end
      c = $fgetc(file);
    end
  endtask

  task automatic put(input logic [31:0] name, input int at, input logic [7:0] value);
    if (at >= BYTES) $fatal(1, "a string of record %0d is longer than %0d bytes", number, BYTES);
    if (name[23:0] == "Key") begin
      key[at] = value;
      key_len = at + 1;
    end
    if (name == "once") begin
      nonce[at] = value;
      nonce_len = at + 1;
    end
    if (name[15:0] == "AD") begin
      ad[at] = value;
      ad_len = at + 1;
    end
    if (name[15:0] == "PT") begin
      pt[at] = value;
      pt_len = at + 1;
    end
    if (name[15:0] == "CT") begin
      ct[at] = value;
      ct_len = at + 1;
    end
  endtask

  // ---- one command ---------------------------------------------------------------------------------------------------
  int statuses, packets, failures;
  logic [7:0] code, operation;
  int announced;

  task automatic complain(input string text);
    failures++;
    $display("record %0d: %s", number, text);
  endtask

  task automatic wait_status(input logic [7:0] expected);
    int patience;
    patience = 0;
    while (u_m_axis_status.count == statuses && patience < PATIENCE) begin
      @(negedge clk);
      patience++;
    end
    if (patience == PATIENCE) $fatal(1, "record %0d: no status after %0d cycles", number, PATIENCE);
    statuses++;
    code = u_m_axis_status.bytes[0];
    operation = u_m_axis_status.bytes[1];
    announced = {u_m_axis_status.bytes[7], u_m_axis_status.bytes[6], u_m_axis_status.bytes[5], u_m_axis_status.bytes[4]};
    if (u_m_axis_status.count != statuses) complain("more than one status for a command");
    if (operation != expected) complain("the status is of another operation");
  endtask

  task automatic load_key;
    for (int i = 0; i < KEY_BYTES; i++) u_s_axis_key.bytes[i] = key[i];
    u_s_axis_key.length = KEY_BYTES;
    u_s_axis_key.wanted++;
    wait_status(KEY);
    if (code != DONE) complain("the key is refused");
  endtask

  // `flip` is 0 for none, 1 tag, 2 ciphertext, 3 AD; an empty string grows by a byte instead.
  task automatic command(input logic [7:0] op, input int flip);
    int msg_len;
    for (int i = 0; i < 8; i++) u_s_axis_cmd.bytes[i] = i == 0 ? op : 8'h00;
    for (int i = 0; i < NONCE_BYTES; i++) u_s_axis_cmd.bytes[8+i] = nonce[i];
    u_s_axis_cmd.length = 8 + NONCE_BYTES;
    for (int i = 0; i < ad_len; i++) u_s_axis_ad.bytes[i] = ad[i];
    u_s_axis_ad.length = ad_len;
    msg_len = op == SEAL ? pt_len : ct_len;
    for (int i = 0; i < msg_len; i++) u_s_axis_msg.bytes[i] = op == SEAL ? pt[i] : ct[i];
    if (flip == 1) flip_msg(ct_len - 1 - number % TAG_BYTES);
    if (flip == 2 && pt_len != 0) flip_msg(number % pt_len);
    if (flip == 2 && pt_len == 0) begin
      u_s_axis_msg.bytes[msg_len] = 8'h00;
      msg_len++;
    end
    if (flip == 3) begin
      if (ad_len != 0) u_s_axis_ad.bytes[number%ad_len] = ad[number%ad_len] ^ (8'd1 << number % 8);
      else {u_s_axis_ad.bytes[0], u_s_axis_ad.length} = {8'h00, 32'd1};
    end
    u_s_axis_msg.length = msg_len;
    u_s_axis_cmd.wanted++;
    u_s_axis_ad.wanted++;
    u_s_axis_msg.wanted++;
    wait_status(op);
  endtask

  task automatic flip_msg(input int at);
    u_s_axis_msg.bytes[at] = u_s_axis_msg.bytes[at] ^ (8'd1 << number % 8);
  endtask

  task automatic expect_packet(input logic [7:0] op);
    int length, patience, wrong;
    length = op == SEAL ? ct_len : pt_len;
    if (code != DONE) begin
      complain(op == SEAL ? "the seal is refused" : "the good message is refused");
    end else begin
      patience = 0;
      while (u_m_axis.count == packets && patience < PATIENCE) begin
        @(negedge clk);
        patience++;
      end
      packets++;
      wrong = 0;
      if (u_m_axis.count != packets || u_m_axis.length != length || announced != length) wrong = 1;
      for (int i = 0; i < length; i++) if (u_m_axis.bytes[i] !== (op == SEAL ? ct[i] : pt[i])) wrong = 1;
      if (wrong != 0) complain(op == SEAL ? "the seal differs from the answer" : "the open gives another plaintext");
    end
  endtask

  // Not a beat may show, neither before the status nor for a while after it.
  task automatic expect_nothing(input string what, input logic [7:0] expected, input int beats_before);
    if (code != expected) complain({"not refused as it should be: ", what});
    if (announced != 0) complain({"the status announces bytes for ", what});
    for (int i = 0; i < 40; i++) begin
      if (m_axis_tvalid) complain({"m_axis shows a beat for ", what});
      @(negedge clk);
    end
    if (u_m_axis.beats != beats_before) complain({"something left for ", what});
    packets = u_m_axis.count;
  endtask

  // ---- malformed packets -----------------------------------------------------------------------------------------------
  int refusals_passed, refusals_failed;

  // The record's seal, which works whatever came before it.
  task automatic count_refusal(input int failures_before);
    command(SEAL, 0);
    expect_packet(SEAL);
    if (failures == failures_before) refusals_passed++;
    else refusals_failed++;
  endtask

  // A command with strings of any bytes; a length of -1: the string is not sent. Streams may be told to send a fault.
  task automatic refuse(input string what, input logic [7:0] expected, input logic [7:0] op, input logic [7:0] flags,
                        input int cmd_bytes, input int ad_bytes, input int msg_bytes);
    int beats, failures_before;
    failures_before = failures;
    beats = u_m_axis.beats;
    for (int i = 0; i < BYTES; i++) begin
      u_s_axis_cmd.bytes[i] = i == 0 ? op : i == 1 ? flags : i < 8 ? 8'h00 : nonce[i%NONCE_BYTES];
      u_s_axis_ad.bytes[i]  = 8'(i);
      u_s_axis_msg.bytes[i] = 8'(3 * i);
    end
    u_s_axis_cmd.length = cmd_bytes;
    u_s_axis_cmd.wanted++;
    if (ad_bytes >= 0) begin
      u_s_axis_ad.length = ad_bytes;
      u_s_axis_ad.wanted++;
    end
    if (msg_bytes >= 0) begin
      u_s_axis_msg.length = msg_bytes;
      u_s_axis_msg.wanted++;
    end
    // A hole is where the operation stands if the command is one beat.
    wait_status(cmd_bytes < 2 || (u_s_axis_cmd.fault != 0 && cmd_bytes <= BEAT) ? UNREADABLE : op);
    expect_nothing(what, expected, beats);
    {u_s_axis_cmd.fault, u_s_axis_ad.fault, u_s_axis_msg.fault} = '0;
    count_refusal(failures_before);
  endtask

  task automatic refuse_key(input string what, input int length, input int fault);
    int beats, failures_before;
    failures_before = failures;
    beats = u_m_axis.beats;
    for (int i = 0; i < BYTES; i++) u_s_axis_key.bytes[i] = key[i%KEY_BYTES];
    u_s_axis_key.length = length;
    u_s_axis_key.fault  = fault;
    u_s_axis_key.wanted++;
    wait_status(KEY);
    expect_nothing(what, BAD_KEY, beats);
    u_s_axis_key.fault = 0;
    load_key;
    count_refusal(failures_before);
  endtask

  task automatic malformed;
    localparam int HEAD = 8 + NONCE_BYTES;
    localparam int LONG = 2 * BEAT + 3;
    {refusals_passed, refusals_failed} = '0;
    for (int op = 0; op < 2; op++) begin
      u_s_axis_msg.fault = 1;
      refuse("a short beat in the middle of the message", BAD_STREAM, 8'(op), 0, HEAD, 5, LONG + TAG_BYTES);
      u_s_axis_msg.fault = 2;
      refuse("a hole in the last beat of the message", BAD_STREAM, 8'(op), 0, HEAD, 5, LONG + TAG_BYTES);
      u_s_axis_msg.fault = 3;
      refuse("a hole in the first beat of the message", BAD_STREAM, 8'(op), 0, HEAD, 5, LONG + TAG_BYTES);
      u_s_axis_ad.fault = 1;
      refuse("a short beat in the middle of the AD", BAD_STREAM, 8'(op), 0, HEAD, LONG, LONG + TAG_BYTES);
      u_s_axis_ad.fault = 2;
      refuse("a hole in the last beat of the AD", BAD_STREAM, 8'(op), 0, HEAD, LONG, LONG + TAG_BYTES);
      u_s_axis_cmd.fault = 2;
      refuse("a hole in the command", BAD_COMMAND, 8'(op), EMPTY_AD, HEAD, -1, HEAD <= BEAT ? -1 : LONG + TAG_BYTES);
      refuse("a command short of a byte", BAD_COMMAND, 8'(op), EMPTY_AD, HEAD - 1, -1, LONG + TAG_BYTES);
      refuse("a command of a byte too many", BAD_COMMAND, 8'(op), EMPTY_AD, HEAD + 1, -1, LONG + TAG_BYTES);
      refuse("a flag that does not exist", BAD_COMMAND, 8'(op), EMPTY_AD | 8'h08, HEAD, -1, LONG + TAG_BYTES);
      refuse("cached and empty AD", BAD_COMMAND, 8'(op), CACHED_AD | EMPTY_AD, HEAD, -1, LONG + TAG_BYTES);
      refuse("AD of an empty cache", op == 0 ? REFUSED : NOT_AUTHENTIC, 8'(op), CACHED_AD, HEAD, -1, LONG + TAG_BYTES);
    end
    refuse("an empty plaintext to open", BAD_COMMAND, OPEN, EMPTY_AD | EMPTY_MSG, HEAD, -1, -1);
    if (TAG_BYTES != 0) begin
      refuse("nothing to open", TOO_SHORT, OPEN, 0, HEAD, 5, 0);
      refuse("a message shorter than its tag", TOO_SHORT, OPEN, EMPTY_AD, HEAD, -1, TAG_BYTES - 1);
    end
    refuse("an operation that does not exist", BAD_COMMAND, 7, 0, HEAD, -1, -1);
    refuse("a load of cached AD", BAD_COMMAND, LOAD_AD, CACHED_AD, HEAD, -1, -1);
    refuse("a command of one byte", BAD_COMMAND, SEAL, 0, 1, -1, -1);
    refuse("an empty command", BAD_COMMAND, SEAL, 0, 0, -1, -1);
    refuse_key("a key short of a byte", KEY_BYTES - 1, 0);
    refuse_key("a key of a byte too many", KEY_BYTES + 1, 0);
    refuse_key("a key with a hole", KEY_BYTES, 2);
    refuse_key("an empty key", 0, 0);
  endtask

  // ---- all of it -----------------------------------------------------------------------------------------------------
  string answers;
  int every, found, record, failures_before, passed, failed, beats, same_key, refused;
  initial begin
    {statuses, packets, failures, passed, failed, record, number, refused} = '0;
    answers = "@{answers}@";
    every   = @{every}@;
    if ($value$plusargs("answers=%s", answers)) $display("answers: %s", answers);
    if ($value$plusargs("every=%d", every)) $display("each %0d. record", every);
    file = $fopen(answers, "r");
    if (file == 0) $fatal(1, "cannot open %s", answers);
    repeat (5) @(negedge clk);
    rst = 1'b0;
    read_record(found);
    while (found != 0) begin
      if (record % every == 0) begin
        failures_before = failures;
        if (key_len != KEY_BYTES || nonce_len != NONCE_BYTES || ct_len != pt_len + TAG_BYTES)
          $fatal(1, "record %0d of %s has other sizes than this core", number, answers);
        same_key = passed + failed != 0 ? 1 : 0;
        for (int i = 0; i < KEY_BYTES; i++) if (key[i] !== old_key[i]) same_key = 0;
        if (same_key == 0) load_key();
        for (int i = 0; i < KEY_BYTES; i++) old_key[i] = key[i];
        command(SEAL, 0);
        expect_packet(SEAL);
        command(OPEN, 0);
        expect_packet(OPEN);
        beats = u_m_axis.beats;
        command(OPEN, 1);
        expect_nothing("a flipped tag", NOT_AUTHENTIC, beats);
        command(OPEN, 2);
        expect_nothing("a flipped ciphertext", NOT_AUTHENTIC, beats);
        command(OPEN, 3);
        expect_nothing("a flipped AD", NOT_AUTHENTIC, beats);
        failures += u_m_axis.faults + u_m_axis_status.faults;
        if (failures == failures_before) passed++;
        else failed++;
        if (failures == failures_before && refused == 0) begin
          refused = 1;
          malformed;
          passed += refusals_passed;
          failed += refusals_failed;
        end
      end
      record++;
      read_record(found);
    end
    if (passed + failed == 0) $fatal(1, "%s holds no record", answers);
    $display("%0d passed, %0d failed", passed, failed);
    if (failed != 0) $fatal(1, "known answers failed");
    $finish;
  end

endmodule
