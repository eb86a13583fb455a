// SPDX-License-Identifier: Apache-2.0
//
// AES-OTR with its key in two shares (docs/cores/otr-masked.md) behind the ports that the link's cores have: beats of 64 bits or
// of the core's 128, and a whole key, which is split at every load under fresh random bits. Those, and the seed of the core after
// each of its clears, come from a generator that is seeded from outside once, and again after `forget`.
// Byte order: byte i of every string is bits [8i+7:8i]; a seed has the key of `trivium_random` in its low 80 bits.
// Cycles: those of the core; a key or a seed waits at most three cycles for random bits.
// Security: the core keeps its key under a probe, the link does not: a session's key stands whole in its slot and on the way here.
// An alarm of any random bits is `alarm` until a seed comes; nothing is sealed or opened then.

module masked_aead #(
    parameter int unsigned DATA_BITS  = 64,  // or 128
    parameter int unsigned NONCE_BITS = 96,
    parameter int unsigned TAG_BITS   = 128
) (
    input  logic           clk,
    input  logic           clear,        // zeroises the core
    input  logic           forget,       // zeroises the random bits, too
    input  logic           seed_valid,
    output logic           seed_wanted,
    input  logic   [159:0] seed_data,
    output logic           alarm,
           aead_if         io
);
  aead_if #(
      .DATA_BITS (128),
      .KEY_BITS  (256),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) core ();

  // ------------------------------------------------------------------------------------------------ random bits
  logic random_valid, words_alarm, core_alarm, core_seed_ready, full, spent;
  logic [63:0] random;
  logic [2:0][63:0] pool_q;  // for a seed, or to split a key
  logic [1:0] count_q;
  assign full  = count_q == 2'd3;
  assign spent = full && (core_seed_ready || (core.key.valid && core.key_ready));
  assign alarm = words_alarm || core_alarm;

  trivium_words #(
      .WORDS(1)
  ) u_words (
      .clk,
      .clear(forget),
      .seed_valid,
      .seed_ready(seed_wanted),
      .seed(seed_data),
      .valid(random_valid),
      .random,
      .alarm(words_alarm)
  );

  always_ff @(posedge clk) begin
    if (random_valid && !full) begin
      pool_q  <= {random, pool_q[2:1]};
      count_q <= count_q + 2'd1;
    end
    if (forget || words_alarm || spent) begin
      pool_q  <= '0;
      count_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ the core
  otr_masked_core #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_core (
      .clk,
      .clear(clear || forget),
      .port(core),
      .seed_valid(full),
      .seed_ready(core_seed_ready),
      .seed_data({pool_q[2][31:0], pool_q[1:0]}),
      .alarm(core_alarm)
  );

  logic [127:0] mask;
  assign mask = pool_q[1:0];
  assign core.key = '{valid: io.key.valid && full && !core_seed_ready, data: {mask, io.key.data ^ mask}};
  assign io.key_ready = core.key_ready && full && !core_seed_ready;
  assign core.cmd = '{
          valid: io.cmd.valid,
          ctx: '0,
          op: io.cmd.op,
          cached_ad: io.cmd.cached_ad,
          nonce: io.cmd.nonce
      };
  assign io.cmd_ready = core.cmd_ready;
  assign core.tag_in = '{valid: io.tag_in.valid, ctx: '0, data: io.tag_in.data};
  assign io.tag_in_ready = core.tag_in_ready;
  assign io.result = '{valid: core.result.valid, ctx: '0, ok: core.result.ok, tag: core.result.tag};
  assign core.result_ready = io.result_ready;
  assign io.busy = core.busy;

  // ------------------------------------------------------------------------------------------------ beats
  assign core.ad.ctx = '0;
  assign core.msg.ctx = '0;
  assign io.out.ctx = '0;
  if (DATA_BITS == 128) begin : g_whole
    assign {core.ad.valid, core.ad.data, core.ad.bytes, core.ad.last} = {
      io.ad.valid, io.ad.data, io.ad.bytes, io.ad.last
    };
    assign {core.msg.valid, core.msg.data, core.msg.bytes, core.msg.last} = {
      io.msg.valid, io.msg.data, io.msg.bytes, io.msg.last
    };
    assign {io.out.valid, io.out.data, io.out.bytes, io.out.last} = {
      core.out.valid, core.out.data, core.out.bytes, core.out.last
    };
    assign {io.ad_ready, io.msg_ready, core.out_ready} = {core.ad_ready, core.msg_ready, io.out_ready};
  end else begin : g_halves
    beat_join u_ad (
        .clk,
        .clear  (clear || forget),
        .s_valid(io.ad.valid),
        .s_ready(io.ad_ready),
        .s_data (io.ad.data),
        .s_bytes(io.ad.bytes),
        .s_last (io.ad.last),
        .m_valid(core.ad.valid),
        .m_ready(core.ad_ready),
        .m_data (core.ad.data),
        .m_bytes(core.ad.bytes),
        .m_last (core.ad.last)
    );
    beat_join u_msg (
        .clk,
        .clear  (clear || forget),
        .s_valid(io.msg.valid),
        .s_ready(io.msg_ready),
        .s_data (io.msg.data),
        .s_bytes(io.msg.bytes),
        .s_last (io.msg.last),
        .m_valid(core.msg.valid),
        .m_ready(core.msg_ready),
        .m_data (core.msg.data),
        .m_bytes(core.msg.bytes),
        .m_last (core.msg.last)
    );
    beat_split u_out (
        .clk,
        .clear  (clear || forget),
        .s_valid(core.out.valid),
        .s_ready(core.out_ready),
        .s_data (core.out.data),
        .s_bytes(core.out.bytes),
        .s_last (core.out.last),
        .m_valid(io.out.valid),
        .m_ready(io.out_ready),
        .m_data (io.out.data),
        .m_bytes(io.out.bytes),
        .m_last (io.out.last)
    );
  end

  wire unused = &{1'b0, io.cmd.ctx, io.ad.ctx, io.msg.ctx, io.tag_in.ctx, core.out.ctx, core.result.ctx, pool_q};

`ifndef SYNTHESIS
  logic [127:0] used_q;  // what split the key before
  always_ff @(posedge clk) begin
    if (core.key.valid && core.key_ready) begin
      used_q <= mask;
      a_each_key_is_split_anew :
      assert (mask != '0 && mask != used_q)
      else $error("masked_aead: a key is split under random bits that were used before");
    end
  end
`endif
endmodule
