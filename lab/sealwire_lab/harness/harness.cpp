// SPDX-License-Identifier: Apache-2.0
// Runs any core that obeys the port contract (docs: core ports), AEAD or MAC, and says what it saw.
//
// Key, cmd, ad, msg and tag_in are driven as independent sources, out and result collected by sinks, each with its own
// pauses.  Every output rule of the contract is watched in every cycle.  Commands come on standard input, one a line;
// strings are hexadecimal, "-" is the empty string, "." a string that is not sent; a comma ends a beat made by hand,
// legal or not.  A MAC core has neither AD nor out; its operations are 0, compute, and 1, verify:
//     stall none|idle|backpressure|both SEED
//     probe 0|1                                 look for ready bits that depend on another channel's valid
//     key K
//     tx ID CTX OP CACHED NONCE AD MSG TAG      queue a command (nothing waits for anything but the core)
//     wait | run N                              until all is done; N cycles
//     clear | rst                               now, whatever is in flight
//     state                                     hash of every register and memory of the model
//     flush                                     wait, then print all that happened and "end"
// Answers: `tx ID done|lost OK TAG OUT ACCEPT FIRST_OUT RESULT`, `key ACCEPT READY`, `state HASH`, `violation EDGE TEXT`.
// An event belongs to the rising edge that raised it; edges are counted from 1.

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "channels.hpp"
#include "device.hpp"

namespace {

const bool AEAD = SIZES.aead;
const unsigned CONTEXTS = SIZES.contexts, DATA_BITS = SIZES.data_bits, KEY_BITS = SIZES.key_bits;
const unsigned NONCE_BITS = SIZES.nonce_bits, TAG_BITS = SIZES.tag_bits;
const unsigned BEAT_BYTES = DATA_BITS / 8;
const unsigned SHARES = SIZES.shares;
const unsigned SEED_BITS = 160;
const unsigned TAG_PORT = TAG_BITS ? TAG_BITS : 1;
// Cycles without any transfer before the core counts as stuck. A mode of two passes works on a whole message without one.
const uint64_t PATIENCE = 20000 + 8 * uint64_t{SIZES.max_msg_bytes};
constexpr unsigned CLEAR_LIMIT = 1024;
enum Op : unsigned { SEAL, OPEN, LOAD_AD };   // of a MAC core: compute, verify

class Bench {
  public:
    Bench(uint64_t seed, int argc, char** argv) : core_{make_device(seed, argc, argv)}, random_{seed}, seeds_{seed} {
        build_sources();
        for (Source* source : all()) source->drop();
        core_->clear = core_->clk = 0;
        set_ready(false, false);
        restart(false);
    }

    void stall(const std::string& mode) {
        for (Source* source : all()) source->pause.configure(mode == "idle" || mode == "both");
        out_.pause.configure(mode == "backpressure" || mode == "both");
        result_.pause.configure(mode == "backpressure" || mode == "both");
    }
    void seed(uint64_t seed) { random_ = Random{seed}; }

    void probe(bool on) { probing_ = on; }

    void queue_key(const Bytes& key) {
        key_->push(0, {in_shares(key)});
        keys_for_.push_back(transactions_.size());
    }

    void queue(Transaction wanted, const std::string& ad, const std::string& msg, const std::string& tag) {
        transactions_.push_back(std::make_unique<Transaction>(std::move(wanted)));
        Transaction* transaction = transactions_.back().get();
        transaction->keys_before = keys_for_.size();
        transaction->out_done = !AEAD;
        cmd_->push(transaction->ctx, {transaction->nonce, true, transaction});
        if (AEAD) queue_string(*ad_, transaction, ad);
        queue_string(*msg_, transaction, msg);
        if (tag != "." && TAG_BITS) {
            tag_in_->push(transaction->ctx, {string_of(tag), true, transaction});
            ++transaction->inputs_left;
        }
    }

    void run(uint64_t cycles) {
        while (cycles--) cycle();
    }

