"""Encoded plans as text, for `ladder run --show records` and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.planning import ON_RELATIONS, EncodedPlans
from ladder.engine.local.store import Store

KINDS = (
    "scan",
    "changed",
    "probe",
    "generate",
    "range",
    "member",
    "absent row",
    "compare",
    "compute",
    "call",
    "fill",
    "pack",
    "unpack",
    "group",
    "weigh",
    "make text",
    "insert",
    "schedule",
    "rank",
    "partition",
)
ROLES = ("once", "iterated", "forward", "backward", "begun", "filled")
WINDOWS = ("every", "delta", "before", "settled")


def printed(plans: EncodedPlans, names: Mapping[int, str], store: Store) -> Iterator[str]:
    """A block of lines for each plan: its role and head, then its steps with relations, indexes (by their columns) and
    registers."""
    for plan in plans.plans:
        first = int(plan["first_step"])
        steps = [_step(step, names, store) for step in plans.steps[first : first + int(plan["step_count"])]]
        yield "\n  ".join(
            (f"{ROLES[int(plan['role'])]} plan {int(plan['number'])} of {names[int(plan['head'])]}", *steps)
        )


def _step(step: Any, names: Mapping[int, str], store: Store) -> str:
    kind = int(step["kind"])
    parts = [KINDS[kind]]
    if kind in ON_RELATIONS:
        parts.append(names[int(step["relation"])])
    if kind == L.PROBE:
        index = store.indexes[int(step["index"])]
        parts.append(
            f"by columns {_numbers(index['keys'][: int(index['key_count'])])} = "
            f"{_registers(step['keys'][: int(step['key_count'])])}"
        )
    if kind in (L.SCAN, L.PROBE) and int(step["window"]):
        parts.append(WINDOWS[int(step["window"])])
    for what, count in (("binds", "bind_count"), ("checks", "check_count")):
        if int(step[count]) and kind != L.UNPACK:
            parts.append(
                f"{what} "
                + ", ".join(
                    f"r{int(pair['register'])}={int(pair['column'])}" for pair in step[what][: int(step[count])]
                )
            )
    if int(step["filter_count"]):
        filters = step["filters"][: int(step["filter_count"])]
        parts.append("where " + ", ".join(f"{int(f['column'])}={int(f['cell'])}" for f in filters))
    if int(step["argument_count"]):
        parts.append(f"of {_registers(step['arguments'][: int(step['argument_count'])])}")
    if kind in (L.COMPARE, L.COMPUTE, L.CALL, L.GENERATE, L.MAKE_TEXT):
        parts.append(f"operation {int(step['operation'])}")
    if kind == L.FILL:
        parts.append(f"cell {int(step['constant'])}")
    if int(step["value_register"]) != L.NONE:
        parts.append(f"value r{int(step['value_register'])}")
    if int(step["row_register"]) != L.NONE:
        parts.append(f"row r{int(step['row_register'])}")
    return " ".join(parts)


def _registers(numbers: Sequence[int]) -> str:
    return f"({', '.join(f'r{int(number)}' for number in numbers)})"


def _numbers(numbers: Sequence[int]) -> str:
    return f"({', '.join(str(int(number)) for number in numbers)})"
