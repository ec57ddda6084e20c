"""Literals that compute → SQL over the cells of a batch."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ladder.engine.plan.steps import Find
from ladder.engine.spark.batch import Batch
from ladder.errors import Unsupported
from ladder.language.core import Compare, Compute, Generate, Kind, Pack, Program, Rule, Term, Unpack, Var

if TYPE_CHECKING:
    from ladder.engine.spark.lower import Context

SQL_OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def term(term: Term, batch: Batch, context: Context) -> str:
    """SQL of a term's cell."""
    if isinstance(term, Var):
        return batch.columns[term]
    if isinstance(term.value, int) and term.type.kind in (Kind.NUMBER, Kind.UNSIGNED):
        return f"{term.value}L"
    raise Unsupported(f"The constant {term} is not supported on Spark.")


def apply(step: Compare | Compute | Generate | Pack | Unpack | Find, batch: Batch, context: Context) -> Batch:
    """The batch behind a literal that computes."""
    if isinstance(step, Compare) and step.operator in SQL_OPERATORS:
        left, right = term(step.left, batch, context), term(step.right, batch, context)
        return batch.where(f"{left} {SQL_OPERATORS[step.operator]} {right}")
    raise Unsupported(f"{step} is not supported on Spark.")


def makes(rule: Rule, program: Program) -> frozenset[str]:
    """Relations of values (the dictionary, tables of records) that a rule may add to."""
    return frozenset()
