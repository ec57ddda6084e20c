"""What a class file may hold; see `ladder.frontends.java.limits`, whose budget of rows, names and time applies.

The format itself limits what is in one structure (65535 constants, members, bytes of code, …), so that only the sum of
all is limited here: facts in proportion to the file's bytes, and the characters of their names, of which the JVM's long
method descriptors could make many.
"""

from __future__ import annotations

from ladder.frontends.java.limits import Budget

ROWS_AT_FIRST = 100_000
ROWS_PER_BYTE = 40
NAMES_AT_FIRST = 4_000_000
NAMES_PER_BYTE = 400
ROWS, NAMES = 20_000_000, 1_000_000_000


def budget_of(size: int) -> Budget:
    """Return the budget of a class file of `size` bytes."""
    budget = Budget(size)
    budget.rows = budget.most_rows = min(ROWS, ROWS_AT_FIRST + ROWS_PER_BYTE * size)
    budget.names = budget.most_names = min(NAMES, NAMES_AT_FIRST + NAMES_PER_BYTE * size)
    budget.look_at = 0
    budget.look_at = max(budget.rows - 4096, 0)
    return budget