    /// Run until every queued thing is done, or the core is stuck.
    void wait() {
        quiet_ = 0;
        while (busy()) {
            cycle();
            if (quiet_ > PATIENCE) {
                violation("stuck", "no transfer for " + std::to_string(PATIENCE) + " cycles" + waiting());
                restart(false);
                return;
            }
        }
        // The core must come to rest by itself: nothing more may come out, and busy must fall.
        for (unsigned i = 0; core_->busy; ++i) {
            cycle();
            if (i > PATIENCE) {
                violation("busy", "busy stays high with nothing in flight");
                return;
            }
        }
    }

    /// A pulse of rst or clear with everything still on offer; then the rules of the clearing time.
    void restart(bool by_clear) {
        if (by_clear) {
            core_->clear = 1;
        } else {
            core_->rst = 1;
        }
        core_->clk = 0;
        core_->eval();
        if (!core_->busy) violation("clear", "busy low in the cycle of the pulse");
        watch_closed();
        edge();
        core_->clear = core_->rst = 0;
        for (Source* source : all()) source->drop();
        offer_seed();
        for (auto& [ctx, flying] : flying_) flying.clear();
        out_.before = result_.before = View{};
        key_loaded_ = false;
        key_pending_ = false;
        keys_taken_ = keys_for_.size();
        accepted_ = transactions_.size();
        core_->clk = 0;
        core_->eval();
        unsigned cycles = 0;
        while (core_->busy && cycles <= CLEAR_LIMIT) {
            watch_closed();
            cycle();
            ++cycles;
        }
        if (cycles > CLEAR_LIMIT) violation("clear", "busy for more than 1024 cycles after rst or clear");
    }

    void hash_state() {
        // The same inputs every time, so that only what the core remembers can differ.
        Random fixed{1};
        std::swap(fixed, random_);
        for (Source* source : all()) source->redrive();
        set_ready(false, false);
        core_->clk = 0;
        core_->eval();
        report_ << "state " << core_->state() << "\n";
        std::swap(fixed, random_);
    }

    void flush() {
        wait();
        for (const auto& t : transactions_) {
            report_ << "tx " << t->id << (t->done ? " done " : " lost ") << t->ok << ' ' << to_hex(t->tag) << ' '
                    << to_hex(t->out) << ' ' << t->accept_edge << ' ' << t->out_edge << ' ' << t->result_edge << "\n";
        }
        std::cout << report_.str() << "end" << std::endl;
        report_.str("");
        transactions_.clear();
        keys_for_.clear();
        keys_taken_ = accepted_ = 0;
        violations_ = 0;
    }

  private:
    // ---- the core's ports ---------------------------------------------------------------------------------------

    void build_sources() {
        Device& c = *core_;
        const auto source = [this](std::unique_ptr<Source>& made, const char* name, unsigned contexts, const Port& ready,
                                   Source::Drive drive) {
            made = std::make_unique<Source>(name, contexts, std::move(drive), [&ready] { return ready.word(0); });
            sources_.push_back(made.get());
        };
        source(key_, "key", 1, c.key_ready, [this, &c](const Beat* beat, unsigned) {
            c.key_valid = beat != nullptr;
            put(c.key_data, SHARES * KEY_BITS, beat ? beat->data : Bytes{}, random_);
        });
        source(cmd_, "cmd", CONTEXTS, c.cmd_ready, [this, &c](const Beat* beat, unsigned ctx) {
            const Transaction* t = beat ? beat->transaction : nullptr;
            c.cmd_valid = beat != nullptr;
            if (AEAD) {
                c.cmd_ctx = beat ? ctx : garbage_ctx();
                c.cmd_op = t ? t->op : random_.below(4);
                c.cmd_cached_ad = t ? t->cached : random_.below(2);
                put(c.cmd_nonce, NONCE_BITS, beat ? beat->data : Bytes{}, random_);
            } else {
                c.cmd_verify = t ? t->op : random_.below(2);
            }
        });
        if (AEAD) {
            source(ad_, "ad", CONTEXTS, c.ad_ready, [this, &c](const Beat* beat, unsigned ctx) {
                c.ad_ctx = beat ? ctx : garbage_ctx();
                put_beat(beat, c.ad_valid, c.ad_data, c.ad_bytes, c.ad_last);
            });
        }
        source(msg_, "msg", CONTEXTS, c.msg_ready, [this, &c](const Beat* beat, unsigned ctx) {
            if (AEAD) c.msg_ctx = beat ? ctx : garbage_ctx();
            put_beat(beat, c.msg_valid, c.msg_data, c.msg_bytes, c.msg_last);
        });
        source(tag_in_, "tag_in", CONTEXTS, c.tag_in_ready, [this, &c](const Beat* beat, unsigned ctx) {
            if (AEAD) c.tag_in_ctx = beat ? ctx : garbage_ctx();
            c.tag_in_valid = beat != nullptr;
            put(c.tag_in_data, TAG_PORT, beat ? beat->data : Bytes{}, random_);
        });
        if (SHARES > 1) {
            source(seed_, "seed", 1, c.seed_ready, [this, &c](const Beat* beat, unsigned) {
                c.seed_valid = beat != nullptr;
                put(c.seed_data, SEED_BITS, beat ? beat->data : Bytes{}, random_);
            });
        }
    }

