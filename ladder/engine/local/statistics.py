"""Statistics of complete relations, each measured when it is asked for first: many relations are read by no later rule,
or by rules of one atom, and measuring reads all of their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping

from ladder.plan.order import Statistics

Measure = Callable[[str], Statistics]  # of a relation as it is now


class Measured(MutableMapping[str, Statistics]):
    """Statistics by the names of relations; those that are `due` are measured when they are asked for."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._known: dict[str, Statistics | None] = {}

    def due(self, names: Iterable[str]) -> None:
        """Let relations be measured when they are asked for next."""
        self._known.update(dict.fromkeys(names))

    def take(self, other: Measured, names: Iterable[str]) -> None:
        """Know of these relations what another one knows; what is due there is due here."""
        self._known.update({name: other._known[name] for name in names})

    def __getitem__(self, name: str) -> Statistics:
        known = self._known[name]
        if known is None:
            known = self._known[name] = self._measure(name)
        return known

    def __setitem__(self, name: str, statistics: Statistics) -> None:
        self._known[name] = statistics

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
