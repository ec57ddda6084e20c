"""Numbers with their nouns, as messages have them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun, in singular or plural: 1 field, 2 fields, 4,000 fields."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
