"""Literals that compute → SQL over the cells of a batch; functions that SQL does not have run in Python workers.

y = x + 1          y: (((x + 1) + 2147483648) & 4294967295) - 2147483648
s = cat(a, b)      the texts of a and b, from the dictionary where the batch does not hold them; s: xxhash64 of
                   their concatenation, which is also added as a row of the dictionary
y = @f(x)          a function of whole columns (see `functions`), over the batch as a subquery
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering import arithmetic
from ladder.engine.spark.lowering.batch import Batch
from ladder.engine.spark.lowering.functions import NUMERIC, Signature
from ladder.engine.spark.lowering.packing import NIL_ENTRY, find, pack, unpack
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.values.dictionary import NIL, object_id_sql, text_id_sql
from ladder.language.core import Compare, Compute, Const, Generate, Kind, Pack, Term, Unpack, Var
from ladder.plan.steps import Find

if TYPE_CHECKING:
    from ladder.engine.spark.lowering.context import Context


def term(term: Term, batch: Batch, context: Context) -> str:
    """SQL of a term's cell."""
    if isinstance(term, Var):
        return batch.columns[term]
    cell = Encoder(context.program.types, context.seed).constant(term)
    return f"{cell}L" if cell >= 0 else f"({cell}L)"


def apply(step: Compare | Compute | Generate | Pack | Unpack | Find, batch: Batch, context: Context) -> Batch:
    """The batch after a literal that computes."""
    match step:
        case Compare():
            return _compare(step, batch, context)
        case Compute():
            return _compute(step, batch, context)
        case Generate():
            return _generate(step, batch, context)
        case Pack(result, fields, type_, branch):
            batch, contents = _tuple_contents(step, batch, context)
            return pack(
                result, type_, branch, fields, [term(f, batch, context) for f in fields], contents, batch, context
            )
        case Find(record, fields, type_, branch):
            return find(record, type_, branch, [term(f, batch, context) for f in fields], batch, context)
        case Unpack():
            batch = batch.closed(context.fresh)
            return unpack(step, term(step.record, batch, context), batch, context)


def _tuple_contents(step: Pack, batch: Batch, context: Context) -> tuple[Batch, list[str | None] | None]:
    """(the batch, SQL of the contents of a record's fields), where the dictionary is to hold the record's tuple; (the
    batch, None) otherwise."""
    if step.type.name not in context.functions.tuple_types:
        return batch, None
    names = step.type.fields if step.branch is None else dict(step.type.branches)[step.branch]
    return with_contents(step.fields, [context.program.types[name].kind for _, name in names], batch, context)


def _compare(step: Compare, batch: Batch, context: Context) -> Batch:
    left, right = term(step.left, batch, context), term(step.right, batch, context)
    if step.operator in ("=", "!=") or step.operator in arithmetic.OPERATORS and step.kind in NUMERIC:
        return batch.where(arithmetic.compared(step.operator, left, right, step.kind))
    if step.operator in ("match", "not_match"):
        batch, found = _called(
            context.functions.signature(step.operator, step.kind, 2), (step.left, step.right), batch, context
        )
        return batch.where(f"{found} = 1L")
    batch, texts = with_contents((step.left, step.right), (step.kind, step.kind), batch, context)
    if step.operator in arithmetic.OPERATORS:
        return batch.where(f"{texts[0]} {arithmetic.OPERATORS[step.operator]} {texts[1]}")
    contains = f"contains({texts[1]}, {texts[0]})"
    return batch.where(contains if step.operator == "contains" else f"NOT {contains}")


def _compute(step: Compute, batch: Batch, context: Context) -> Batch:
    if step.function not in context.program.functions:
        cells = [term(a, batch, context) for a in step.arguments]
        if step.function == "to_string" and step.kind is Kind.SYMBOL:
            return _same_as(step.result, step.arguments[0], batch, context)
        if step.kind in NUMERIC and (value := arithmetic.calculated(step.function, cells, step.kind)) is not None:
            divides = step.function in ("/", "%")
            return (batch.where(f"{cells[1]} <> 0L") if divides else batch).define(step.result, value)
        if step.function == "to_string" and step.kind in (Kind.NUMBER, Kind.UNSIGNED):
            return _new_text(step.result, f"CAST(CAST({cells[0]} AS STRING) AS BINARY)", batch, context)
        if step.function in ("cat", "strlen") or step.function in ("min", "max") and step.kind is Kind.SYMBOL:
            return _on_texts(step, batch, context)
    signature = context.functions.signature(step.function, step.kind, len(step.arguments))
    batch, found = _called(signature, step.arguments, batch, context)
    batch = batch.where(f"{found} IS NOT NULL")
    return _defined(step.result, found, signature, batch, context)


def _generate(step: Generate, batch: Batch, context: Context) -> Batch:
    if step.function == "range" and step.kind is not Kind.FLOAT and step.function not in context.program.functions:
        start, end, *more = (term(a, batch, context) for a in step.arguments)
        return batch.expand(arithmetic.generated(start, end, more[0] if more else None), step.result, context.fresh)
    signature = context.functions.signature(step.function, step.kind, len(step.arguments))
    batch, found = _called(signature, step.arguments, batch, context)
    each = Var(f"{step.result.name}'{context.fresh()}")
    batch = batch.expand(found, each, context.fresh)
    found = batch.columns[each]
    batch = batch.without(each)
    return _defined(step.result, found, signature, batch, context)


