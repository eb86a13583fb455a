// SPDX-License-Identifier: Apache-2.0
//
// Memory for secrets: one write port, one registered read port (two clocks allowed), and a walk
// that writes zero to every word. core-ports.md rule 12 allows a clear 1024 cycles, so the memory
// is split into banks of at most WIPE_CYCLES words that are wiped side by side: w_wiping is high
// from the cycle after w_wipe until WIPE_CYCLES (or DEPTH, if smaller) cycles after w_wipe fell.
// Maps to block RAM: read data come one cycle after r_en and hold. A word that is read in the
// cycle in which it is written reads as anything. With READ_LATE they come another cycle later, from
// registers behind each bank: an ECP5 takes 4.3 ns to read, and then the choice of a bank is not of that
// cycle. Security: the last read word stays on r_data until the next read, so the owner reads address 0
// once during a wipe, with READ_LATE all through it.
module wiped_ram #(
    parameter  int unsigned WIDTH       = 64,            // bits
    parameter  int unsigned DEPTH       = 2048,          // words, a power of two, at least 4
    parameter  int unsigned WIPE_CYCLES = 1024,          // a power of two
    parameter  bit          READ_LATE   = 1'b0,          // read data come a cycle later
    localparam int unsigned ADDR_BITS   = $clog2(DEPTH)
) (
    input  logic                 w_clk,
    input  logic                 w_wipe,    // restart the walk
    output logic                 w_wiping,  // the walk is on: w_en is ignored
    input  logic                 w_en,
    input  logic [ADDR_BITS-1:0] w_addr,
    input  logic [    WIDTH-1:0] w_data,
    input  logic                 r_clk,
    input  logic                 r_en,
    input  logic [ADDR_BITS-1:0] r_addr,
    output logic [    WIDTH-1:0] r_data
);

  localparam int unsigned BANK_WORDS = (DEPTH < WIPE_CYCLES) ? DEPTH : WIPE_CYCLES;
  localparam int unsigned BANKS = DEPTH / BANK_WORDS;
  localparam int unsigned BANK_BITS = $clog2(BANK_WORDS);

  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0 || (WIPE_CYCLES & (WIPE_CYCLES - 1)) != 0) begin : g_bad_depth
    $fatal(1, "wiped_ram: DEPTH = %0d and WIPE_CYCLES = %0d must be powers of two, DEPTH >= 4", DEPTH, WIPE_CYCLES);
  end

  logic [BANK_BITS-1:0] walk;

  always_ff @(posedge w_clk) begin
    if (w_wiping) begin
      walk     <= walk + 1'b1;
      w_wiping <= walk != '1;
    end
    if (w_wipe) begin
      walk     <= '0;
      w_wiping <= 1'b1;
    end
  end

  logic [BANK_BITS-1:0] word_addr;
  logic [    WIDTH-1:0] word_data;
  assign word_addr = w_wiping ? walk : w_addr[BANK_BITS-1:0];
  assign word_data = w_wiping ? '0 : w_data;

  logic [BANKS-1:0][WIDTH-1:0] bank_data;
  logic [BANKS-1:0] bank_write;

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    (* ram_style = "block", no_rw_check *) logic [WIDTH-1:0] mem[BANK_WORDS];

    always_ff @(posedge w_clk) if (bank_write[b]) mem[word_addr] <= word_data;
    always_ff @(posedge r_clk) if (r_en) bank_data[b] <= mem[r_addr[BANK_BITS-1:0]];
  end

  if (READ_LATE) begin : g_late
    logic [BANKS-1:0][WIDTH-1:0] data;
    always_ff @(posedge r_clk) data <= bank_data;
  end else begin : g_late
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam logic [BANKS-1:0][WIDTH-1:0] data = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  if (BANKS == 1) begin : g_one_bank
    assign bank_write = w_wiping || w_en;
    assign r_data = READ_LATE ? g_late.data[0] : bank_data[0];
  end else begin : g_many_banks
    localparam int unsigned SELECT_BITS = $clog2(BANKS);
    logic [SELECT_BITS-1:0] r_bank;

    always_comb begin
      bank_write = w_wiping ? '1 : '0;
      if (w_en) bank_write[w_addr[ADDR_BITS-1:BANK_BITS]] = 1'b1;
    end

    always_ff @(posedge r_clk) if (r_en) r_bank <= r_addr[ADDR_BITS-1:BANK_BITS];

    if (READ_LATE) begin : g_choice
      logic [SELECT_BITS-1:0] bank;
      always_ff @(posedge r_clk) bank <= r_bank;
    end else begin : g_choice
      // verilog_lint: waive-start parameter-name-style (it stands for a signal)
      localparam logic [SELECT_BITS-1:0] bank = '0;
      // verilog_lint: waive-stop parameter-name-style
    end

    assign r_data = READ_LATE ? g_late.data[g_choice.bank] : bank_data[r_bank];
  end

endmodule
