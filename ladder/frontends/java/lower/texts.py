"""What instructions and temporaries are named after: a short normal form of the expression or statement they come from.

A text shows what an expression is, not where it stands: blanks, comments and positions do not count. It is bounded: a
long one is cut and ends in `~` and a hash of the whole, and what holds much code (the body of a lambda, the elements of
an array initialiser, the links in the middle of a long chain) is left out, so that a change there leaves the names of
what is around it. Texts hold no slash, which separates the parts of an id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from ladder.frontends.java import tree

LONGEST = 32
"""Characters of the text of an expression."""
SHORTEST = 16
"""Characters of a name within a text."""
_WHOLE_LINKS = 2
"""Links of a chain up to which its text shows them all."""
_UNSAFE = re.compile("[/\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


def cut(text: str, longest: int = LONGEST) -> str:
    """Return a text of bounded length: the text itself, or its beginning with a hash of the whole."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - 5]}~{crc32(text.encode('utf-8', 'surrogatepass')) & 0xFFFF:04x}"


class Texts:
    """The texts of one file's nodes. Each is made once, of the texts of the nodes in it, in time that does not depend
    on how much those hold."""

    def __init__(self) -> None:
        self._known: dict[tree.Node, str] = {}
        self._chains: dict[tree.Node, tuple[str, str, int]] = {}

    def of(self, node: tree.Node) -> str:
        """Return the text of an expression, pattern or statement; "" for what is named by its kind alone."""
        text = self._known.get(node)
        if text is None:
            make = _TEXTS.get(type(node))
            text = "" if make is None else make(self, node)
            if len(text) > LONGEST:
                text = cut(text)
            self._known[node] = text
        return text

    def list(self, nodes: Sequence[tree.Node]) -> str:
        """Return the texts of several expressions, separated by commas."""
        return ", ".join([self.of(node) for node in nodes]) if nodes else ""

    def chained(self, node: tree.Node, before: tree.Node, link: str) -> str:
        """Return the text of `before` with one more link; where that is a long chain, `first...last` stands for it."""
        text = self.of(before)
        first, last, links = self._chains.get(before) or (text, "", 0)
        self._chains[node] = first, link, links + 1
        if links > _WHOLE_LINKS:
            return f"{cut(first, SHORTEST)}..{last}{link}"
        return f"{text}{link}"


def _literal(_: Texts, node: tree.Literal) -> str:
    if node.kind not in ("string", "text", "char"):
        return node.text
    text = str(node.value) if node.kind == "text" else node.text
    return _UNSAFE.sub("|", cut(text))


def _call(texts: Texts, node: tree.MethodCall) -> str:
    link = f"{node.name}({texts.list(node.arguments)})"
    return link if node.target is None else texts.chained(node, node.target, "." + cut(link))


def _binary(texts: Texts, node: tree.Binary) -> str:
    # Chains nest to the left thousands deep, so that those inside are made first, innermost first.
    spine = []
    inner = node.left
    while isinstance(inner, tree.Binary) and inner not in texts._known:
        spine.append(inner)
        inner = inner.left
    for step in reversed(spine):
        texts.of(step)
    return texts.chained(node, node.left, f" {_operator(node)} {texts.of(node.right)}")


def _operator(node: tree.Binary | tree.Assignment) -> str:
    return node.operator.replace("/", "÷")


def _conditional(texts: Texts, node: tree.Conditional) -> str:
    # A chain in the last part may be thousands long.
    last = ".." if isinstance(node.if_false, tree.Conditional) else texts.of(node.if_false)
    return f"{texts.of(node.condition)} ? {texts.of(node.if_true)} : {last}"


def _new(texts: Texts, node: tree.New) -> str:
    made = f"new {node.type.name}({texts.list(node.arguments)})"
    return made if node.target is None else f"{texts.of(node.target)}.{made}"


def _new_array(texts: Texts, node: tree.NewArray) -> str:
    element = tree.erased_text(node.element)
    if node.initializer is not None:
        return f"new {element}[]{texts.of(node.initializer)}"
    return f"new {element}[{texts.list(node.lengths)}]"


