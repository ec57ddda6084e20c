"""`Batch`: the rows that a step of a plan produces, as SQL text. Batches are immutable: every method returns another
one.

source    the text after FROM, with its alias                (SELECT k, c0, c1 FROM run_3 WHERE t = 2) q1
columns   expression of each variable's cell (BIGINT)        {x: "q1.c0", y: "pmod(q1.c1, 7L)"}
texts     expression of the bytes that a variable's id stands for, where the dictionary is not needed for them (BINARY)
filters   conditions over the same expressions
emits     rows of other relations that each row of the batch adds: entries of the dictionary, records
made      expression of an array of entries (`functions.ENTRY`) with the record of a variable that this batch itself
          has made
lists     expressions of arrays of entries that each row adds
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ladder.language.core import Var

Fresh = Callable[[], str]  # a name that no other column or alias of the query has


@dataclass(frozen=True)
class Emit:
    """A row of another relation (`layout.TEXTS`, a table of records) that each row of a batch adds.

    `cells`: SQL of its cells, the id first; `text`: SQL of the bytes that the id stands for (BINARY), for entries of
    the dictionary.
    """

    relation: str
    cells: tuple[str, ...]
    text: str | None = None


@dataclass(frozen=True)
class Batch:
    """Rows that bind variables; the docstring of the module explains the other fields. `time`: SQL of the iteration of
    the derived rows; `multiplicity`: SQL of the number of derivations per row.

    `alias`: the alias of the source, if it has a single one. `hint`: the SQL hint that says from which alias the join
    in the source builds its hash table. `hashes`: variables → the column with the hash of all of them, where rows are
    partitioned by it.
    """

    source: str
    alias: str
    columns: Mapping[Var, str]
    time: str = "1"
    multiplicity: str = "1L"
    texts: Mapping[Var, str] = field(default_factory=dict)
    filters: tuple[str, ...] = ()
    emits: tuple[Emit, ...] = ()
    hint: str = ""
    hashes: Mapping[tuple[Var, ...], str] = field(default_factory=dict)
    made: Mapping[Var, str] = field(default_factory=dict)
    lists: tuple[str, ...] = ()

    def define(self, variable: Var, expression: str, text: str | None = None) -> Batch:
        """The batch with a further variable; `text`: SQL of the bytes that its id stands for."""
        columns, texts = (
            {**self.columns, variable: expression},
            self.texts if text is None else {**self.texts, variable: text},
        )
        return replace(self, columns=columns, texts=texts)

    def with_made(self, variable: Var, entries: str) -> Batch:
        """The batch with the entries of a variable's record, which need not be in its table yet."""
        return replace(self, made={**self.made, variable: entries})

    def without(self, variable: Var) -> Batch:
        """The batch without a variable."""
        return replace(self, columns={v: e for v, e in self.columns.items() if v != variable})

    def where(self, condition: str) -> Batch:
        """Return the batch of those rows that meet a condition."""
        return replace(self, filters=(*self.filters, condition))

    def emit(self, relation: str, cells: Iterable[str], text: str | None = None) -> Batch:
        """The batch, each row of which also adds a row of another relation."""
        return replace(self, emits=(*self.emits, Emit(relation, tuple(cells), text)))

    def emit_each(self, entries: str) -> Batch:
        """The batch, each row of which also adds the rows of an array of entries to other relations."""
        return replace(self, lists=(*self.lists, entries))

    def closed(self, fresh: Fresh, extra: Mapping[str, str] | None = None) -> Batch:
        """Return the same rows as a subquery in which every expression is a column, so that it is computed once.

        `extra`: names of further columns → expressions over this batch; they are `<alias>.<name>` in the result.
        """
        alias, selected = fresh(), dict(extra or {})

        def column(expression: str) -> str:
            name = fresh()
            selected[name] = expression
            return f"{alias}.{name}"

        columns = {variable: column(expression) for variable, expression in self.columns.items()}
        texts = {variable: column(expression) for variable, expression in self.texts.items()}
        hashes = {variables: column(expression) for variables, expression in self.hashes.items()}
        emits = tuple(
            Emit(e.relation, tuple(map(column, e.cells)), None if e.text is None else column(e.text))
            for e in self.emits
        )
        made = {variable: column(expression) for variable, expression in self.made.items()}
        lists = tuple(map(column, self.lists))
        constant = {value: value for value in (self.time, self.multiplicity) if value.rstrip("L").isdigit()}
        time, multiplicity = (constant.get(value) or column(value) for value in (self.time, self.multiplicity))
        items = ", ".join(f"{expression} AS {name}" for name, expression in selected.items()) or "0 AS nothing"
        hint = f"/*+ {self.hint} */ " if self.hint else ""
        source = f"(SELECT {hint}{items} FROM {self.source}{self.condition}) {alias}"
        return Batch(source, alias, columns, time, multiplicity, texts, (), emits, "", hashes, made, lists)

    def join(
        self,
        other: str,
        condition: str,
        binds: Mapping[Var, str],
        fresh: Fresh,
        kind: str = "JOIN",
        texts: Mapping[Var, str] | None = None,
        absent: str | None = None,
        hint: str | None = None,
    ) -> Batch:
        """This batch, on which `closed` was called before, joined with `other` ("(SELECT …) b7"); the hash table is
        built from the rows of this batch.

        `condition`, `binds` (new variables), `texts` and `absent` (must be NULL) are expressions over both aliases.
        `kind`: JOIN or LEFT JOIN. `hint`: the SQL hint for another kind of join.
        """
        assert not self.filters, "a batch is closed before it is joined"
        joined = replace(
            self,
            source=f"{self.source} {kind} {other} ON {condition}",
            columns={**self.columns, **binds},
            texts={**self.texts, **(texts or {})},
            hint=hint or f"SHUFFLE_HASH({self.alias})",
        )
        return joined if absent is None else joined.where(f"{absent} IS NULL")

    def expand(self, generator: str, result: Var, fresh: Fresh) -> Batch:
        """The batch with a row for each element of an array of cells, bound to `result`; `generator`: SQL of the array
        over this batch."""
        name = fresh()
        closed = self.closed(fresh, {name: generator})
        table, element = fresh(), fresh()
        source = f"{closed.source} LATERAL VIEW explode({closed.alias}.{name}) {table} AS {element}"
        return replace(closed, source=source, columns={**closed.columns, result: f"{table}.{element}"})

    @property
    def condition(self) -> str:
        """The WHERE clause of the filters; "" where there are none."""
        return f" WHERE {' AND '.join(f'({c})' for c in self.filters)}" if self.filters else ""
