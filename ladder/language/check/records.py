"""Types of records that have no declared type because they are only compared with each other: `a = [1, b], a = [x,
"s"]`."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.language.check.typings import Typing
from ladder.language.core import Kind, Type
from ladder.language.syntax import nodes as s


def anonymous_records(typing: Typing, records: Sequence[s.Record]) -> None:
    """Give records without a declared type the record type of their fields' types, innermost records first.

    Such a type is named after its fields, `[number, symbol]`, and is added to the types; records whose type stays
    unknown are reported later.
    """
    pending = [r for r in records if typing.types(r) is None]
    progress = bool(pending)
    while progress:
        progress = False
        for record in pending:
            if typing.types(record) is None and all(
                isinstance(f, s.Wildcard) or typing.types(f) for f in record.fields
            ):
                typing.constraints.assign(typing.nodes[id(record)], frozenset((_declare(record, typing),)))
                typing.constraints.solve()
                progress = True


def _declare(record: s.Record, typing: Typing) -> str:
    types = typing.environment.types
    names = [
        "number" if isinstance(f, s.Wildcard) else next(iter(typing.declared_types(f)), typing.base(f))
        for f in record.fields
    ]
    name = f"[{', '.join(names)}]"
    if name not in types.types:
        types.types[name] = Type(name, Kind.RECORD, tuple((str(i), n) for i, n in enumerate(names)))
        types.bases[name] = name
    return name