    /// A key as its port takes it: random shares whose sum is the key.
    Bytes in_shares(const Bytes& key) {
        Bytes shares = key;
        for (unsigned share = 1; share < SHARES; ++share) {
            for (size_t i = 0; i < key.size(); ++i) {
                shares.push_back(static_cast<uint8_t>(random_.below(256)));
                shares[i] ^= shares.back();
            }
        }
        return shares;
    }

    /// After a reset a core in shares waits for a seed of its random bits.
    void offer_seed() {
        if (!seed_) return;
        Bytes seed(SEED_BITS / 8);
        for (uint8_t& byte : seed) byte = static_cast<uint8_t>(seeds_.below(256));
        seed_->push(0, {seed});
    }

    void put_beat(const Beat* beat, Port& valid, Port& data, Port& bytes, Port& last) {
        valid = beat != nullptr;
        put(data, DATA_BITS, beat ? beat->data : Bytes{}, random_);
        bytes = beat ? beat->data.size() : random_.below(BEAT_BYTES + 1);
        last = beat ? beat->last : random_.below(2);
    }

    const std::vector<Source*>& all() const { return sources_; }
    unsigned garbage_ctx() { return random_.below(CONTEXTS > 1 ? CONTEXTS : 2); }

    void set_ready(bool out, bool result) {
        if (AEAD) core_->out_ready = out;
        core_->result_ready = result;
    }
    View view_out() const {
        if (AEAD) {
            const Device& c = *core_;
            const auto small = [](Port port) { return static_cast<unsigned>(port.word(0)); };
            if (c.out_valid) {
                return {true, c.out_last != 0, false, small(c.out_ctx), small(c.out_bytes), get(c.out_data, DATA_BITS)};
            }
        }
        return {};
    }
    View view_result() const {
        const Device& c = *core_;
        if (!c.result_valid) return {};
        unsigned ctx = 0;
        if (AEAD) ctx = c.result_ctx;
        return {true, true, c.result_ok != 0, ctx, 0, TAG_BITS ? get(c.result_tag, TAG_PORT) : Bytes{}};
    }

    // ---- one cycle ----------------------------------------------------------------------------------------------

    void edge() {
        core_->clk = 1;
        core_->eval();
        ++edge_;
    }

    void cycle() {
        core_->clk = 0;
        drive();
        core_->eval();
        if (probing_) probe_dependencies();
        const View out = view_out(), result = view_result();
        watch(out, result);
        std::vector<Source*> moving;
        for (Source* source : all()) {
            if (source->moving() >= 0) moving.push_back(source);
        }
        const bool took_out = out.valid && out_.ready, took_result = result.valid && result_.ready;
        if (core_->cmd_ready && key_pending_) key_is_ready();

        edge();   // everything below happened on this edge

        ++quiet_;
        if (took_out) take_out(out);
        if (took_result) take_result(result);
        // Data first: a beat that moves on the very edge that accepts its command was taken too early.
        const auto moves = [&](const auto& source) { return std::count(moving.begin(), moving.end(), source.get()) != 0; };
        for (Source* source : moving) {
            if (source != key_.get() && source != cmd_.get()) take_data(*source);
        }
        if (moves(cmd_)) take_cmd();
        if (moves(key_)) take_key();
    }

