"""The forms that a program takes on its way to rows, as text: `ladder run --show FORM`.

syntax    clauses and declarations as they were read: files included, components written out
core      what engines read: one head, a plain conjunction, each value computed by a literal of its own
plan      for each component its rules' plans: of the bootstrap with no facts, and of the update
records   the same plans as kernels run them
sql       the same bootstrap as Spark runs it: a query for each plan
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ladder.api.program import Program


def shown(program: Program, form: str, spark: Any = None) -> Iterator[str]:
    """The text of a form of the program, block by block; `spark`: a session, which "sql" needs."""
    return SHOW[form](program, spark)


def _syntax(program: Program, _spark: Any) -> Iterator[str]:
    from ladder.language.compile import compile_program

    compiled = compile_program(program.text, program.name, program.directory, program.functors, program.options)
    return map(str, compiled.sources.items)


def _core(program: Program, _spark: Any) -> Iterator[str]:
    yield str(program.core)


def _plan(program: Program, _spark: Any) -> Iterator[str]:
    from ladder.engine.local.bootstrap_plans import bootstrap_plans
    from ladder.engine.local.update_plans import update_sources

    engine = _engine(program)
    for position, component in enumerate(engine.expanded.components):
        yield f"-- {', '.join(sorted(component.names))}"
        yield from map(str, bootstrap_plans(engine, position, component, component.rules).sources)
    yield "-- update"
    yield from map(str, update_sources(engine))


def _records(program: Program, _spark: Any) -> Iterator[str]:
    from ladder.engine.local.bootstrap_plans import bootstrap_plans
    from ladder.engine.local.planning import verify
    from ladder.engine.local.printed import printed
    from ladder.engine.local.update_plans import update_plans

    engine = _engine(program)
    for position, component in enumerate(engine.expanded.components):
        yield f"-- {', '.join(sorted(component.names))}"
        yield from printed(
            verify(bootstrap_plans(engine, position, component, component.rules), engine.store),
            engine.names,
            engine.store,
        )
    yield "-- update"
    yield from printed(
        verify(update_plans(engine, engine.strategy.chosen, every_rule=True), engine.store), engine.names, engine.store
    )


def _sql(program: Program, spark: Any) -> Iterator[str]:
    from ladder.engine.spark.engine import SparkEngine

    for plan, queries in SparkEngine(program.core, spark).queries():
        yield "\n  ".join((str(plan).partition("\n")[0], *queries))


def _engine(program: Program) -> Any:
    from ladder.engine.local.engine import LocalEngine

    return LocalEngine(program.core)


SHOW: dict[str, Callable[[Program, Any], Iterator[str]]] = {
    "syntax": _syntax,
    "core": _core,
    "plan": _plan,
    "records": _records,
    "sql": _sql,
}
FORMS = tuple(SHOW)