def _initializer(texts: Texts, node: tree.ArrayInitializer) -> str:
    first = texts.list(node.elements[:1])
    return f"{{{first}, ..}}" if len(node.elements) > 1 else f"{{{first}}}"


def _reference(texts: Texts, node: tree.MethodReference) -> str:
    target = node.target
    return f"{tree.erased_text(target) if isinstance(target, tree.Type) else texts.of(target)}::{node.name}"


def _instance_of(texts: Texts, node: tree.InstanceOf) -> str:
    tested = tree.erased_text(node.type) if node.type is not None else texts.of(node.pattern or node)
    return f"{texts.of(node.operand)} instanceof {tested}"


def _update(texts: Texts, node: tree.Update) -> str:
    target = texts.of(node.target)
    return f"{node.operator}{target}" if node.prefix else f"{target}{node.operator}"


def _qualified(word: str) -> Callable[[Texts, Any], str]:
    return lambda texts, node: word if node.qualifier is None else f"{texts.of(node.qualifier)}.{word}"


def _parameters(_: Texts, node: tree.Lambda) -> str:
    return f"({', '.join([parameter.name for parameter in node.parameters])})->"


def _optional(texts: Texts, node: tree.Node | None) -> str:
    return "" if node is None else texts.of(node)


_TEXTS: dict[type[tree.Node], Callable[[Texts, Any], str]] = {
    tree.Literal: _literal,
    tree.Name: lambda _, node: ".".join(node.parts) if len(node.parts) > 1 else node.parts[0],
    tree.This: _qualified("this"),
    tree.Super: _qualified("super"),
    tree.FieldAccess: lambda texts, node: f"{texts.of(node.target)}.{node.name}",
    tree.ArrayAccess: lambda texts, node: f"{texts.of(node.array)}[{texts.of(node.index)}]",
    tree.MethodCall: _call,
    tree.MethodReference: _reference,
    tree.New: _new,
    tree.NewArray: _new_array,
    tree.ArrayInitializer: _initializer,
    tree.ClassLiteral: lambda _, node: f"{tree.erased_text(node.type)}.class",
    tree.Unary: lambda texts, node: f"{node.operator}{texts.of(node.operand)}",
    tree.Update: _update,
    tree.Binary: _binary,
    tree.InstanceOf: _instance_of,
    tree.Cast: lambda texts, node: f"({tree.erased_text(node.type)}) {texts.of(node.operand)}",
    tree.Conditional: _conditional,
    tree.Assignment: lambda texts, node: f"{texts.of(node.target)} {_operator(node)} {texts.of(node.value)}",
    tree.Lambda: _parameters,
    tree.SwitchExpression: lambda texts, node: f"switch {texts.of(node.selector)}",
    tree.TypePattern: lambda _, node: f"{tree.erased_text(node.type)} {node.name}",
    tree.RecordPattern: lambda texts, node: f"{tree.erased_text(node.type)}({texts.list(node.components)})",
    tree.AnyPattern: lambda _, node: "_",
    tree.LocalVariables: lambda _, node: ", ".join([declarator.name for declarator in node.declarators]),
    tree.ExpressionStatement: lambda texts, node: texts.of(node.expression),
    tree.ConstructorCall: lambda texts, node: f"{node.keyword}({texts.list(node.arguments)})",
    tree.EnumConstant: lambda _, node: node.name,
    tree.While: lambda texts, node: f"while {texts.of(node.condition)}",
    tree.Do: lambda texts, node: f"do while {texts.of(node.condition)}",
    tree.For: lambda texts, node: f"for {_optional(texts, node.condition)}",
    tree.ForEach: lambda texts, node: f"{node.variable.name} : {texts.of(node.iterable)}",
    tree.Switch: lambda texts, node: texts.of(node.selector),
    tree.Yield: lambda texts, node: f"yield {texts.of(node.value)}",
    tree.Return: lambda texts, node: _optional(texts, node.value),
    tree.Throw: lambda texts, node: texts.of(node.value),
    tree.Assert: lambda texts, node: f"assert {texts.of(node.condition)}",
    tree.Synchronized: lambda texts, node: texts.of(node.lock),
    tree.Catch: lambda _, node: " | ".join(map(tree.erased_text, node.parameter.types)),
}
