"""Lowering of patterns: tests that branch, and variables that they bind."""

from __future__ import annotations

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder

FALSE = ir.Constant("0", "boolean")


def match(b: BodyBuilder, subject: str, pattern: tree.Pattern, yes: str, no: str) -> None:
    """Go to `yes`, with the pattern's variables bound, if the pattern matches the value of `subject`, else to `no`."""
    _match(b, subject, pattern, no)
    b.goto(yes)


def _match(b: BodyBuilder, subject: str, pattern: tree.Pattern, no: str) -> None:
    """Go on at the next instruction if the pattern matches, else at `no`."""
    if isinstance(pattern, tree.TypePattern):
        if isinstance(pattern.type, tree.InferredType):
            variable = b.declare(pattern.name, (), True, (("var", subject, ""),))
            b.emit(ir.Copy(b.new_id("assign", pattern.name_position), variable.id, subject))
            return
        use = b.file.uses.use(b.scope, pattern.type)
        _test_type(b, subject, use, no, pattern.position)
        variable = b.declare(pattern.name, (use,))
        b.emit(ir.Cast(b.new_id("cast", pattern.name_position), variable.id, subject, use))
    elif isinstance(pattern, tree.RecordPattern):
        use = b.file.uses.use(b.scope, pattern.type)
        _test_type(b, subject, use, no, pattern.position)
        record = b.temporary(use)
        b.emit(ir.Cast(b.new_id("cast", pattern.position), record, subject, use))
        for index, component in enumerate(pattern.components):
            _match_component(b, record, index, component, no)


def _match_component(b: BodyBuilder, record: str, index: int, pattern: tree.Pattern, no: str) -> None:
    """Match a component; the accessor runs for `_`, too, which matches whatever it gives."""
    around, b.subject = b.subject, (pattern, None, None)
    part = b.temporary()
    b.emit(ir.LoadComponent(b.new_id("load", pattern.position), part, record, index))
    _match(b, part, pattern, no)
    b.subject = around


def _test_type(b: BodyBuilder, subject: str, use: ir.Use, no: str, position: ir.Position) -> None:
    """Branch on `subject instanceof use`.

    A pattern for a record component also matches null, or any value of a primitive type, if it covers the component's
    whole type, which only linking can know; that the test may fail is one way more, which is never taken.
    """
    result, here = b.temporary("boolean"), b.label()
    b.emit(ir.InstanceOf(b.new_id("assign", position), result, subject, use))
    b.branch("!=", result, FALSE, here, no, position)
    b.place(here)
