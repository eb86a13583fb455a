@% import "ports.sv" as ports %@
// SPDX-License-Identifier: Apache-2.0
//
// Known answers through @{p.name}@, from files in the format of the LWC hardware API: pdi.txt and sdi.txt go in, do.txt must
// come out, word for word. Each record is sealed, opened, and opened with a bit flipped in tag, ciphertext, AD and nonce,
// of which nothing may come out but the status;
// and malformed messages and keys, which must fail likewise. All streams pause at random.
// +answers=FOLDER. The last line is `N passed, N failed` (messages); a failure ends with $fatal.
`timescale 1ns / 1ps

// The words of a file one after another: `word` and `status` (a line STT) while `more` is 1.
module lwc_file #(
    parameter int BITS = 32
) (
    input logic clk
);

  int file, c, column, in_data;
  logic [31:0] kind;  // the first letters of the line
  logic [BITS-1:0] word;
  logic status, more, skip;

  function automatic int nibble(input int letter);
    if (letter >= "0" && letter <= "9") return letter - "0";
    if (letter >= "A" && letter <= "F") return letter - "A" + 10;
    if (letter >= "a" && letter <= "f") return letter - "a" + 10;
    return -1;
  endfunction

  task automatic open_file(input string name);
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "cannot open %s", name);
    {column, in_data, kind} = '0;
    more = 1'b1;
    skip = 1'b0;
    next_word;
  endtask

  task automatic next_word;
    int digits;
    digits = 0;
    while (more && digits < BITS / 4) begin
      c = $fgetc(file);
      if (c == -1) begin
        more = 1'b0;
        $fclose(file);
      end else if (c == 10) begin
        {column, in_data, kind} = '0;
        skip = 1'b0;
        if (digits != 0) $fatal(1, "a line is not a whole number of words of %0d bits", BITS);
      end else begin
        if (column < 4) kind = {kind[23:0], c[7:0]};
        if (column == 0 && c == "#") skip = 1'b1;
        if (column == 4) begin
          in_data = !skip && (kind == "INS " || kind == "HDR " || kind == "DAT " || kind == "STT ") ? 1 : 0;
          status  = kind == "STT ";
        end
        if (column > 4 && in_data != 0 && nibble(c) >= 0) begin
          word = (word << 4) | BITS'(nibble(c));
          digits++;
        end
        column++;
      end
    end
  endtask

endmodule

module @{p.name}@_tb;

  localparam int PATIENCE = 100000;  // cycles without a transfer

  logic clk = 1'b0;
  logic rst = 1'b1;
  always #5 clk = !clk;
@{ports.wires(p)}@
  LWC dut (  // @{p.name}@, as the bench of the API takes it
@{ports.connections(p)}@  );

  lwc_file #(.BITS(@{p.values.W}@)) u_pdi (.clk);
  lwc_file #(.BITS(@{p.values.SW}@)) u_sdi (.clk);
  lwc_file #(.BITS(@{p.values.W}@)) u_do (.clk);

  int passed, wrong, quiet, tail;
  logic waiting, kept_last, going;
  logic [@{p.values.W}@-1:0] kept_data;

  task automatic complain(input string text);
    $display("message %0d: %s (do_data = %h, do_last = %b)", passed + 1, text, do_data, do_last);
    $display("%0d passed, 1 failed; the rest was not run", passed);
    $fatal(1, "known answers failed");
  endtask

  string answers;
  initial begin
    {passed, quiet, tail} = '0;
    {pdi_valid, sdi_valid, do_ready, waiting, going} = '0;
    answers = "answers";
    if ($value$plusargs("answers=%s", answers)) $display("answers: %s", answers);
    u_pdi.open_file({answers, "/pdi.txt"});
    u_sdi.open_file({answers, "/sdi.txt"});
    u_do.open_file({answers, "/do.txt"});
    repeat (5) @(negedge clk);
    rst   = 1'b0;
    going = 1'b1;
  end

  // Everything happens between the rising edges: what moved at the last one is seen at the next falling one.
  logic pdi_moved, sdi_moved, do_moved, seen_valid, seen_last;
  logic [@{p.values.W}@-1:0] seen_data;
  always @(posedge clk) begin
    pdi_moved  <= pdi_valid && pdi_ready;
    sdi_moved  <= sdi_valid && sdi_ready;
    do_moved   <= do_valid && do_ready;
    seen_valid <= do_valid && !rst;
    seen_last  <= do_last;
    seen_data  <= do_data;
  end

  always @(negedge clk) begin
    if (going) begin
      if (waiting && (!seen_valid || seen_data !== kept_data || seen_last !== kept_last)) begin
        complain("do changed before it was taken");
      end
      waiting   = seen_valid && !do_moved;
      kept_data = seen_data;
      kept_last = seen_last;
      if (do_moved) begin
        if (!u_do.more) complain("more words than there should be");
        if (seen_data !== u_do.word) begin
          $display("expected %h", u_do.word);
          complain("another word than the answer");
        end
        if (seen_last !== u_do.status) complain("do_last is not with the status alone");
        if (u_do.status) passed++;
        u_do.next_word;
      end
      do_ready = $urandom_range(3) != 0;

      if (pdi_moved) begin
        pdi_valid = 1'b0;
        u_pdi.next_word;
      end
      if (!pdi_valid) begin
        pdi_valid = u_pdi.more && $urandom_range(3) != 0;
        pdi_data  = pdi_valid ? u_pdi.word : @{p.values.W}@'($urandom);
      end
      if (sdi_moved) begin
        sdi_valid = 1'b0;
        u_sdi.next_word;
      end
      if (!sdi_valid) begin
        sdi_valid = u_sdi.more && $urandom_range(3) != 0;
        sdi_data  = sdi_valid ? u_sdi.word : @{p.values.SW}@'($urandom);
      end

      quiet = pdi_moved || sdi_moved || do_moved ? 0 : quiet + 1;
      if (quiet == PATIENCE) complain("stuck");
      if (!u_do.more) begin  // the end: nothing more may come
        tail++;
        if (tail == 500) begin
          if (u_pdi.more || u_sdi.more || passed == 0) complain("input is left over");
          $display("%0d passed, 0 failed", passed);
          $finish;
        end
      end
    end
  end

endmodule