    void drive() {
        if (CONTEXTS > 1) {   // look at ready before choosing a context: with nothing new on offer
            for (Source* source : all()) source->redrive();
            core_->eval();
        }
        // A key waits for the commands before it to be accepted, a command for the keys before it: the order is then
        // the order of the input lines, and whether the core takes a key too early can still be seen.
        key_->offer(random_, [this](const Beat&) { return accepted_ >= keys_for_[keys_taken_]; });
        cmd_->offer(random_, [this](const Beat& beat) { return keys_taken_ >= beat.transaction->keys_before; });
        for (Source* source : all()) {
            if (source != key_.get() && source != cmd_.get()) source->offer(random_, [](const Beat&) { return true; });
        }
        const bool out = out_.choose(random_);   // in this order with every compiler
        set_ready(out, result_.choose(random_));
    }

    /// No ready may depend in the same cycle on another channel's valid, and no valid on its own ready.
    void probe_dependencies() {
        const std::vector<Source*>& sources = all();
        std::vector<uint64_t> seen;
        for (const Source* source : sources) seen.push_back(source->ready());
        for (Source* flipped : sources) {
            flipped->drive_opposite();
            core_->eval();
            for (size_t i = 0; i < sources.size(); ++i) {
                if (sources[i] != flipped && sources[i]->ready() != seen[i]) {
                    violation("ready", sources[i]->name + "_ready depends on " + flipped->name + "_valid");
                }
            }
            flipped->redrive();
        }
        core_->eval();
        const bool out = view_out().valid, result = view_result().valid;
        set_ready(!out_.ready, !result_.ready);
        core_->eval();
        if (out != view_out().valid) violation("valid", "out_valid depends on a ready");
        if (result != view_result().valid) violation("valid", "result_valid depends on a ready");
        set_ready(out_.ready, result_.ready);
        core_->eval();
    }

    // ---- rules seen on the ports --------------------------------------------------------------------------------

    /// While clearing, the cycle of the pulse included, nothing is taken: a core may clear in that cycle alone.
    void watch_closed() {
        for (Source* source : all()) {
            if (source->ready()) violation("clear", source->name + "_ready while clearing");
        }
    }

    void watch(const View& out, const View& result) {
        for (Source* source : all()) {
            const uint64_t ready = source->ready();
            if (source->promised & ~ready) violation("ready", source->name + "_ready fell before it took a beat");
            source->promised = ready;
        }
        // A key taken may hold back commands and a command keys: these two readies promise only until the other moves.
        if (!key_loaded_ && core_->cmd_ready) violation("key", "cmd_ready without a key");
        if (in_flight() && !core_->busy) violation("busy", "busy low with a command in flight");
        watch_sink(out_, out);
        watch_sink(result_, result);
        if (out.valid && !out_seen_) watch_out(out);
        if (result.valid && !result_seen_) watch_result(result);
        if (!AEAD && !result.valid && any(get(core_->result_tag, TAG_PORT))) {
            violation("tag", "result_tag is not 0 without a result");
        }
    }

    void watch_sink(Sink& sink, const View& now) {
        if (!sink.held_its_word(now)) violation("hold", sink.name + " changed before it was taken");
        bool& seen = &sink == &out_ ? out_seen_ : result_seen_;
        seen = sink.before.valid && !sink.was_ready && now == sink.before;
        sink.before = now;
        sink.was_ready = sink.ready;
    }

    /// A new beat on out: shape, and the command that it belongs to.
    void watch_out(const View& beat) {
        Transaction* t = oldest_with_out(beat.ctx);
        if (t == nullptr) return;
        if (t->out_edge == 0) t->out_edge = edge_;
        if (t->op == LOAD_AD) violation("out", "out on load AD");
        if (t->out_done) violation("out", "out after out_last");
        if (beat.bytes > BEAT_BYTES) violation("bytes", "out_bytes larger than a beat");
        if (!beat.last && beat.bytes != BEAT_BYTES) violation("bytes", "out beat before the last is not full");
        if (beat.last && beat.bytes == 0 && !t->out.empty()) violation("bytes", "empty last beat after data on out");
        if (beat.bytes < BEAT_BYTES && any(Bytes(beat.data.begin() + beat.bytes, beat.data.end()))) {
            violation("unused", "unused bytes of out are not zero");
        }
    }

