"""Counts of what is found of a weakness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ladder_bench.report import Section

COLUMNS = ("weakness", "marked", "found", "sound", "others", "recall", "precision")


@dataclass
class Score:
    """Of a weakness: how much is marked, how much of it is found, how much else is found; how much the suite says to be
    sound."""

    marked: int = 0
    found: int = 0
    others: int = 0
    sound: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.marked + other.marked,
            self.found + other.found,
            self.others + other.others,
            self.sound + other.sound,
            self.missed + other.missed,
            self.extra + other.extra,
        )

    def cells(self) -> tuple[str, ...]:
        """The columns after the name."""
        return str(self.marked), str(self.found), str(self.sound or "-"), str(self.others), *self.rates()

    def rates(self) -> tuple[str, str]:
        """Recall and precision."""
        all_ = self.found + self.others
        return (
            f"{self.found / self.marked:.1%}" if self.marked else "-",
            f"{self.found / all_:.1%}" if all_ else "-",
        )


def tabulate(section: Section, scores: Mapping[str, Score], published: Mapping[str, Mapping[str, str]]) -> None:
    """Add a table with a line for each weakness and one for all; `published`: tool → weakness → what it finds."""
    table = section.table(*COLUMNS, *published)
    total = Score()
    for name, score in sorted(scores.items()):
        total += score
        table.add(name, *score.cells(), *(said.get(name, "") for said in published.values()))
    table.add("all", *total.cells(), *(said.get("all", "") for said in published.values()))


def name_cases(section: Section, scores: Mapping[str, Score]) -> None:
    """Add tables of what is missed, and of what else is found."""
    for what, cases in (("missed", "missed"), ("found, and not marked", "extra")):
        table = section.table("weakness", "case", caption=what)
        for name, score in sorted(scores.items()):
            for case in sorted(getattr(score, cases)):
                table.add(name, case)
