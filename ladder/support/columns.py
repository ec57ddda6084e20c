"""Rows of texts as aligned columns, by the width that terminals use for characters.

Only the widths of characters are rich's: its tables take fifty times as long, which matters for results of 50,000 rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = "") -> list[str]:
    """A line for each row, with two blanks between columns; `right`: the columns that are aligned to the right."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        indent
        + "  ".join(
            _filled(cell, width - cell_len(cell), i in right)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _filled(cell: str, blanks: int, right: bool) -> str:
    return " " * blanks + cell if right else cell + " " * blanks
