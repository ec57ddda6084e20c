"""Small programs whose comments say what variables may hold in a run, and which choices of contexts find just that.

Object x = box.get();  // x = {A@9}                       the objects of a run, by class and line of allocation
Object x = box.get();  // x = {A@9} by 1-obj, 2-obj+heap  the choices that find just them (`by none`: each finds more)
Object x = box.get();  // …; Doop {A@9, B@10}             what Doop and Tai-e find, if more, with two objects of context

What these find (2obj+H, 2obj) follows from their definition: a context of a method is the object that it is called on
and the object on which the method was called that made that one, an object has one such object, a static method has the
context of its caller (Smaragdakis, Bravenboer and Lhoták, POPL 2011), and Soot splits variables by their definitions.

`python -m tests.analyses.precision` prints how many variables each choice is exact for; with `--renew` it writes anew
which choices find the objects of a run.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ladder.frontends.java import FRONT_END
from ladder.session.analyze import contexts
from tests.analyses.annotated import CASES, Project, analyse, case_project

FOLDER = "precision"
DOOP = "Doop"
SAID = re.compile(r"(?P<var>\w+) = \{(?P<exact>[^}]*)\}(?: by (?P<by>[^;]+))?(?:; Doop \{(?P<doop>[^}]*)\})?")
Objects = frozenset[str]


@dataclass(frozen=True)
class Said:
    """What the comment of a line says of a variable: the objects of a run, the choices of contexts that find them, and
    the objects that Doop finds."""

    file: str
    line: int
    var: str
    exact: Objects
    by: tuple[str, ...]
    doop: Objects


def _objects(text: str) -> Objects:
    return frozenset(filter(None, text.split(", ")))


def said(project: Project, choices: Iterable[str]) -> list[Said]:
    """What the comments of the programs say, in the order of the files."""
    result = []
    for file, lines in project.texts.items():
        for number, text in enumerate(lines, 1):
            code, _, comment = text.partition("// ")
            if not code.strip() or " = {" not in comment:
                continue
            found = SAID.fullmatch(comment)
            assert found is not None, (file, number, comment)
            exact = _objects(found["exact"])
            doop = exact if found["doop"] is None else _objects(found["doop"])
            by = tuple(choices) if found["by"] is None else tuple(found["by"].replace("none", "").split(", "))
            result.append(Said(file, number, found["var"], exact, by, doop))
    return result


def found(project: Project, context: str, comments: Iterable[Said], exceptions: str = "near") -> dict[Said, Objects]:
    """The objects that points-to finds for each of the variables, whatever their contexts."""
    results = analyse("pointsto", project, context=context, exceptions=exceptions)
    objects = results.objects()
    names = {line: f"{results.method_at((line.file, line.line))}/{line.var}" for line in comments}
    return {line: frozenset(objects.get(name, ())) for line, name in names.items()}


def table(by_choice: Mapping[str, Mapping[Said, Objects]], comments: list[Said]) -> str:
    """How many variables have exactly the objects of a run, for each choice of contexts, and by Doop."""
    exact = {choice: sum(objects[line] == line.exact for line in comments) for choice, objects in by_choice.items()}
    exact[DOOP] = sum(line.doop == line.exact for line in comments)
    rows = [("contexts", f"exact of {len(comments)} variables"), *((choice, str(exact[choice])) for choice in exact)]
    width = max(len(choice) for choice, _ in rows)
    return "\n".join(f"{choice:{width}}  {count}" for choice, count in rows)


def _renew(by_choice: Mapping[str, Mapping[Said, Objects]], comments: list[Said]) -> None:
    for file in {line.file for line in comments}:
        path = CASES / FOLDER / file
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in comments:
            if line.file == file:
                by = [choice for choice, objects in by_choice.items() if objects[line] == line.exact]
                text = "" if len(by) == len(by_choice) else f" by {', '.join(by) or 'none'}"
                lines[line.line - 1] = re.sub(r"(// \w+ = \{[^}]*\})(?: by [^;]+)?", rf"\1{text}", lines[line.line - 1])
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Print the table, or write the comments anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true", help="write which choices find the objects of a run")
    renew = parser.parse_args().renew
    project, choices = case_project(FOLDER), contexts(FRONT_END)
    comments = said(project, choices)
    by_choice = {choice: found(project, choice, comments) for choice in choices}
    print(table(by_choice, comments))
    if renew:
        _renew(by_choice, comments)


if __name__ == "__main__":
    main()
