# SPDX-License-Identifier: Apache-2.0
"""Finds every place of a SystemVerilog file where a defect can be planted, on its syntax tree.

What is no hardware is left out: text for simulation alone, properties, checks of parameters.  So is text for synthesis
alone, which no simulation has, and what must be constant (parameters, widths, generate conditions, bounds of loops,
functions that such a place calls): all mutants of a campaign are in one build, and a defect there needs an elaboration
of its own.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyslang
from pyslang.syntax import SyntaxKind, SyntaxNode, SyntaxTree
from sealwire_lab import named_top
from sealwire_lab.errors import LabError

from . import defects

#: How the place of a defect is written: an expression, a statement, a port that is connected by its name alone.
EXPRESSION, STATEMENT, PORT = "expression", "statement", "port"

_CONSTANT = defects.kinds(
    "ParameterDeclaration ParameterDeclarationStatement ParameterValueAssignment VariableDimension TypedefDeclaration "
    "AttributeInstance EnumType StructType UnionType AnsiPortList FunctionPrototype IntegerType RangeList ScopedName "
    "SimpleRangeSelect ForVariableDeclaration GenvarDeclaration",
    end="",
)
_NO_HARDWARE = defects.kinds(
    "ElabSystemTask ImmediateAssertStatement ImmediateAssumeStatement ImmediateCoverStatement InitialBlock FinalBlock "
    "ConcurrentAssertionMember PropertyDeclaration SequenceDeclaration EventControlWithExpression "
    "PackageImportDeclaration",
    end="",
)
_TRANSPARENT = {"$signed", "$unsigned", "$countones"}
_LITERALS = defects.kinds("IntegerLiteral IntegerVector UnbasedUnsizedLiteral")
#: Constructs of which only the named parts are hardware; their other parts are constant.
_ONLY = {
    SyntaxKind.LoopGenerate: ("block",), SyntaxKind.IfGenerate: ("block", "elseClause"),
    SyntaxKind.ForLoopStatement: ("statement",), SyntaxKind.CastExpression: ("right",),
    SyntaxKind.MultipleConcatenationExpression: ("concatenation",), SyntaxKind.AscendingRangeSelect: ("left",),
    SyntaxKind.DescendingRangeSelect: ("left",),
}  # fmt: skip
#: What makes the defects of an expression.
_DEFECTS = (
    dict.fromkeys(defects.BINARY, defects.of_binary)
    | dict.fromkeys(defects.kinds("UnaryLogicalNot UnaryBitwiseNot"), defects.of_negation)
    | {SyntaxKind.ConditionalExpression: defects.of_choice}
)


@dataclass(frozen=True)
class Mutant:
    """One defect: in `file` the text from `start` to `end` (bytes) becomes another."""

    id: str  # eight hexadecimal digits, of the line and what becomes of it: the same wherever the line moves
    file: str  # relative to the repository
    line: int
    start: int
    end: int
    kind: str
    form: str
    was: str
    becomes: str

    @property
    def room(self) -> str:
        """The folder of the file below hdl/."""
        return str(Path(self.file).parent.relative_to("hdl"))

    def __str__(self) -> str:
        was, becomes = (" ".join(part.split()) for part in (self.was, self.becomes))
        return f"{self.file}:{self.line}: {was}  ->  {becomes or '(dropped)'}"


def parse(path: Path, defines: Iterable[str] = ("SYNTHESIS",)) -> Any:
    """The root of the syntax tree of a file; by default without what stands there for simulation alone."""
    options = pyslang.parsing.PreprocessorOptions()
    options.predefines = list(defines)
    tree = SyntaxTree.fromFile(str(path), pyslang.SourceManager(), pyslang.Bag([options]))
    problems = [problem for problem in tree.diagnostics if problem.isError()]
    if problems:
        raise LabError(f"{path} cannot be parsed: {problems[0].code}; `sealwire-lab lint` says where")
    return tree.root


def _words(part: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"//[^\n]*", "", part)))


def walk(node: Any) -> Iterator[Any]:
    """A node and every node below it."""
    yield node
    for child in node:
        if isinstance(child, SyntaxNode):
            yield from walk(child)


@dataclass(frozen=True)
class House:
    """What a place must know of the other files."""

    inputs: dict[str, frozenset[str]]  # of each module those that can be tied: no clocks, arrays, enumerations
    constant_functions: frozenset[str]
    checkers: frozenset[str]  # modules that only text for simulation instantiates


def _inputs(module: Any) -> frozenset[str]:
    names, direction = set(), ""
    for port in walk(module.header):
        if port.kind != SyntaxKind.ImplicitAnsiPort or port.header.kind == SyntaxKind.InterfacePortHeader:
            continue
        direction = defects.text(port.header.direction) or direction
        name = defects.text(port.declarator.name)
        # The style's suffixes: an enumeration; an interface without a modport, which a parser takes for a type.
        fixed = defects.text(port.header.dataType).split("[")[0].strip().endswith(("_e", "_if"))
        if direction == "input" and not list(port.declarator.dimensions) and not fixed and "clk" not in name:
            names.add(name)
    return frozenset(names)


def _instantiated(root: Any) -> set[str]:
    return {defects.text(node.type) for node in walk(root) if node.kind == SyntaxKind.HierarchyInstantiation}


def _constant_parts(node: Any) -> Iterator[Any]:
    """Every node below which all must be constant."""
    for part in walk(node):
        if part.kind in _CONSTANT - {SyntaxKind.FunctionPrototype, SyntaxKind.ScopedName}:
            yield part
        elif part.kind == SyntaxKind.IfGenerate:
            yield part.condition
        elif part.kind == SyntaxKind.LoopGenerate:
            yield part.stopExpr


def house(files: Iterable[Path]) -> House:
    """Look through all files once."""
    inputs: dict[str, frozenset[str]] = {}
    calls: dict[str, set[str]] = {}
    wanted: set[str] = set()
    real: set[str] = set()
    simulated: set[str] = set()
    for path in files:
        root = parse(path)
        real |= _instantiated(root)
        simulated |= _instantiated(parse(path, ()))
        for node in walk(root):
            if node.kind == SyntaxKind.ModuleDeclaration:
                inputs[defects.text(node.header.name)] = _inputs(node)
            elif node.kind == SyntaxKind.FunctionDeclaration:
                words = (_words(str(item)) for item in node.items)
                calls.setdefault(defects.text(node.prototype.name), set()).update(*words)
        for part in _constant_parts(root):
            wanted |= _words(str(part))
    constant = wanted & set(calls)
    while more := {name for caller in constant for name in calls[caller] & set(calls)} - constant:
        constant |= more
    return House(inputs, frozenset(constant), frozenset(simulated - real) | named_top.MONITORS)


class _Finder:
    """Goes through one file and notes (start, end, form, kind, becomes)."""

    def __init__(self, source: str, known: House) -> None:
        self.source, self.known = source, known
        self.found: list[tuple[int, int, str, str, str]] = []
        self.inputs: frozenset[str] = frozenset()

    def note(self, node: Any, form: str, made: Iterable[tuple[str, str]]) -> None:
        start, end = node.sourceRange.start.offset, node.sourceRange.end.offset
        for kind, becomes in made:
            self.found.append((start, end, form, kind, becomes))

    def _each(self, *parts: Any, reset: bool = False, depth: int = 0, compared: bool = False) -> None:
        for part in parts:
            if isinstance(part, SyntaxNode):
                self.visit(part, reset, depth, compared)

    def below(self, node: Any, reset: bool, depth: int, compared: bool = False) -> None:
        self._each(*node, reset=reset, depth=depth, compared=compared)

    def visit(self, node: Any, reset: bool = False, depth: int = 0, compared: bool = False) -> None:
        """`reset`: in the branch of a reset; `depth`: conditions around; `compared`: operand of a comparison."""
        kind = node.kind
        if kind in _CONSTANT or kind in _NO_HARDWARE:
            return
        name = f"_{kind.name}"
        if hasattr(self, name):
            getattr(self, name)(node, reset, depth, compared)
            return
        if parts := _ONLY.get(kind):
            compared = compared and kind == SyntaxKind.CastExpression
            self._each(*(getattr(node, part) for part in parts), reset=reset, depth=depth, compared=compared)
        elif make := _DEFECTS.get(kind):
            self.note(node, EXPRESSION, make(node))
            self.below(node, reset, depth, kind in defects.COMPARISONS)
        elif kind in _LITERALS:
            self.note(node, EXPRESSION, defects.of_literal(defects.text(node), compared))
        else:
            self.below(node, reset, depth, compared)

    # Names of methods are names of kinds of nodes.
    # ---- what is left out in part ---------------------------------------------------------------------------------

    def _ModuleDeclaration(self, node: Any, *_: Any) -> None:  # noqa: N802
        if defects.text(node.header.name) not in self.known.checkers:
            self._each(*node.members)

    def _FunctionDeclaration(self, node: Any, *_: Any) -> None:  # noqa: N802
        if defects.text(node.prototype.name) not in self.known.constant_functions:
            self._each(*node.items)

    def _DataDeclaration(self, node: Any, *_: Any) -> None:  # noqa: N802
        """Only a variable of a procedure has a value that is hardware."""
        if node.parent.kind in (SyntaxKind.FunctionDeclaration, SyntaxKind.SequentialBlockStatement):
            self._each(*(part.expr for part in walk(node) if part.kind == SyntaxKind.EqualsValueClause))

    def _InvocationExpression(self, node: Any, reset: bool, depth: int, _: Any) -> None:  # noqa: N802
        called = defects.text(node.left)
        if not called.startswith("$") or called in _TRANSPARENT:
            self.below(node, reset, depth)

    def _StructuredAssignmentPattern(self, node: Any, reset: bool, depth: int, _: Any) -> None:  # noqa: N802
        items = (item.expr for item in walk(node) if item.kind == SyntaxKind.AssignmentPatternItem)
        self._each(*items, reset=reset, depth=depth)

    # ---- statements -----------------------------------------------------------------------------------------------

    def _ConditionalStatement(self, node: Any, reset: bool, depth: int, _: Any) -> None:  # noqa: N802
        condition = defects.text(node.predicate)
        self.note(node.predicate, EXPRESSION, defects.of_condition(condition))
        self.visit(node.predicate)
        self.visit(node.statement, reset or defects.is_reset(condition), depth + 1)
        self._each(node.elseClause, reset=reset, depth=depth + 1)

    def _CaseStatement(self, node: Any, reset: bool, depth: int, _: Any) -> None:  # noqa: N802
        self.visit(node.expr)
        for item in node.items:
            if item.kind == SyntaxKind.StandardCaseItem and item.clause.kind == SyntaxKind.SequentialBlockStatement:
                self.note(item.clause, STATEMENT, [("enables", "")])
            self.visit(item.clause, reset, depth + 1)

    def _ExpressionStatement(self, node: Any, reset: bool, depth: int, _: Any) -> None:  # noqa: N802
        kind = node.expr.kind
        # Without its default a variable of combinational logic would be a latch, which is another machine.
        if kind == SyntaxKind.NonblockingAssignmentExpression or (
            depth and kind in (SyntaxKind.AssignmentExpression, SyntaxKind.XorAssignmentExpression)
        ):
            self.note(node, STATEMENT, [("resets" if reset else "enables", "")])
        self.visit(node.expr, reset, depth)

    def _assignment(self, node: Any, reset: bool, depth: int, _: Any) -> None:
        if not defects.text(node.left).startswith("unused"):  # takes up what nothing reads, for the linters
            self.visit(node.right, reset, depth)

    _AssignmentExpression = _NonblockingAssignmentExpression = _assignment
    _XorAssignmentExpression = _OrAssignmentExpression = _AndAssignmentExpression = _assignment
    _AddAssignmentExpression = _SubtractAssignmentExpression = _assignment

    # ---- instances ------------------------------------------------------------------------------------------------

    def _HierarchyInstantiation(self, node: Any, *_: Any) -> None:  # noqa: N802
        module = defects.text(node.type)
        if module in self.known.checkers:
            return
        self.inputs = self.known.inputs.get(module, frozenset())
        for part in walk(node):
            if part.kind == SyntaxKind.NamedPortConnection:
                self.connection(part)

    def connection(self, node: Any) -> None:
        name = defects.text(node.name)
        if name not in self.inputs:
            return
        if node.expr is not None:
            expression = defects.text(node.expr)
            self.note(node.expr, EXPRESSION, defects.of_connection(expression))
            self.visit(node.expr)
        elif not defects.text(node.openParen):
            start = node.name.location.offset
            for kind, becomes in defects.of_connection(name):
                self.found.append((start, start + len(name), PORT, kind, becomes))


def find(path: Path, file: str, known: House) -> list[Mutant]:
    """Every mutant of a file."""
    source = path.read_bytes()
    finder = _Finder(source.decode(), known)
    finder.visit(parse(path))
    simulated = _Finder(source.decode(), known)
    simulated.visit(parse(path, ()))
    both = set(simulated.found)
    mutants = []
    seen: Counter[str] = Counter()
    for start, end, form, kind, becomes in finder.found:
        was = source[start:end].decode()
        first = source.rfind(b"\n", 0, start) + 1
        last = source.find(b"\n", end)
        around = " ".join(source[first:last].decode().split())
        name = "\0".join((file, around, str(len(" ".join(source[first:start].decode().split()))), was, becomes))
        seen[name] += 1
        digest = hashlib.sha256(f"{name}\0{seen[name]}".encode()).hexdigest()[:8]
        line = source.count(b"\n", 0, start) + 1
        if (start, end, form, kind, becomes) in both:
            mutants.append(Mutant(digest, file, line, start, end, kind, form, was, becomes))
    return mutants


def all_of(root: Path) -> list[Mutant]:
    """Every mutant of hdl/ below `root`; generated files are their generator's."""
    files = [path for path in sorted((root / "hdl").rglob("*.sv")) if "generated" not in path.parts]
    known = house(files)
    mutants = [mutant for path in files for mutant in find(path, path.relative_to(root).as_posix(), known)]
    return list({mutant.id: mutant for mutant in mutants}.values())
