// SPDX-License-Identifier: Apache-2.0
//
// Reads 64-bit counters over a 32-bit bus without tearing: reading a low word keeps the high word of that moment, and the next
// read of a high word, of whatever counter, gives it. Writes are ignored.
// Bus: a request is one cycle (peakrdl-regblock's external ports); the next one comes after its acknowledgement. A write and a
// read of a high word are acknowledged one cycle later, a read of a low word one cycle after the link has answered.

module link_counter_read
  import link_types_pkg::*;
(
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 req,
    input  logic                 req_is_wr,
    input  counter_e             counter,
    input  logic                 high,       // its high word
    output logic                 wr_ack,
    output logic                 rd_ack,
    output logic          [31:0] rd_data,
    output counter_read_t        read,       // of the link
    input  logic                 done,       // `count` answers it
    input  logic          [63:0] count
);
  logic [31:0] kept_q;

  always_ff @(posedge clk) begin
    wr_ack  <= req && req_is_wr;
    rd_ack  <= (req && !req_is_wr && high) || (read.valid && done);
    rd_data <= '0;
    if (read.valid && done) begin
      read.valid <= 1'b0;
      rd_data <= count[31:0];
      kept_q <= count[63:32];
    end
    if (req && !req_is_wr) begin
      read <= '{valid: !high, counter: counter};
      if (high) rd_data <= kept_q;
    end
    if (rst) begin
      wr_ack <= 1'b0;
      rd_ack <= 1'b0;
      read   <= '0;
      kept_q <= '0;
    end
  end
endmodule
