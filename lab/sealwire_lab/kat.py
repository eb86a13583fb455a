# SPDX-License-Identifier: Apache-2.0
"""Runs known-answer files through the RTL of a core.

A record counts once.  It passes when seal equals and open succeeds, a flipped bit in tag, ciphertext, AD and nonce each
fails with tag 0 (an empty string grows by a byte instead), load AD and the cached form agree with the plain one, and no
rule of the port contract was broken on the way.  A message longer than the core has room for passes when it is refused.
Of a MAC the tag equals, verification succeeds, and a flipped bit in tag, message and key each fails with tag 0.
A core that takes its key in shares can be asked for more: each record sealed and opened, or its tag computed and
verified, with many sharings of the key.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sealwire_model.answers import AeadRecord, MacRecord, VectorFile, parse

from .build import Netlist
from .cores import Core
from .errors import LabError
from .simulation import Outcome, Report, Simulation

_Any = TypeVar("_Any")
#: Sharings whose commands are queued at once.
_BATCH = 50


@dataclass
class Verdict:
    """One record of one file, and what was wrong with it (nothing: passed)."""

    file: Path
    count: int
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every check of the record held."""
        return not self.problems


def parameters_for(core: Core, vectors: VectorFile) -> dict[str, int]:
    """Elaboration parameters that a file asks for; its name and its header must agree with the core and each other."""
    mac = core.kind == "mac"
    if mac != (vectors.form == "mac"):
        kind = "a MAC core" if mac else f"a core of kind {core.kind!r}"
        raise LabError(f"{vectors.path} holds {'AEAD' if mac else 'MAC'} answers, but {core.name} is {kind}")
    sizes = core.parameters_of_scheme(vectors.scheme)
    if sizes is None or (mac and vectors.scheme != core.scheme):
        raise LabError(f"{vectors.path} is for {vectors.scheme}, but {core.name} implements {core.scheme}")
    if mac:
        sizes, answer = core.parameters(), vectors.mac[0]
        if 8 * len(answer.key) != sizes["KEY_BITS"] or 8 * len(answer.tag) != sizes["TAG_BITS"]:
            raise LabError(f"{vectors.path}: key or tag of record {answer.count} has not the size of {core.name}")
        return sizes
    for parameter, name in (("KEY_BITS", "KeyBytes"), ("NONCE_BITS", "NonceBytes"), ("TAG_BITS", "TagBytes")):
        bits = vectors.header_bits(name)
        if parameter == "TAG_BITS" and core.filled_tag:  # the header states a part of the tag alone
            continue
        if bits is not None and sizes.setdefault(parameter, bits) != bits:
            raise LabError(f"{vectors.path}: the header says {name} = {bits // 8}, the name {sizes[parameter]} bits")
    for parameter, values in core.only.items():  # what can only be one size needs no statement
        if len(values) == 1:
            sizes.setdefault(parameter, values[0])
    first = vectors.aead[0]
    if sizes.get("KEY_BITS") != 8 * len(first.key) or sizes.get("NONCE_BITS") != 8 * len(first.nonce):
        raise LabError(f"{vectors.path}: key or nonce of record {first.count} has not the size that the file states")
    if "TAG_BITS" not in sizes:
        raise LabError(f"{vectors.path} states no tag length, neither in its header (TagBytes) nor in its name")
    return core.parameters(**sizes)


