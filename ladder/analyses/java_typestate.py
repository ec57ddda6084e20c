"""What `java/typestate.dl` asks of the states of an automaton: sets of states, the values of the powerset lattice.

A state may carry a mark: `!` while an exception is on its way, which goes through a `finally`; `~` after one was
caught. All functions are monotone: they look at one state of a set after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

States = frozenset[str]

RAISED, CAUGHT = "!", "~"


def plain(state: str) -> str:
    """The state without its mark."""
    return state.rstrip(RAISED + CAUGHT)


def is_marked(state: str) -> int:
    """1 if an exception was thrown."""
    return int(state != plain(state))


def unmarked(states: States) -> States:
    """The states without their marks."""
    return frozenset(map(plain, states))


_WAYS: dict[str, Callable[[str], str]] = {
    "next": lambda state: state,
    "raised": lambda state: plain(state) + RAISED,
    "caught": lambda state: plain(state) + CAUGHT,
    "again": lambda state: state if state.endswith(RAISED) else "",
    "done": lambda state: "" if state.endswith(RAISED) else state,
}
"""What becomes of a state on a way of control, "" if it does not go there: on to the next instruction; by an exception
to a `finally`, or to a `catch`; from the end of a `finally` to where the exception is thrown again, or elsewhere."""


def along(way: str, states: States) -> Iterator[States]:
    """The states behind a way of control; no result if none goes there."""
    found = frozenset(filter(None, map(_WAYS[way], states)))
    if found:
        yield found


def only(states: States) -> Iterator[str]:
    """The state, if there is one only but for marks."""
    found = unmarked(states)
    if len(found) == 1:
        yield from found


def moved(states: States, before: str, after: str) -> Iterator[States]:
    """What comes of those states that are `before`: `after`, with their marks; no result if there is none."""
    found = frozenset(after + state[len(before) :] for state in states if plain(state) == before)
    if found:
        yield found


def without(states: States, left: States) -> Iterator[States]:
    """The states that are not among `left`; no result if there is none."""
    rest = frozenset(state for state in states if plain(state) not in left)
    if rest:
        yield rest


def through(states: States, passed: str, given: States) -> Iterator[States]:
    """What a method makes of a thing that it is passed in the state `passed`: `given`, with the marks of both."""
    found = frozenset(
        after if is_marked(after) else after + state[len(passed) :]
        for state in states
        if plain(state) == passed
        for after in given
    )
    if found:
        yield found


def simple_name(type_: str) -> str:
    """The name of a class without its package, as sentences have it."""
    return type_.rpartition(".")[2].replace("$", ".")
