// SPDX-License-Identifier: Apache-2.0
// Runs any MAC core that obeys the port contract (docs: core ports) and says what it saw.
//
// Key, cmd, msg and tag_in are driven as independent sources, result is collected by a sink, each with its own pauses.
// Every output rule of the contract is watched in every cycle.  Commands come on standard input, one a line; strings are
// hexadecimal, "-" is the empty string, "." a string that is not sent:
//     stall none|idle|backpressure|both SEED
//     probe 0|1                        look for ready bits that depend on another channel's valid
//     key K
//     tx ID VERIFY MSG TAG             queue a command; in MSG a comma ends a beat made by hand, legal or not
//     wait | run N                     until all is done; N cycles
//     clear | rst                      now, whatever is in flight
//     state                            hash of every register of the model
//     flush                            wait, then print all that happened and "end"
// Answers: `tx ID done|lost OK TAG - ACCEPT 0 RESULT`, `key ACCEPT READY`, `state HASH`, `violation EDGE TEXT`.
// An event belongs to the rising edge that raised it; edges are counted from 1.

#include <iostream>
#include <memory>
#include <sstream>

#include "Vcore.h"
#include "channels.hpp"
#include "save_coverage.hpp"
#include "state_hash.hpp"

namespace {

constexpr unsigned BEAT_BYTES = DATA_BITS / 8;
constexpr uint64_t PATIENCE = 20000;   // cycles without any transfer before the core counts as stuck
constexpr unsigned CLEAR_LIMIT = 1024;
enum Op : unsigned { COMPUTE, VERIFY };

class Bench {
  public:
    Bench(uint64_t seed, int argc, char** argv) : random_{seed} {
        context_.commandArgs(argc, argv);
        context_.randReset(2);   // registers start with random values: nothing may rely on initial ones
        context_.randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
        core_ = std::make_unique<Vcore>(&context_, "core");
        build_sources();
        for (Source* source : all()) source->drop();
        core_->clear = core_->result_ready = core_->clk = 0;
        restart(false);
    }
    ~Bench() { save_coverage(context_); }

    void stall(const std::string& mode) {
        for (Source* source : all()) source->pause.configure(mode == "idle" || mode == "both");
        result_.pause.configure(mode == "backpressure" || mode == "both");
    }
    void seed(uint64_t seed) { random_ = Random{seed}; }
    void probe(bool on) { probing_ = on; }

    void queue_key(const Bytes& key) {
        key_->push(0, {key});
        keys_for_.push_back(transactions_.size());
    }

    void queue(unsigned id, unsigned op, const std::string& msg, const std::string& tag) {
        transactions_.push_back(std::make_unique<Transaction>());
        Transaction* t = transactions_.back().get();
        t->id = id;
        t->op = op;
        t->keys_before = keys_for_.size();
        cmd_->push(0, {{}, true, t});
        queue_message(t, msg);
        if (tag != ".") {
            tag_in_->push(0, {string_of(tag), true, t});
            ++t->inputs_left;
        }
    }

    void run(uint64_t cycles) {
        while (cycles--) cycle();
    }

