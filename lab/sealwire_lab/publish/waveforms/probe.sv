// SPDX-License-Identifier: Apache-2.0
// Writes what the channels of a core carry, one line a clock edge, into the file +wave=NAME.
// Bound into the core that is simulated; not synthesised. Columns: waveforms/record.py.
module wave_probe (
    input logic        clk,
    input logic        busy,
    input logic        key_valid,
    input logic        key_ready,
    input logic        cmd_valid,
    input logic        cmd_ready,
    input logic [ 1:0] cmd_op,
    input logic        ad_valid,
    input logic        ad_ready,
    input logic        ad_last,
    input logic        msg_valid,
    input logic        msg_ready,
    input logic        msg_last,
    input logic        tag_in_valid,
    input logic        tag_in_ready,
    input logic        out_valid,
    input logic        out_ready,
    input logic        out_last,
    input logic        result_valid,
    input logic        result_ready,
    input logic        result_ok
);

  string file;
  int    descriptor;

  initial begin
    descriptor = 0;
    if ($value$plusargs("wave=%s", file)) descriptor = $fopen(file, "w");
  end

  always @(posedge clk) begin
    if (descriptor != 0) begin
      $fdisplay(descriptor, "%b %b%b0 %b%b%b %b%b%b %b%b%b %b%b0 %b%b%b %b%b%b", busy, key_valid, key_ready, cmd_valid,
                cmd_ready, cmd_op[0], ad_valid, ad_ready, ad_last, msg_valid, msg_ready, msg_last, tag_in_valid,
                tag_in_ready, out_valid, out_ready, out_last, result_valid, result_ready, result_ok);
      $fflush(descriptor);  // the bench ends the program from outside
    end
  end

endmodule
