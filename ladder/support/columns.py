"""Rows of text as columns side by side, as wide as terminals show them.

Made by hand, with rich's widths of characters: rich's own tables take fifty times as long, which counts where a result
has 50,000 rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = "") -> list[str]:
    """Return a line per row, two blanks between columns; `right`: which columns stand to the right."""
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
