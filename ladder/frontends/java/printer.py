"""The three-address form as text, for people and tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ladder.frontends.java import ir


def show_unit(unit: ir.Unit) -> str:
    """Return all types of a file with their fields and bodies, then all annotations and defaults of their elements,
    as text."""
    lines = [line for declaration in unit.types for line in _type_lines(declaration)]
    defaults = (f"default {type_}: {_element(element)}" for type_, element in unit.defaults)
    return "\n".join([*lines, *map(_annotation_line, unit.annotations), *defaults])


def show_method(method: ir.Method) -> str:
    """Return a method's head and code, as text; variables are without the method's name, which is `~` in other ids."""
    return "\n".join(_method_lines(method))


def _type_lines(declaration: ir.TypeDeclaration) -> Iterator[str]:
    yield f"{declaration.kind} {declaration.id}"
    for field in declaration.fields:
        yield f"  field {' '.join((*field.modifiers, field.name))}"
    for method in declaration.methods:
        yield from ("  " + line for line in _method_lines(method))


def _annotation_line(annotation: ir.Annotation) -> str:
    return f"annotation {annotation.id}: {_type(annotation.type)}({', '.join(map(_element, annotation.elements))})"


def _element(element: ir.AnnotationElement) -> str:
    name = f"{element.name}[{element.index}]" if element.index >= 0 else element.name
    return f"{name} = {element.kind} {_type(element.value) if element.kind == 'class' else element.value}"


def _method_lines(method: ir.Method) -> Iterator[str]:
    short = _shortener(method.id)
    head = " ".join((*method.modifiers, method.id))
    captured = "".join(f" [{copy} = {source}]" for source, copy in ((s, short(c)) for s, c in method.captured))
    if method.body is None:
        yield head
        return
    yield f"{head}:{captured}"
    for code in method.body.code:
        if isinstance(code, ir.Label):
            yield f" {code.name}:"
        elif isinstance(code, ir.Goto):
            yield f"  goto {code.label}"
        else:
            handlers = method.body.handlers.get(code.id, ())
            to = f"  !{', '.join(map(short, handlers))}" if handlers else ""
            yield f"  {show(code, short)}{to}"


def _shortener(method: str) -> Callable[[str], str]:
    def short(id: str) -> str:
        return id[len(method) + 1 :] if id.startswith(method + "/") else id

    return short


def show(code: ir.Instruction, short: Callable[[str], str] = str) -> str:
    """Return one instruction as text; `short` is applied to the ids in it."""
    return _SHOW[type(code)](code, lambda operand: _operand(operand, short))


def _operand(operand: ir.Operand | None, short: Callable[[str], str]) -> str:
    if isinstance(operand, ir.Constant):
        return (
            operand.value if operand.type in ("int", "java.lang.String", "null") else f"{operand.value}:{operand.type}"
        )
    return "?" if operand is None else short(operand)


_OUTER_SCOPE = re.compile(".*?/(?:type|name) ")
_INNER_SCOPE = re.compile("[^<>, ]*/(?:type|name) ")


def _type(use: ir.Use) -> str:
    """Return the use of a type without the scopes in it."""
    return _INNER_SCOPE.sub("", _OUTER_SCOPE.sub("", use, count=1)).removesuffix("/itself")


Show = Callable[[Any, Callable[[ir.Operand | None], str]], str]


def _call(i: ir.Call, v: Callable[[ir.Operand | None], str]) -> str:
    base = f"{v(i.base)}." if i.base else ""
    qualifier = f"[{_type(i.qualifier)}]" if i.qualifier else ""
    outer = f"{v(i.outer)}|" if i.outer else ""
    result = f"{v(i.result)} = " if i.result else ""
    return f"{result}{i.kind} {outer}{base}{qualifier}{i.name}({', '.join(map(v, i.arguments))})"


def _new(i: ir.NewObject, v: Callable[[ir.Operand | None], str]) -> str:
    outer = f"{v(i.outer)}|" if i.outer else ""
    anonymous = f" as {i.anonymous}" if i.anonymous else ""
    return f"{v(i.target)} = new {outer}{_type(i.type)}({', '.join(map(v, i.arguments))}){anonymous}"


def _array(i: ir.NewArray, v: Callable[[ir.Operand | None], str]) -> str:
    elements = f" of {', '.join(map(v, i.elements))}" if i.elements else ""
    return f"{v(i.target)} = new {_type(i.type)} [{v(i.length)}]{elements}"


def _qualified(base: str | None, type: ir.Use | None, name: str, v: Callable[[ir.Operand | None], str]) -> str:
    return f"name {name}" if type is None else f"name {v(base)}[{_type(type)}].{name}"


def _contexts(contexts: tuple[ir.FunctionalTarget, ...]) -> str:
    return "".join(f" for {kind} {index}" if kind == "argument" else f" for {kind}" for kind, _, index in contexts)


def _switch(i: ir.Switch, v: Callable[[ir.Operand | None], str]) -> str:
    cases = ", ".join(f"{kind} {label}: {to}" for kind, label, to in i.cases)
    return f"switch {v(i.subject)} {{{cases}}} else {i.default}"


_SHOW: dict[type[ir.Instruction], Show] = {
    ir.AssignConstant: lambda i, v: f"{v(i.target)} = {v(i.value)}",
    ir.AssignClass: lambda i, v: f"{v(i.target)} = class {_type(i.type)}",
    ir.Copy: lambda i, v: f"{v(i.target)} = {v(i.source)}",
    ir.Cast: lambda i, v: f"{v(i.target)} = ({_type(i.type)}) {v(i.source)}",
    ir.CastAs: lambda i, v: f"{v(i.target)} = (type of {v(i.like)}) {v(i.source)}",
    ir.InstanceOf: lambda i, v: f"{v(i.target)} = {v(i.source)} instanceof {_type(i.type)}",
    ir.Binary: lambda i, v: f"{v(i.target)} = {v(i.left)} {i.operator} {v(i.right)}",
    ir.Unary: lambda i, v: f"{v(i.target)} = {i.operator}{v(i.operand)}",
    ir.LoadField: lambda i, v: f"{v(i.target)} = {v(i.base) + ' ' if i.base else ''}<{i.field}>",
    ir.StoreField: lambda i, v: f"{v(i.base) + ' ' if i.base else ''}<{i.field}> = {v(i.source)}",
    ir.LoadMember: lambda i, v: f"{v(i.target)} = {v(i.base)}.{'super.' if i.of_super else ''}{i.name}",
    ir.StoreMember: lambda i, v: f"{v(i.base)}.{'super.' if i.of_super else ''}{i.name} = {v(i.source)}",
    ir.LoadName: lambda i, v: f"{v(i.target)} = {_qualified(i.base, i.type, i.name, v)}",
    ir.StoreName: lambda i, v: f"{_qualified(i.base, i.type, i.name, v)} = {v(i.source)}",
    ir.LoadComponent: lambda i, v: f"{v(i.target)} = component {i.index} of {v(i.base)}",
    ir.LoadArray: lambda i, v: f"{v(i.target)} = {v(i.base)}[{v(i.index)}]",
    ir.StoreArray: lambda i, v: f"{v(i.base)}[{v(i.index)}] = {v(i.source)}",
    ir.NewArray: _array,
    ir.NewObject: _new,
    ir.Call: _call,
    ir.NewLambda: lambda i, v: f"{v(i.target)} = {v(i.method)}{_contexts(i.contexts)}",
    ir.NewReference: lambda i, v: (
        f"{v(i.target)} = {i.kind} {v(i.base) if i.base else ''}[{_type(i.type) if i.type else ''}]::{i.name}"
        f"{_contexts(i.contexts)}"
    ),
    ir.If: lambda i, v: f"if {v(i.left)} {i.operator} {v(i.right)} goto {i.yes} else {i.no}",
    ir.Switch: _switch,
    ir.Fork: lambda i, v: f"goto any of {', '.join(i.labels)}",
    ir.Return: lambda i, v: "return" if i.value is None else f"return {v(i.value)}",
    ir.Throw: lambda i, v: f"throw {v(i.value)}",
    ir.Handler: lambda i, v: f"{v(i.target)} = {v(i.id)} {' | '.join(map(_type, i.types))}",
    ir.Monitor: lambda i, v: f"{'enter' if i.enter else 'exit'} monitor {v(i.value)}",
    ir.Nop: lambda i, v: "nop",
}
