# SPDX-License-Identifier: Apache-2.0
"""Which defects an expression or a statement of SystemVerilog can have: its text, and the texts that take its place.

Each stands in for the original without another change around it: width, sign and type stay what they are.
"""

import re
from collections.abc import Iterator
from typing import Any

from pyslang.syntax import SyntaxKind, SyntaxNode

#: Kinds of defects, the strata of a draw.
KINDS = ("operators", "resets", "enables", "bounds", "constants", "connections")

_OPERATORS = {
    "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "+": "-", "-": "+", "==": "!=", "!=": "==",
    "<<": ">>", ">>": "<<",
}  # fmt: skip
_BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_RESET = re.compile(r"(^|_)(rst|reset|clear|wipe|zero)(_|$)")
_SIZED = re.compile(r"(\d+)'(s?)([bodh])([0-9a-f_]+)", re.IGNORECASE)
_RADIX = {"b": 2, "o": 8, "d": 10, "h": 16}


def kinds(names: str, end: str = "Expression") -> frozenset[Any]:
    """Kinds of nodes by their names, with what all of them end in left out."""
    return frozenset(getattr(SyntaxKind, name + end) for name in names.split())


COMPARISONS = kinds("Equality Inequality LessThan LessThanEqual GreaterThan GreaterThanEqual")
BINARY = COMPARISONS | kinds(
    "LogicalAnd LogicalOr BinaryAnd BinaryOr BinaryXor Add Subtract LogicalShiftLeft LogicalShiftRight"
)


def text(node: Any) -> str:
    """The source of a node or token without the comments and spaces before it."""
    if not isinstance(node, SyntaxNode):
        return str(node.rawText)
    size = node.sourceRange.end.offset - node.sourceRange.start.offset
    return str(node).encode()[-size:].decode()


def is_reset(condition: str) -> bool:
    """Whether a condition asks for a reset or a wipe."""
    return any(_RESET.search(word) for word in re.findall(r"(?<![!\w])\w+", condition))


def of_binary(node: Any) -> Iterator[tuple[str, str]]:
    """Defects of an expression: another operator, and an operand of a conjunction or disjunction dropped."""
    left, operator, right = text(node.left), text(node.operatorToken), text(node.right)
    if operator in _BOUNDS:
        yield "bounds", f"({left}) {_BOUNDS[operator]} ({right})"
    elif operator in _OPERATORS:
        yield "operators", f"({left}) {_OPERATORS[operator]} ({right})"
    if operator in ("&&", "||"):
        for operand in (left, right):
            yield "operators", f"1'b1 && ({operand})"


def of_negation(node: Any) -> Iterator[tuple[str, str]]:
    """The negation dropped: of a truth value, or bit by bit."""
    operand = text(node.operand)
    yield "operators", f"1'b1 && ({operand})" if node.kind == SyntaxKind.UnaryLogicalNotExpression else f"({operand})"


def of_choice(node: Any) -> Iterator[tuple[str, str]]:
    """The two arms of a conditional expression exchanged."""
    yield "operators", f"({text(node.predicate)}) ? ({text(node.right)}) : ({text(node.left)})"


def of_condition(condition: str) -> Iterator[tuple[str, str]]:
    """A condition that never holds, always holds, holds when it should not; a reset that never comes."""
    if is_reset(condition):
        yield "resets", "1'b0"
        return
    yield "enables", "1'b0"
    yield "enables", "1'b1"
    yield "enables", f"!({condition})"


def of_literal(literal: str, compared: bool) -> Iterator[tuple[str, str]]:
    """The next value of a literal, or the other one."""
    kind = "bounds" if compared else "constants"
    if literal in ("'0", "'1"):
        yield "constants", "'1" if literal == "'0" else "'0"
    elif literal.isdecimal():
        yield kind, str(int(literal) + 1)
    elif match := _SIZED.fullmatch(literal.replace(" ", "")):
        width, sign, base, digits = match.groups()
        value = (int(digits.replace("_", ""), _RADIX[base.lower()]) + 1) % (1 << int(width))
        yield kind, f"{width}'{sign}b{value:b}" if base == "b" else f"{width}'{sign}h{value:x}"


def of_connection(expression: str) -> Iterator[tuple[str, str]]:
    """An input that is tied, and one that is inverted."""
    if expression in ("'0", "'1") or _SIZED.fullmatch(expression):
        return  # a constant is changed as one
    yield "connections", "'0"
    if not expression.startswith("'{"):  # has no type but that of the port
        yield "connections", f"~({expression})"
