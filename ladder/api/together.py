"""Several programs evaluated as one: what they have in common is evaluated once, and each keeps its own relations."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ladder.api.program import Program
from ladder.api.rows import Rows
from ladder.language.stored import keep_names, union_of
from ladder.language.versions.union import with_names

if TYPE_CHECKING:
    from ladder.api.database import Database
    from ladder.engine.local.explain import Explanation


@dataclass(frozen=True)
class Together:
    """Programs and one for all of them. `names`: for each, its relations → what they are called in `whole`."""

    whole: Program
    parts: Sequence[Program]
    names: Sequence[Mapping[str, str]]

    @staticmethod
    def of(programs: Mapping[str, Program]) -> Together:
        """These programs, by labels that tell them apart; one alone is the whole program as it is. `NotPossible` for
        programs that cannot be evaluated as one."""
        parts = list(programs.values())
        if len(parts) == 1:
            return Together(parts[0], parts, [{name: name for name in parts[0].core.relations}])
        union = union_of([(label, part.core) for label, part in programs.items()], [part.fingerprint for part in parts])
        digest = hashlib.sha256(repr([(label, part.fingerprint) for label, part in programs.items()]).encode())
        whole = Program("+".join(programs), "", union.core, digest.hexdigest(), _sources(parts), parts[0].directory)
        own = [(part.fingerprint, names) for part, names in zip(parts, union.names, strict=True)]
        keep_names(whole.fingerprint, dict(zip(programs, own, strict=True)))
        return Together(whole, parts, union.names)

    def view(self, db: Database, number: int) -> View:
        """The relations of one of the programs in a database of all."""
        return View(db, self.parts[number], self.names[number])


def _sources(parts: Sequence[Program]) -> dict[str, str]:
    """File → text; not of files of which two programs have different texts."""
    found: dict[str, str] = {}
    different = set()
    for part in parts:
        for file, text in part.sources.items():
            if found.setdefault(file, text) != text:
                different.add(file)
    return {file: text for file, text in found.items() if file not in different}


@dataclass(frozen=True)
class View:
    """The relations of a program in a database of several, under the names that the program gives them."""

    db: Database
    program: Program
    names: Mapping[str, str]

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation of the program."""
        return self.db[self.names[relation]]

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the program's relations."""
        return self.program.core.declared

    def frame(self, relation: str) -> Any:
        """The rows of a relation as a Spark DataFrame."""
        return self.db.frame(self.names[relation])

    def explain(self, relation: str, row: Sequence[Any], *, depth: int | None = None) -> Explanation:
        """Why a row is there, told with the names of the program's relations; those that it shares with another one
        under another name have the name that comes first in its text."""
        own: dict[str, str] = {}
        for name, there in self.names.items():
            own.setdefault(there, name)
        return _renamed(self.db.explain(self.names[relation], row, depth=depth), own)


def _renamed(found: Explanation, own: Mapping[str, str]) -> Explanation:
    """An explanation, whose reasons may be shared, with other names of relations."""
    known: dict[int, Explanation] = {}
    for reason in _children_first(found):
        because = tuple(known[id(child)] for child in reason.because)
        rule = reason.rule and with_names(reason.rule, own)
        relation = own.get(reason.relation, reason.relation)
        known[id(reason)] = replace(reason, relation=relation, rule=rule, because=because)
    return known[id(found)]


def _children_first(found: Explanation) -> Iterator[Explanation]:
    """The reasons in an explanation, each once and after those that it rests on."""
    done: set[int] = set()
    waiting = [(found, False)]
    while waiting:
        reason, entered = waiting.pop()
        if id(reason) in done:
            continue
        if entered:
            done.add(id(reason))
            yield reason
        else:
            waiting.append((reason, True))
            waiting += [(child, False) for child in reason.because]