def _on_texts(step: Compute, batch: Batch, context: Context) -> Batch:
    batch, texts = with_contents(step.arguments, [Kind.SYMBOL] * len(step.arguments), batch, context)
    if step.function == "strlen":
        return batch.define(step.result, f"CAST(octet_length({texts[0]}) AS BIGINT)")
    if step.function == "cat":
        return _new_text(step.result, f"concat({', '.join(map(str, texts))})", batch, context)
    best, text = term(step.arguments[0], batch, context), str(texts[0])
    for argument, other in zip(step.arguments[1:], texts[1:], strict=True):
        better = f"{other} {'<' if step.function == 'min' else '>'} {text}"
        best = f"CASE WHEN {better} THEN {term(argument, batch, context)} ELSE {best} END"
        text = f"CASE WHEN {better} THEN {other} ELSE {text} END"
    return batch.define(step.result, best, text)


def _same_as(result: Var, argument: Term, batch: Batch, context: Context) -> Batch:
    text = _content_of_constant(argument, context) if isinstance(argument, Const) else batch.texts.get(argument)
    return batch.define(result, term(argument, batch, context), text)


def _new_text(result: Var, text: str, batch: Batch, context: Context) -> Batch:
    """The batch with a symbol whose text may be new, and is added to the dictionary."""
    name = context.fresh()
    batch = batch.closed(context.fresh, {name: text})
    text = f"{batch.alias}.{name}"
    cell = text_id_sql(text, context.seed)
    return batch.define(result, cell, text).emit(TEXTS, (cell,), text)


def _called(signature: Signature, arguments: Sequence[Term], batch: Batch, context: Context) -> tuple[Batch, str]:
    """(the batch as a subquery, in which a function is called; its column of results)."""
    batch, contents = with_contents(arguments, [t.kind for t in signature.arguments], batch, context)
    passed = [
        term(a, batch, context) if t.kind in NUMERIC else str(content)
        for a, t, content in zip(arguments, signature.arguments, contents, strict=True)
    ]
    name = context.fresh()
    batch = batch.closed(
        context.fresh, {name: f"{context.functions.sql_name(signature, context.place)}({', '.join(passed) or '0L'})"}
    )
    return batch, f"{batch.alias}.{name}"


def _defined(result: Var, found: str, signature: Signature, batch: Batch, context: Context) -> Batch:
    """The batch with the result of a function, and with the entries that this needs."""
    kind = signature.result.kind
    if kind in NUMERIC:
        return batch.define(result, found)
    if kind is Kind.RECORD:
        text = None
        if signature.result.name in context.functions.tuple_types:
            made = f"get(filter({found}.e, e -> e.r = '{TEXTS}' AND e.c[0] = {found}.c), 0).x"
            text = f"CASE WHEN {found}.c = {NIL}L THEN {NIL_ENTRY} ELSE {made} END"
        return batch.define(result, f"{found}.c", text).with_made(result, f"{found}.e").emit_each(f"{found}.e")
    cell = text_id_sql(found, context.seed) if kind is Kind.SYMBOL else object_id_sql(found, context.seed)
    return batch.define(result, cell, found).emit(TEXTS, (cell,), found)


def with_contents(
    terms: Sequence[Term | None], kinds: Sequence[Kind], batch: Batch, context: Context
) -> tuple[Batch, list[str | None]]:
    """(the batch, SQL of the content in the dictionary of each of the terms, which are of these kinds); None for
    numbers.

    Contents that the batch does not hold come from a join with the dictionary, which is partitioned by id.
    """
    typed = [(t, kind) for t, kind in zip(terms, kinds, strict=True) if kind not in NUMERIC]
    for variable, kind in dict(typed).items():
        if isinstance(variable, Var) and variable not in batch.texts:
            batch = _looked_up(variable, kind, batch.closed(context.fresh), context)
    contents = {
        t: _content_of_constant(t, context) if isinstance(t, Const) else batch.texts[t]
        for t, _ in typed
        if t is not None
    }
    return batch, [
        contents.get(t) if kind not in NUMERIC and t is not None else None for t, kind in zip(terms, kinds, strict=True)
    ]


def _looked_up(variable: Var, kind: Kind, batch: Batch, context: Context) -> Batch:
    """A batch, on which `closed` was called before, with the content in the dictionary of a variable."""
    alias, cell = context.fresh(), batch.columns[variable]
    made = (
        f"get(filter({batch.made[variable]}, e -> e.r = '{TEXTS}' AND e.c[0] = {cell}), 0).x, "
        if variable in batch.made
        else ""
    )
    text = (
        f"coalesce({made}{alias}.x, raise_error('The dictionary lacks the {kind.value} of a cell: the state is "
        "damaged.'))"
    )
    if kind is Kind.RECORD:
        text = f"CASE WHEN {cell} = {NIL}L THEN {NIL_ENTRY} ELSE {text} END"
    return batch.join(
        f"{context.dictionary()} {alias}", f"{alias}.k = {cell}", {}, context.fresh, "LEFT JOIN", {variable: text}
    )


def _content_of_constant(constant: Const, context: Context) -> str:
    if constant.stands_for_nil:
        return NIL_ENTRY
    encoder = Encoder(context.program.types, context.seed, context.functions.tuple_types)
    return f"X'{encoder.texts[encoder.cell(constant.value, constant.type)].hex()}'"
