"""What `java/typestate.dl` asks of the states of an automaton: sets of states, the values of the powerset lattice."""

from __future__ import annotations

from collections.abc import Iterator

States = frozenset[str]


def only(states: States) -> Iterator[str]:
    """The state, if there is one only."""
    if len(states) == 1:
        yield from states


def moved(states: States, before: str, after: str) -> Iterator[States]:
    """The state `after` alone, if `before` is among the states; no result if it is not."""
    if before in states:
        yield frozenset((after,))


def without(states: States, left: States) -> Iterator[States]:
    """The states that are not among `left`; no result if there is none."""
    rest = states - left
    if rest:
        yield rest


def through(states: States, passed: str, given: States) -> Iterator[States]:
    """What a method makes of a thing that it is passed in the state `passed`, if that is among the states."""
    if passed in states and given:
        yield given


def simple_name(type_: str) -> str:
    """The name of a class without its package, as sentences have it."""
    return type_.rpartition(".")[2].replace("$", ".")