    void watch_result(const View& result) {
        Transaction* t = oldest(result.ctx, "result");
        if (t == nullptr) return;
        t->result_edge = edge_;
        if (t->op != LOAD_AD && !t->out_done) violation("order", "result before out_last");
        if (t->inputs_left) violation("order", "result before the last input beat was taken");
        if ((t->op != SEAL || !result.ok) && any(result.data)) {
            violation("tag", t->op == SEAL ? "refused with a tag that is not 0"
                                           : AEAD ? "result_tag not 0 without seal" : "result_tag not 0 without a computed tag");
        }
    }

    Transaction* oldest(unsigned ctx, const char* channel) {
        if (ctx >= CONTEXTS) {
            violation("ctx", std::string(channel) + "_ctx out of range");
        } else if (!flying_[ctx].empty()) {
            return flying_[ctx].front();
        } else {
            violation("order", std::string(channel) + "_valid without a command in flight");
        }
        return nullptr;
    }

    /// The command that out belongs to: a sink that is slow on result may see the out of the next command first.
    Transaction* oldest_with_out(unsigned ctx) {
        Transaction* first = oldest(ctx, "out");
        if (first == nullptr) return nullptr;
        for (Transaction* t : flying_[ctx]) {
            if (t->op != LOAD_AD && !t->out_done) return t;
        }
        return first;
    }

    // ---- transfers ----------------------------------------------------------------------------------------------

    void take_out(const View& beat) {
        quiet_ = 0;
        if (beat.ctx >= CONTEXTS || flying_[beat.ctx].empty()) return;
        Transaction* t = oldest_with_out(beat.ctx);
        t->out.insert(t->out.end(), beat.data.begin(), beat.data.begin() + std::min(beat.bytes, BEAT_BYTES));
        t->out_done |= beat.last;
    }

    void take_result(const View& result) {
        quiet_ = 0;
        if (result.ctx >= CONTEXTS || flying_[result.ctx].empty()) return;
        Transaction* t = flying_[result.ctx].front();
        flying_[result.ctx].pop_front();
        t->ok = result.ok;
        t->tag = result.data;
        t->done = true;
    }

    void take_data(Source& source) {
        quiet_ = 0;
        const Beat beat = source.take();
        if (!beat.transaction) {   // a seed belongs to no command
            source.promised = 0;
            return;
        }
        source.promised &= ~(1ull << beat.transaction->ctx);
        if (!beat.transaction->accepted) violation("order", source.name + " beat taken before its command");
        if (beat.last) --beat.transaction->inputs_left;
    }

    void take_cmd() {
        quiet_ = 0;
        Transaction* t = cmd_->take().transaction;
        cmd_->promised &= ~(1ull << t->ctx);
        key_->promised = 0;
        const auto& flying = flying_[t->ctx];
        if (SIZES.commands > 1 ? flying.size() >= SIZES.commands : !flying.empty() && flying.back()->inputs_left) {
            violation("order", SIZES.commands > 1 ? "more commands taken than may be in flight"
                                                  : "cmd taken before the last beats of the command before it");
        }
        t->accepted = true;
        t->accept_edge = edge_;
        ++accepted_;
        flying_[t->ctx].push_back(t);
    }

    void take_key() {
        quiet_ = 0;
        key_->take();
        key_->promised = 0;
        cmd_->promised = 0;
        if (in_flight()) violation("key", "key taken while a command is in flight");
        key_loaded_ = true;
        key_pending_ = true;
        key_edge_ = edge_;
        ++keys_taken_;
    }

    void key_is_ready() {
        key_pending_ = false;
        report_ << "key " << key_edge_ << ' ' << edge_ << "\n";
    }

    // ---- the rest -----------------------------------------------------------------------------------------------

    static Bytes string_of(const std::string& text) { return text == "-" ? Bytes{} : from_hex(text); }
    static bool any(const Bytes& string) {
        return std::any_of(string.begin(), string.end(), [](uint8_t byte) { return byte != 0; });
    }

