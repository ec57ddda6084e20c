"""Random programs over lattices, with facts and changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

HEADER = """
.type Flat = No{} | One{n: number} | All{}
.functor join(a: Flat, b: Flat): Flat  .functor meet(a: Flat, b: Flat): Flat  .functor next(a: Flat): Flat
.lattice Flat<> { Bottom -> $No(), Top -> $All(), Lub -> @join(_, _), Glb -> @meet(_, _) }
.lattice Few = "ladder.lattices:k_set(2)"
.functor few(n: number): Few
.decl edge(a: number, b: number)  .input edge
.decl given(a: number, x: Flat)  .input given
"""

RELATIONS = {"p": ("Flat",), "q": ("Flat", "Few"), "r": ("Few",), "s": ("Few", "Flat", "Flat")}
CONSTANTS = {"Flat": ("$No()", "$One(1)", "$One(2)", "$All()"), "Few": ("@few(1)", "@few(2)", "@few(a)")}
PLACES = range(5)


def program(chance: random.Random) -> str:
    """A monotone program: relations that read each other, and later ones that negate them."""
    lines = [HEADER]
    for name, kinds in RELATIONS.items():
        lines.append(f".decl {name}(a: number, {', '.join(f'x{i}: {kind}<>' for i, kind in enumerate(kinds))})")
    lines += [rule(chance) for _ in range(chance.randint(4, 9))]
    lines.append(".decl none(a: number)\n.decl outside(a: number, x: Flat)\n.decl least(x: Few)\n.decl many(n: number)")
    lines.append("least(glb(x)) :- r(_, x).\nmany(n) :- n = count : { p(_, _) }.\noutside(a, x) :- p(a, x).")
    for _ in range(3):
        name = chance.choice(list(RELATIONS))
        lines.append(
            f"none(a) :- edge(a, _), !{name}(a, "
            f"{', '.join(constant(chance, kind, ('_',)) for kind in RELATIONS[name])})."
        )
        lines.append(
            f"outside(a, x) :- given(a, x), edge(a, b), !{name}(b, "
            f"{', '.join(chance.choice(('x', '_')) if kind == 'Flat' else '_' for kind in RELATIONS[name])})."
        )
    return "\n".join(lines)


def rule(chance: random.Random) -> str:
    """A rule for one of the relations: from facts, from one or two of the others, met where a variable stands twice."""
    head = chance.choice(list(RELATIONS))
    names = [chance.choice(list(RELATIONS)) for _ in range(chance.randint(0, 2))]
    body, bound = [], set[str]()
    for place, name in zip("bc", names, strict=False):
        arguments = [
            chance.choice(
                (kind[:2].lower(), "_", constant(chance, kind, ()) if place == "b" else "_", kind[:2].lower())
            )
            for kind in RELATIONS[name]
        ]
        bound |= {
            kind for kind, argument in zip(RELATIONS[name], arguments, strict=True) if argument == kind[:2].lower()
        }
        body.append(f"{name}({place}, {', '.join(arguments)}), edge({place}, a)")
    if not body or chance.random() < 0.3:
        body.append("given(a, fl)")
        bound.add("Flat")
    values = [
        kind[:2].lower() if kind in bound and chance.random() < 0.8 else constant(chance, kind, ())
        for kind in RELATIONS[head]
    ]
    values = [f"@next({value})" if value == "fl" and chance.random() < 0.1 else value for value in values]
    return f"{head}(a, {', '.join(values)}) :- {', '.join(body)}."


def constant(chance: random.Random, kind: str, more: tuple[str, ...]) -> str:
    return chance.choice((*CONSTANTS[kind], *more))


def cases(seed: int) -> Iterator[Any]:
    """A program, its facts, its changes."""
    chance = random.Random(seed)
    yield program(chance)
    universe = {
        "edge": [(a, b) for a in PLACES for b in PLACES],
        "given": [(a, x) for a in PLACES for x in (("No",), ("One", 1), ("One", 2), ("All",))],
    }
    current = {name: set(chance.sample(rows, 6)) for name, rows in universe.items()}
    yield {name: sorted(rows) for name, rows in current.items()}
    changes = []
    for _ in range(4):
        delete = {
            name: sorted(chance.sample(sorted(rows), chance.randint(0, min(3, len(rows)))))
            for name, rows in current.items()
        }
        insert = {
            name: sorted(chance.sample([row for row in rows if row not in current[name]], chance.randint(0, 3)))
            for name, rows in universe.items()
        }
        current = {name: rows - set(delete[name]) | set(insert[name]) for name, rows in current.items()}
        changes.append((insert, delete))
    yield changes
