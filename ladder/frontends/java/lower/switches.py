"""Lowering of switch statements and expressions, on constants and on patterns."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.body import Target as Frame
from ladder.frontends.java.lower.conditions import condition
from ladder.frontends.java.lower.dispatch import (
    Contexts,
    Target,
    destination,
    lowers_expression,
    lowers_statement,
    statement,
    value,
)
from ladder.frontends.java.lower.expressions import constant_value, typed_by_branches
from ladder.frontends.java.lower.patterns import match


@lowers_statement(tree.Switch)
def lower_switch(b: BodyBuilder, node: tree.Switch) -> None:
    """Lower a switch statement; without a default, no case need match."""
    end = b.label()
    b.frames.append(Frame((), end))
    _lower_cases(b, node, end)
    b.frames.pop()
    b.place(end)


@lowers_expression(tree.SwitchExpression)
def lower_switch_expression(
    b: BodyBuilder, node: tree.SwitchExpression, target: Target | None, contexts: Contexts
) -> ir.Operand:
    """Lower a switch whose cases yield values; without a default, one of them must match."""
    to, at = destination(b, target, node.position)
    end, none = b.label(), b.label()
    frame = Frame((), end, None, False, (to, at), contexts or (("var", to, 0),))
    b.frames.append(frame)
    _lower_cases(b, node, none)
    b.frames.pop()
    _no_match(b, none, node.position)
    b.place(end)
    if target is None:
        numbers_last = sorted(frame.values, key=lambda value: b.variables[value].types == ("int",))
        b.retype(to, typed_by_branches(b, node, numbers_last))
    return to


@lowers_statement(tree.Yield)
def lower_yield(b: BodyBuilder, node: tree.Yield) -> None:
    """Lower `yield e`."""
    frame = next((frame for frame in reversed(b.frames) if isinstance(frame, Frame) and frame.result), None)
    if frame is None or frame.result is None:
        return
    to, at = frame.result
    result = value(b, node.value, frame.contexts)
    frame.values.append(result)
    b.emit(ir.Copy(b.new_id("assign", at), to, result))
    b.leave(frame, lambda: b.goto(frame.break_to), frame.break_to)


def _no_match(b: BodyBuilder, label: str, at: ir.Position) -> None:
    """Throw what an exhaustive switch expression throws if its subject has a value that the compiler did not know."""
    b.place(label)
    if b.open:
        use = b.file.uses.absolute("java.lang.MatchException")
        what = b.implied("no match")
        error = b.temporary(use, what=what)
        id = b.new_id("new java.lang.MatchException", at, what)
        b.emit(ir.NewObject(id, error, use, None, None, None, (), (), True))
        b.emit(ir.Throw(b.new_id("throw", at, what), error))


def _lower_cases(b: BodyBuilder, node: tree.Switch | tree.SwitchExpression, no_match: str) -> None:
    """Branch to the cases, which fall through unless they have arrows; go to `no_match` if none matches and there is no
    default."""
    subject = value(b, node.selector)
    labels = [b.label() for _ in node.cases]
    default = next((labels[i] for i, case in enumerate(node.cases) if _has_default(case)), no_match)
    with b.block():
        if any(_needs_test(case) for case in node.cases):
            _lower_tests(b, subject, node, labels, default)
        else:
            _lower_constants(b, subject, node, labels, default)


def _has_default(case: tree.SwitchCase) -> bool:
    return any(isinstance(label, tree.DefaultLabel) for label in case.labels)


def _needs_test(case: tree.SwitchCase) -> bool:
    return case.guard is not None or any(isinstance(label, tree.Pattern) for label in case.labels)


def _lower_constants(
    b: BodyBuilder, subject: str, node: tree.Switch | tree.SwitchExpression, labels: list[str], default: str
) -> None:
    cases: list[tuple[str, str, str]] = []
    for case, label in zip(node.cases, labels):
        for written in case.labels:
            if not isinstance(written, tree.DefaultLabel | tree.Pattern):
                cases.append((*_label(written, len(cases)), label))
    b.switch(subject, cases, default, node.position)
    for case, label in zip(node.cases, labels):
        b.place(label)
        _lower_body(b, case)
    if default not in labels:
        b.goto(default)


def _lower_tests(
    b: BodyBuilder, subject: str, node: tree.Switch | tree.SwitchExpression, labels: list[str], default: str
) -> None:
    """Test the cases in order, each before its statements; go to `default` if none matches."""
    if b.open:
        b.expect(default)
    for case, label, behind in zip(node.cases, labels, [*labels[1:], default]):
        following = b.label()
        with b.block():
            _test_case(b, subject, case, label, following)
            b.place(label)
            _lower_body(b, case)
            if b.open:
                # The statements of a pattern case do not fall into the next one's: it has none, or is an arrow's.
                b.goto(behind)
        b.place(following)
    b.goto(default)


def _lower_body(b: BodyBuilder, case: tree.SwitchCase) -> None:
    for part in case.statements:
        statement(b, part)
    if case.arrow:
        frame = next(frame for frame in reversed(b.frames) if isinstance(frame, Frame))
        b.goto(frame.break_to)


def _test_case(b: BodyBuilder, subject: str, case: tree.SwitchCase, yes: str, no: str) -> None:
    """Go to `yes` if a label matches and the guard holds, else to `no`."""
    matched = yes if case.guard is None else b.label()
    around = b.subject
    for written in case.labels:
        if isinstance(written, tree.DefaultLabel):
            continue
        following = b.label()
        b.subject = written, None, None
        if isinstance(written, tree.Pattern):
            match(b, subject, written, matched, following)
        else:
            b.switch(subject, [(*_label(written, 0), matched)], following, written.position)
        b.place(following)
    b.subject = around
    b.goto(no)
    if case.guard is not None:
        b.place(matched)
        condition(b, case.guard, yes, no)


def _label(node: tree.Expression, index: int) -> tuple[str, str]:
    """Return the kind and the value of a constant label."""
    if isinstance(node, tree.Literal) and node.kind in ("string", "text"):
        return "string", names.string_id(str(node.value))
    if isinstance(node, tree.Name):
        return "name", ".".join(node.parts)
    constant = constant_value(node)
    if constant is None:
        return "other", str(index)
    return ("null" if constant.type == "null" else "number"), constant.value