    /// Run until every queued thing is done, or the core is stuck.
    void wait() {
        quiet_ = 0;
        while (pending()) {
            cycle();
            if (quiet_ > PATIENCE) {
                violation("stuck", "no transfer for " + std::to_string(PATIENCE) + " cycles");
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
        core_->clear = by_clear;
        core_->rst = !by_clear;
        core_->clk = 0;
        core_->eval();
        if (!core_->busy) violation("clear", "busy low in the cycle of the pulse");
        watch_closed();
        edge();
        core_->clear = core_->rst = 0;
        for (Source* source : all()) source->drop();
        flying_.clear();
        result_.before = View{};
        key_loaded_ = key_pending_ = false;
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
        core_->result_ready = 0;
        core_->clk = 0;
        core_->eval();
        report_ << "state " << state_hash(*core_) << "\n";
        std::swap(fixed, random_);
    }

    void flush() {
        wait();
        for (const auto& t : transactions_) {
            report_ << "tx " << t->id << (t->done ? " done " : " lost ") << t->ok << ' ' << to_hex(t->tag) << " - "
                    << t->accept_edge << " 0 " << t->result_edge << "\n";
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
        Vcore& c = *core_;
        key_ = std::make_unique<Source>("key", 1, [this, &c](const Beat* beat, unsigned) {
            c.key_valid = beat != nullptr;
            put(c.key_data, KEY_BITS, beat ? beat->data : Bytes{}, random_);
        }, [&c] { return uint64_t{c.key_ready}; });
        cmd_ = std::make_unique<Source>("cmd", 1, [this, &c](const Beat* beat, unsigned) {
            c.cmd_valid = beat != nullptr;
            c.cmd_verify = beat && beat->transaction ? beat->transaction->op : random_.below(2);
        }, [&c] { return uint64_t{c.cmd_ready}; });
        msg_ = std::make_unique<Source>("msg", 1, [this, &c](const Beat* beat, unsigned) {
            c.msg_valid = beat != nullptr;
            put(c.msg_data, DATA_BITS, beat ? beat->data : Bytes{}, random_);
            c.msg_bytes = beat ? beat->data.size() : random_.below(BEAT_BYTES + 1);
            c.msg_last = beat ? beat->last : random_.below(2);
        }, [&c] { return uint64_t{c.msg_ready}; });
        tag_in_ = std::make_unique<Source>("tag_in", 1, [this, &c](const Beat* beat, unsigned) {
            c.tag_in_valid = beat != nullptr;
            put(c.tag_in_data, TAG_BITS, beat ? beat->data : Bytes{}, random_);
        }, [&c] { return uint64_t{c.tag_in_ready}; });
    }

    std::vector<Source*> all() { return {key_.get(), cmd_.get(), msg_.get(), tag_in_.get()}; }

    View view_result() const {
        const Vcore& c = *core_;
        if (!c.result_valid) return {};
        return {true, true, c.result_ok != 0, 0, 0, get(c.result_tag, TAG_BITS)};
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
        const View result = view_result();
        watch(result);
        const bool key = key_->moving() >= 0, cmd = cmd_->moving() >= 0, msg = msg_->moving() >= 0;
        const bool tag_in = tag_in_->moving() >= 0, took_result = result.valid && result_.ready;
        if (core_->cmd_ready && key_pending_) key_is_ready();

        edge();   // everything below happened on this edge

        ++quiet_;
        if (took_result) take_result(result);
        // Data first: a beat that moves on the very edge that accepts its command was taken too early.
        if (msg) take_data(*msg_);
        if (tag_in) take_data(*tag_in_);
        if (cmd) take_cmd();
        if (key) take_key();
    }

    void drive() {
        // A key waits for the commands before it to be accepted, a command for the keys before it: the order is then
        // the order of the input lines, and whether the core takes a key too early can still be seen.
        key_->offer(random_, [this](const Beat&) { return accepted_ >= keys_for_[keys_taken_]; });
        cmd_->offer(random_, [this](const Beat& beat) { return keys_taken_ >= beat.transaction->keys_before; });
        const auto always = [](const Beat&) { return true; };
        msg_->offer(random_, always);
        tag_in_->offer(random_, always);
        core_->result_ready = result_.choose(random_);
    }

    /// No ready may depend in the same cycle on another channel's valid, and no valid on its own ready.
    void probe_dependencies() {
        const std::vector<Source*> sources = all();
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
        const bool result = core_->result_valid;
        core_->result_ready = !result_.ready;
        core_->eval();
        if (result != (core_->result_valid != 0)) violation("valid", "result_valid depends on a ready");
        core_->result_ready = result_.ready;
        core_->eval();
    }

    // ---- rules seen on the ports --------------------------------------------------------------------------------

    /// While clearing, the cycle of the pulse included, nothing is taken: a core may clear in that cycle alone.
    void watch_closed() {
        for (Source* source : all()) {
            if (source->ready()) violation("clear", source->name + "_ready while clearing");
        }
    }

    void watch(const View& result) {
        for (Source* source : all()) {
            const uint64_t ready = source->ready();
            if (source->promised & ~ready) violation("ready", source->name + "_ready fell before it took a beat");
            source->promised = ready;
        }
        if (!key_loaded_ && core_->cmd_ready) violation("key", "cmd_ready without a key");
        if (!flying_.empty() && !core_->busy) violation("busy", "busy low with a command in flight");
        if (!result_.held_its_word(result)) violation("hold", "result changed before it was taken");
        const bool seen = result_.before.valid && !result_.was_ready && result == result_.before;
        result_.before = result;
        result_.was_ready = result_.ready;
        if (result.valid && !seen) watch_result(result);
        if (!result.valid) {
            for (const uint8_t byte : get(core_->result_tag, TAG_BITS)) {
                if (byte) return violation("tag", "result_tag is not 0 without a result");
            }
        }
    }

    void watch_result(const View& result) {
        if (flying_.empty()) return violation("order", "result_valid without a command in flight");
        Transaction* t = flying_.front();
        t->result_edge = edge_;
        if (t->inputs_left) violation("order", "result before the last input beat was taken");
        if (t->op == COMPUTE && result.ok) return;
        for (const uint8_t byte : result.data) {
            if (byte) return violation("tag", "result_tag not 0 without a computed tag");
        }
    }

    // ---- transfers ----------------------------------------------------------------------------------------------

    void take_result(const View& result) {
        quiet_ = 0;
        if (flying_.empty()) return;
        Transaction* t = flying_.front();
        flying_.pop_front();
        t->ok = result.ok;
        t->tag = result.data;
        t->done = true;
    }

    void take_data(Source& source) {
        quiet_ = 0;
        const Beat beat = source.take();
        source.promised = 0;
        if (!beat.transaction->accepted) violation("order", source.name + " beat taken before its command");
        if (beat.last) --beat.transaction->inputs_left;
    }

    void take_cmd() {
        quiet_ = 0;
        Transaction* t = cmd_->take().transaction;
        cmd_->promised = key_->promised = 0;
        if (!flying_.empty() && flying_.back()->inputs_left) {
            violation("order", "cmd taken before the last beats of the command before it");
        }
        t->accepted = true;
        t->accept_edge = edge_;
        ++accepted_;
        flying_.push_back(t);
    }

    void take_key() {
        quiet_ = 0;
        key_->take();
        cmd_->promised = key_->promised = 0;
        if (!flying_.empty()) violation("key", "key taken while a command is in flight");
        key_loaded_ = key_pending_ = true;
        key_edge_ = edge_;
        ++keys_taken_;
    }

    void key_is_ready() {
        key_pending_ = false;
        report_ << "key " << key_edge_ << ' ' << edge_ << "\n";
    }

    // ---- the rest -----------------------------------------------------------------------------------------------

    static Bytes string_of(const std::string& text) { return text == "-" ? Bytes{} : from_hex(text); }

    void queue_message(Transaction* t, const std::string& text) {
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
        for (size_t i = 0; i < beats.size(); ++i) msg_->push(0, {beats[i], i + 1 == beats.size(), t});
        ++t->inputs_left;
    }

    bool pending() {
        for (Source* source : all()) {
            if (!source->empty()) return true;
        }
        return key_pending_ || !flying_.empty();
    }

    void violation(const std::string& rule, const std::string& text) {
        if (++violations_ <= 20) report_ << "violation " << edge_ << ' ' << rule << ": " << text << "\n";
    }

    VerilatedContext context_;
    std::unique_ptr<Vcore> core_;
    Random random_;
    std::unique_ptr<Source> key_, cmd_, msg_, tag_in_;
    Sink result_{"result"};
    std::deque<Transaction*> flying_;
    std::vector<std::unique_ptr<Transaction>> transactions_;
    std::vector<size_t> keys_for_;   // for each key of the batch: how many commands come before it
    size_t keys_taken_ = 0, accepted_ = 0;
    bool probing_ = false, key_loaded_ = false, key_pending_ = false;
    unsigned violations_ = 0;
    uint64_t edge_ = 0, quiet_ = 0, key_edge_ = 0;
    std::ostringstream report_;
};

bool execute(Bench& bench, const std::string& line) {
    std::istringstream words{line};
    std::string verb;
    words >> verb;
    if (verb == "tx") {
        unsigned id = 0, op = 0;
        std::string msg, tag;
        words >> id >> op >> msg >> tag;
        if (!words || op > VERIFY) return false;
        bench.queue(id, op, msg, tag);
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

/// Verilator asks for the time of day of the simulation; nothing here depends on it.
double sc_time_stamp() { return 0; }

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
