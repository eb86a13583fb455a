// SPDX-License-Identifier: Apache-2.0
//
// A W25Q64 as far as the firmware uses it: its last 16 KiB, commands 02, 03, 05, 06, 20 and ab of the data sheet, one clock edge of the
// bus at a time as `clk` sees it. A port looks into the memory and changes it.

module w25q64 #(
    parameter int unsigned BUSY_CYCLES = 400
) (
    input  logic        clk,
    input  logic        cs_n,
    input  logic        sck,
    input  logic        mosi,
    output logic        miso,
    input  logic        locked,     // programs and erases do nothing
    input  logic [13:0] peek_addr,
    output logic [ 7:0] peek,
    input  logic        poke,
    input  logic [ 7:0] poke_data
);
  logic [7:0] memory[16384];
  logic sck_q, cs_n_q, enabled;
  logic [2:0] bits;
  int unsigned bytes, busy, filled;
  logic [7:0] command, in, out;
  logic [ 7:0] page  [256];
  logic [23:0] addr;
  logic [ 7:0] taken;
  assign taken = {in[6:0], mosi};
  assign miso  = out[7];
  assign peek  = memory[peek_addr];

  initial begin
    for (int i = 0; i < 16384; i++) memory[i] = 8'hff;
    sck_q = 0;
    cs_n_q = 1;
    enabled = 0;
    busy = 0;
  end

  always @(posedge clk) begin
    sck_q  <= sck;
    cs_n_q <= cs_n;
    if (poke) memory[peek_addr] <= poke_data;
    if (busy != 0) busy <= busy - 1;
    if (cs_n) begin
      bits   <= 0;
      bytes  <= 0;
      filled <= 0;
      if (!cs_n_q && bits == 0 && bytes > 0) begin
        if (command == 8'h06) enabled <= 1;
        if (enabled && (command == 8'h02 || command == 8'h20)) begin
          enabled <= 0;
          busy <= BUSY_CYCLES;
          assert (&addr[22:14])
          else $error("w25q64: address %06x is not in the last 16 KiB", addr);
          if (!locked && command == 8'h02)
            for (int unsigned i = 0; i < filled; i++)
            memory[{addr[13:8], addr[7:0]+8'(i)}] <= memory[{addr[13:8], addr[7:0]+8'(i)}] & page[i];
          if (!locked && command == 8'h20) for (int i = 0; i < 4096; i++) memory[{addr[13:12], 12'(i)}] <= 8'hff;
        end
      end
    end else begin
      if (sck && !sck_q) begin
        in   <= taken;
        bits <= bits + 1;
        if (bits == 7) begin
          bytes <= bytes + 1;
          if (bytes == 0) begin
            command <= taken;
            assert (busy == 0 || taken == 8'h05)
            else $error("w25q64: command %02x while busy", taken);
          end else if (bytes < 4) addr <= {addr[15:0], taken};
          else if (command == 8'h02) begin
            page[filled%256] <= taken;
            filled <= filled + 1;
          end else if (command == 8'h03) addr <= addr + 1;
        end
      end
      if (!sck && sck_q) begin
        out <= out << 1;
        if (bits == 0) begin
          if (command == 8'h05) out <= {6'd0, enabled, busy != 0};
          else if (command == 8'h03 && bytes >= 4) out <= memory[addr[13:0]];
          else out <= 8'hff;
        end
      end
    end
  end
endmodule