    void queue_string(Source& source, Transaction* transaction, const std::string& text) {
        if (text == ".") return;
        std::vector<Bytes> beats;
        if (text.find(',') != std::string::npos) {
            std::istringstream parts{text};
            for (std::string part; std::getline(parts, part, ',');) beats.push_back(string_of(part));
        } else {
            const Bytes string = string_of(text);
            size_t at = 0;
            do {
                const size_t end = std::min<size_t>(at + BEAT_BYTES, string.size());
                beats.emplace_back(string.begin() + at, string.begin() + end);
                at = end;
            } while (at < string.size());
        }
        for (const Bytes& beat : beats) source.push(transaction->ctx, {beat, &beat == &beats.back(), transaction});
        ++transaction->inputs_left;
    }

    bool busy() {
        for (Source* source : all()) {
            if (!source->empty()) return true;
        }
        return key_pending_ || in_flight();
    }

    bool in_flight() const {
        for (const auto& [ctx, flying] : flying_) {
            if (!flying.empty()) return true;
        }
        return false;
    }

    std::string waiting() {
        std::string text;
        for (Source* source : all()) {
            if (source->offering()) text += ", " + source->name + " not taken";
        }
        for (const auto& [ctx, flying] : flying_) {
            if (!flying.empty()) text += flying.front()->out_done ? ", no result" : ", no end of out";
        }
        return text;
    }

    void violation(const std::string& rule, const std::string& text) {
        if (++violations_ <= 20) report_ << "violation " << edge_ << ' ' << rule << ": " << text << "\n";
    }

    std::unique_ptr<Device> core_;
    Random random_;
    Random seeds_;   // apart: what comes after a clear does not tell how long the life before it was
    std::unique_ptr<Source> key_, cmd_, ad_, msg_, tag_in_, seed_;
    std::vector<Source*> sources_;
    Sink out_{"out"}, result_{"result"};
    std::map<unsigned, std::deque<Transaction*>> flying_;
    std::vector<std::unique_ptr<Transaction>> transactions_;
    std::vector<size_t> keys_for_;   // for each key of the batch: how many commands come before it
    size_t keys_taken_ = 0, accepted_ = 0;
    bool probing_ = false, key_loaded_ = false, key_pending_ = false, out_seen_ = false, result_seen_ = false;
    unsigned violations_ = 0;
    uint64_t edge_ = 0, quiet_ = 0, key_edge_ = 0;
    std::ostringstream report_;
};

bool execute(Bench& bench, const std::string& line) {
    std::istringstream words{line};
    std::string verb;
    words >> verb;
    if (verb == "tx") {
        Transaction t;
        std::string nonce, ad, msg, tag;
        words >> t.id >> t.ctx >> t.op >> t.cached >> nonce >> ad >> msg >> tag;
        t.nonce = from_hex(nonce);
        if (!words || t.ctx >= CONTEXTS || (!AEAD && t.op > OPEN)) return false;
        bench.queue(std::move(t), ad, msg, tag);
    } else if (verb == "key") {
        std::string key;
        words >> key;
        bench.queue_key(from_hex(key));
    } else if (verb == "stall") {
        std::string mode;
        uint64_t seed = 1;
        words >> mode >> seed;
        bench.stall(mode);
        bench.seed(seed);
    } else if (verb == "probe") {
        bool on = false;
        words >> on;
        bench.probe(on);
    } else if (verb == "run") {
        uint64_t cycles = 0;
        words >> cycles;
        bench.run(cycles);
    } else if (verb == "wait") {
        bench.wait();
    } else if (verb == "clear" || verb == "rst") {
        bench.restart(verb == "clear");
    } else if (verb == "state") {
        bench.hash_state();
    } else if (verb == "flush") {
        bench.flush();
    } else {
        return false;
    }
    return true;
}

}   // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    Bench bench{argc > 1 ? std::stoull(argv[1]) : 1, argc, argv};
    std::string line;
    while (std::getline(std::cin, line)) {
        if (!line.empty() && !execute(bench, line)) {
            std::cerr << "harness: cannot execute: " << line.substr(0, 60) << std::endl;
            return 2;
        }
    }
    return 0;
}
