"""Figures that others published of recursive queries on clusters; each was read in the text that is named.

They are of other machines, data and times, and stand beside our own for orientation only.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One published measurement. `seconds`: as text, as the source gives it."""

    system: str
    work: str
    data: str
    machines: str
    seconds: str
    source: str


FIGURES: tuple[Figure, ...] = ()
