"""Records on Spark: the id of a record is a hash of its cells, and its table has the row (id, cells).

A record that a plan makes enters its table only in the next iteration; until then `Batch.made` holds it (see
`functions.ENTRY`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.engine.canonical import NIL_CONTENT, RECORD, content_of_record
from ladder.engine.local.values.records import Branch, Layout
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering import arithmetic
from ladder.engine.spark.lowering.batch import Batch
from ladder.engine.spark.values.canonical_sql import eight_bytes, four_bytes, literal
from ladder.engine.spark.values.dictionary import NIL, record_id_sql, whole_sql
from ladder.language.core import Kind, Term, Type, Unpack, Var
from ladder.plan.steps import Window

if TYPE_CHECKING:
    from ladder.engine.spark.lowering.context import Context

NIL_ENTRY = literal(RECORD + NIL_CONTENT)  # the content of the id 0, which the dictionary does not hold


def find(result: Var, type_: Type, branch: str | None, cells: Sequence[str], batch: Batch, context: Context) -> Batch:
    """The batch with the id of the record of these cells, which need not exist: the id serves to look up rows that
    contain it."""
    layout = Layout.of(type_, context.program.types)
    return batch.define(result, record_id_sql(layout.table, _row(layout, layout.by_name[branch], cells), context.seed))


def pack(
    result: Var,
    type_: Type,
    branch: str | None,
    fields: Sequence[Term],
    cells: Sequence[str],
    contents: Sequence[str | None] | None,
    batch: Batch,
    context: Context,
) -> Batch:
    """The batch with a new record of these cells; `contents`: SQL of the contents of its fields, where the dictionary
    is to hold its tuple."""
    layout = Layout.of(type_, context.program.types)
    form = layout.by_name[branch]
    row = [context.fresh() for _ in range(layout.width)]
    extra = dict(zip(row, _row(layout, form, cells), strict=True))
    text = context.fresh()
    if contents is not None:
        extra[text] = _content(form, cells, contents)
    batch = batch.closed(context.fresh, extra)
    row = [f"{batch.alias}.{name}" for name in row]
    content = f"{batch.alias}.{text}" if contents is not None else None
    id_ = record_id_sql(layout.table, row, context.seed)
    entries = [_entry(layout.table, (id_, *row), None)]
    entries += [
        _entry(TEXTS, (batch.columns[f],), batch.texts[f]) for f in fields if isinstance(f, Var) and f in batch.texts
    ]
    inner = [batch.made[f] for f in fields if isinstance(f, Var) and f in batch.made]
    batch = batch.define(result, id_, content).emit(layout.table, (id_, *row))
    if content is not None:
        batch = batch.emit(TEXTS, (id_,), content)
    new = f"array({', '.join(entries)})"
    return batch.with_made(result, f"concat({', '.join((new, *inner))})" if inner else new)


def unpack(step: Unpack, record: str, batch: Batch, context: Context) -> Batch:
    """The batch with the fields of a record, without the rows whose record is nil or of another branch."""
    layout = Layout.of(step.type, context.program.types)
    form = layout.by_name[step.branch]
    made = batch.made.get(step.record) if isinstance(step.record, Var) else None
    if made is None:
        batch, cells = _stored(layout, record, batch, context)
    else:
        batch, cells = _made_or_stored(layout, record, made, batch, context)
        made = batch.made[step.record]  # type: ignore[index]
    if form.head:
        batch = batch.where(f"{cells[0]} = {form.number}L")
    for field, type_, cell in zip(step.fields, form.fields, cells[form.head :], strict=False):
        if field is not None:
            batch = batch.define(field, arithmetic.unsigned(cell) if type_.kind is Kind.UNSIGNED else cell)
            if made is not None and type_.kind in (Kind.SYMBOL, Kind.OBJECT, Kind.RECORD):
                batch = batch.with_made(field, made)
    return batch


def _stored(layout: Layout, record: str, batch: Batch, context: Context) -> tuple[Batch, list[str]]:
    """(the batch joined with the rows of its records, their cells)."""
    view = context.view(layout.table, Window.EVERY, (0,))
    if view is None:
        return batch.where("false"), ["0L"] * layout.width
    alias = context.fresh()
    return batch.join(f"{view.sql} {alias}", f"{alias}.k = {record}", {}, context.fresh), _columns(alias, layout)


def _made_or_stored(layout: Layout, record: str, made: str, batch: Batch, context: Context) -> tuple[Batch, list[str]]:
    """The same as `_stored` for records of which some are among the entries `made`."""
    id_, own = context.fresh(), context.fresh()
    found = f"get(filter({made}, e -> e.r = '{layout.table}' AND e.c[0] = {record}), 0).c"
    batch = batch.closed(context.fresh, {id_: record, own: found})
    cells = [f"get({batch.alias}.{own}, {i})" for i in range(1, layout.width + 1)]
    view = context.view(layout.table, Window.EVERY, (0,))
    if view is not None:
        alias = context.fresh()
        batch = batch.join(f"{view.sql} {alias}", f"{alias}.k = {batch.alias}.{id_}", {}, context.fresh, "LEFT JOIN")
        cells = [f"coalesce({cell}, {stored})" for cell, stored in zip(cells, _columns(alias, layout), strict=True)]
    return batch.where(f"{cells[0]} IS NOT NULL"), cells


def _columns(alias: str, layout: Layout) -> list[str]:
    return [f"{alias}.c{i}" for i in range(1, layout.width + 1)]


def _row(layout: Layout, form: Branch, cells: Sequence[str]) -> list[str]:
    """The cells of a record's row: the number of its branch, its fields, zeros up to the width of its table."""
    fields = [
        arithmetic.signed(cell) if t.kind is Kind.UNSIGNED else cell for cell, t in zip(cells, form.fields, strict=True)
    ]
    head = [f"{form.number}L"] * form.head
    return [*head, *fields, *["0L"] * (layout.width - len(head) - len(fields))]


def _entry(table: str, cells: Sequence[str], content: str | None) -> str:
    return f"named_struct('r', '{table}', 'c', array({', '.join(cells)}), 'x', {content or 'CAST(NULL AS BINARY)'})"


def _content(form: Branch, cells: Sequence[str], contents: Sequence[str | None]) -> str:
    """SQL of the bytes of a record's tuple (see `canonical`)."""
    parts = [_part(t.kind, cell, content) for t, cell, content in zip(form.fields, cells, contents, strict=True)]
    start = RECORD + content_of_record(form.name, [b""] * len(form.fields))
    return f"concat({', '.join((literal(start), *parts))})"


def _part(kind: Kind, cell: str, content: str | None) -> str:
    """Return SQL of the bytes of a part of a record, as `canonical.content_of` makes them."""
    if kind is Kind.SYMBOL:
        return f"concat({literal(b's')}, {four_bytes(f'CAST(octet_length({content}) AS BIGINT)')}, {content})"
    if kind is Kind.OBJECT:
        return whole_sql(str(content))
    if kind is Kind.RECORD:
        return f"CASE WHEN {cell} = {NIL}L THEN {literal(NIL_CONTENT)} ELSE substring({content}, 2) END"
    if kind is Kind.FLOAT:
        return f"concat({literal(b'f')}, {four_bytes(arithmetic.unsigned(cell))})"
    return f"concat({literal(b'i')}, {eight_bytes(cell)})"