def spread(records: list[_Any], limit: int | None) -> list[_Any]:
    """All of them, or `limit` of them spread evenly (the first is always among them)."""
    if limit is None or limit >= len(records):
        return records
    return [records[i * len(records) // limit] for i in range(limit)]


def flipped(string: bytes, bit: int) -> bytes:
    """The string with one bit changed, or one byte longer if it has no bit."""
    if not string:
        return b"\0"
    position = bit % (8 * len(string))
    changed = bytearray(string)
    changed[position // 8] ^= 1 << position % 8
    return bytes(changed)


class _Record:
    """One record on its way through the core: queues the commands, then judges the outcomes."""

    def __init__(self, core: Core, record: AeadRecord, tag_bytes: int, seed: int) -> None:
        self.core, self.record, self.tag_bytes = core, record, tag_bytes
        self.bit = seed * 7919 + record.count * 104729
        self.sealed = b""

    def judge_seal(self, outcome: Outcome) -> list[str]:
        self.sealed = outcome.out + outcome.tag
        problems = [] if outcome.done and outcome.ok else ["seal gave no result"]
        if not self.record.matches(self.sealed, filled=self.core.filled_tag):
            problems.append("seal differs from the answer")
            if (sealed := self.record.sealed(self.tag_bytes)) is not None:
                self.sealed = sealed
        return problems

    def rest(self, bench: Simulation) -> None:
        """Everything else, back to back; the contexts of the core take turns."""
        contexts = self.core.contexts
        self.cases: list[tuple[str, int]] = []
        r, split = self.record, len(self.sealed) - self.tag_bytes
        ciphertext, tag = self.sealed[:split], self.sealed[split:]

        def queue_open(name: str, nonce: bytes, ad: bytes | None, text: bytes, tag: bytes) -> None:
            self.cases.append((name, bench.open(nonce, ad, text, tag, ctx=len(self.cases) % contexts)))

        queue_open("good", r.nonce, r.ad, ciphertext, tag)
        if tag:
            queue_open("flipped tag", r.nonce, r.ad, ciphertext, flipped(tag, self.bit))
        queue_open("flipped ciphertext", r.nonce, r.ad, flipped(ciphertext, self.bit), tag)
        queue_open("flipped AD", r.nonce, flipped(r.ad, self.bit), ciphertext, tag)
        queue_open("flipped nonce", flipped(r.nonce, self.bit), r.ad, ciphertext, tag)
        bench.wait()
        self.cases.append(("load AD", bench.load_ad(r.nonce, r.ad)))
        bench.wait()
        if self.core.ad_cache:
            self.cases.append(("cached seal", bench.seal(r.nonce, None, r.plaintext)))
            queue_open("good", r.nonce, None, ciphertext, tag)
            if tag:
                queue_open("flipped tag (cached AD)", r.nonce, None, ciphertext, flipped(tag, self.bit + 1))

    def problem(self, name: str, outcome: Outcome) -> str:
        """What is wrong with one outcome; empty when nothing is."""
        if not outcome.done:
            return f"{name}: no result"
        if name == "good":
            right = outcome.ok and outcome.out == self.record.plaintext
            return "" if right else "open gives another plaintext" if outcome.ok else "open refuses the good message"
        if name == "load AD":
            wrong = "load AD fails" if self.core.ad_cache else "load AD succeeds without a cache"
            return "" if outcome.ok == self.core.ad_cache else wrong
        if name == "cached seal":
            return "" if outcome.out + outcome.tag == self.sealed else "seal with cached AD differs"
        if outcome.ok:
            return f"open accepts a {name}"
        return f"open of a {name} shows a tag" if any(outcome.tag) else ""


def _judge_mac(report: Report, record: MacRecord) -> list[str]:
    computed, *rest = report.outcomes
    problems = [] if computed.done and computed.ok else ["compute gave no result"]
    if computed.tag != record.tag:
        problems.append("tag differs from the answer")
    for name, outcome in zip(("good", "flipped tag", "flipped message", "flipped key"), rest, strict=True):
        if not outcome.done:
            problems.append(f"{name}: no result")
        elif any(outcome.tag):
            problems.append(f"verify of a {name} message shows a tag")
        elif name == "good" and not outcome.ok:
            problems.append("verify refuses the good tag")
        elif name != "good" and outcome.ok:
            problems.append(f"verify accepts a {name}")
    return problems


def _rules(violations: Sequence[str]) -> list[str]:
    """Rules of the port contract that were broken, each once."""
    return list(dict.fromkeys(violation.split(": ", 1)[1] for violation in violations))


#: A command that is given again under each sharing of a key: what queues it, judges its outcome, says what is wrong.
_Asked = tuple[Callable[[], object], Callable[[Outcome], bool], str]


def _in_other_shares(bench: Simulation, key: bytes, count: int, *commands: _Asked) -> list[str]:
    """What is wrong with commands under `count` new sharings of a key; the harness draws them."""
    problems = []
    for start in range(0, count, _BATCH):
        for _ in range(min(_BATCH, count - start)):
            bench.key(key)
            for queue, _, _ in commands:
                queue()
        report = bench.flush()
        for place, outcome in enumerate(report.outcomes):
            sharing, which = divmod(place, len(commands))
            _, right, problem = commands[which]
            if not (outcome.done and right(outcome)):
                problems.append(f"sharing {start + sharing + 2}: {problem}")
        problems += _rules(report.violations)
    return problems


def _mac(bench: Simulation, vectors: VectorFile, limit: int | None, seed: int, sharings: int) -> Iterator[Verdict]:
    key = None
    for record in spread(vectors.mac, limit):
        bit = seed * 7919 + record.count * 104729
        if record.key != key:
            bench.key(record.key)
        bench.compute(record.message)
        bench.verify(record.message, record.tag)
        bench.verify(record.message, flipped(record.tag, bit))
        bench.verify(flipped(record.message, bit), record.tag)
        key = flipped(record.key, bit)
        bench.key(key)
        bench.verify(record.message, record.tag)
        report = bench.flush()
        verdict = Verdict(vectors.path, record.count, _judge_mac(report, record) + _rules(report.violations))
        if any(not outcome.done for outcome in report.outcomes):
            key = None  # the harness has reset a core that was stuck
        elif verdict.passed and sharings > 1:
            verdict.problems += _mac_in_other_shares(bench, record, sharings - 1)
            key = record.key
        yield verdict


def _mac_in_other_shares(bench: Simulation, record: MacRecord, count: int) -> list[str]:
    """Compute and verify the tag of a record."""
    message, tag = record.message, record.tag
    return _in_other_shares(
        bench, record.key, count,
        (lambda: bench.compute(message), lambda seen: seen.ok and seen.tag == tag, "tag differs"),
        (lambda: bench.verify(message, tag), lambda seen: seen.ok and not any(seen.tag),
         "verify refuses the good tag or shows one"),
    )  # fmt: skip


def _aead_in_other_shares(
    bench: Simulation, record: AeadRecord, sealed: bytes, tag_bytes: int, count: int
) -> list[str]:
    """Seal and open a record."""
    nonce, ad, text = record.nonce, record.ad, record.plaintext
    ciphertext, tag = sealed[: len(sealed) - tag_bytes], sealed[len(sealed) - tag_bytes :]
    return _in_other_shares(
        bench, record.key, count,
        (lambda: bench.seal(nonce, ad, text), lambda seen: seen.ok and seen.out + seen.tag == sealed, "seal differs"),
        (lambda: bench.open(nonce, ad, ciphertext, tag), lambda seen: seen.ok and seen.out == text,
         "open refuses the message or gives another"),
    )  # fmt: skip


def _aead(
    bench: Simulation,
    core: Core,
    parameters: dict[str, int],
    vectors: VectorFile,
    limit: int | None,
    seed: int,
    sharings: int,
) -> Iterator[Verdict]:
    key = None
    for record in spread(vectors.aead, limit):
        verdict = Verdict(vectors.path, record.count)
        if len(record.key) * 8 != parameters["KEY_BITS"] or len(record.nonce) * 8 != parameters["NONCE_BITS"]:
            verdict.problems.append("key or nonce has another size than the file states")
            yield verdict
            continue
        if record.key != key:  # the same key in a row stays loaded: its reuse is part of what is tested
            bench.key(record.key)
            key = record.key
        check = _Record(core, record, parameters["TAG_BITS"] // 8, seed)
        bench.seal(record.nonce, record.ad, record.plaintext)
        report = bench.flush()
        sealed = report.outcomes[0]
        if len(record.plaintext) > parameters.get("MAX_MSG_BYTES", len(record.plaintext)):  # it must be refused
            if not sealed.done:
                verdict.problems.append("seal gave no result")
            elif sealed.ok or sealed.out or any(sealed.tag):
                verdict.problems.append("seal takes a message longer than MAX_MSG_BYTES")
            verdict.problems += _rules(report.violations)
            yield verdict
            continue
        verdict.problems += check.judge_seal(sealed)
        violations = list(report.violations)
        if sealed.done:
            check.rest(bench)
            report = bench.flush()
            found = (check.problem(name, report.outcomes[place]) for name, place in check.cases)
            verdict.problems += filter(None, found)
            violations += report.violations
        verdict.problems += _rules(violations)
        if any(not outcome.done for outcome in report.outcomes):
            key = None  # the harness has reset a core that was stuck
        elif verdict.passed:
            tag_bytes = parameters["TAG_BITS"] // 8
            verdict.problems += _aead_in_other_shares(bench, record, check.sealed, tag_bytes, sharings - 1)
        yield verdict


def run(
    core: Core,
    vectors: VectorFile,
    *,
    limit: int | None = None,
    stall: str = "none",
    seed: int = 1,
    sharings: int = 1,
    netlist: Netlist | None = None,
) -> Iterator[Verdict]:
    """Check the records of a file, one verdict each.

    A netlist, made for the parameters of the file, takes the place of the RTL.  A core that takes its key in shares
    is asked each record with that many sharings.
    """
    if sharings > 1 and core.shares == 1:
        raise LabError(f"{core.name} takes its key in one piece: there are no sharings of it")
    parameters = parameters_for(core, vectors)
    with Simulation.of(core, parameters, seed, netlist=netlist) as bench:
        bench.stall(stall, seed)
        if core.kind == "mac":
            yield from _mac(bench, vectors, limit, seed, sharings)
        else:
            yield from _aead(bench, core, parameters, vectors, limit, seed, sharings)


def read(core: Core, files: list[Path]) -> list[VectorFile]:
    """Parse all files first, so that a bad one is reported before anything is built."""
    parsed = [parse(path) for path in files]
    for vectors in parsed:
        parameters_for(core, vectors)
    return parsed
