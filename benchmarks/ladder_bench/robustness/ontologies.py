"""Universities in the vocabulary of LUBM, as triples or as facts of classes and properties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from ladder_bench.robustness.shapes import Facts, Shape

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class _University:
    """How departments look like: numbers of people, courses, groups and publications."""

    source: np.random.Generator
    departments: int
    professors: int
    students: int
    courses: int
    groups: int
    papers: int
    abroad: float

    @staticmethod
    def of(shape: Shape) -> _University:
        professors = shape.whole("professors", 4, 40)
        return _University(
            shape.source,
            shape.whole("departments", 3, 30),
            professors,
            shape.whole("students per professor", 2, 16),
            max(1, int(shape.real("courses per professor", 0.3, 6) * professors)),
            shape.whole("groups", 1, 20),
            shape.whole("publications", 1, 12),
            shape.real("degrees elsewhere", 0.05, 1.0),
        )

    def triples(self, home: str) -> Iterator[Triple]:
        yield home, "type", "University"
        for number in range(self.departments):
            name = f"{home}/dept{number}"
            yield from self._organization(home, name)
            for professor in range(self.professors):
                yield from self._professor(home, name, professor)

    def _organization(self, home: str, name: str) -> Iterator[Triple]:
        yield name, "type", "Department"
        yield name, "subOrganizationOf", home
        for g in range(self.groups):
            group = f"{name}/group{g}"
            yield group, "type", "ResearchGroup"
            yield group, "subOrganizationOf", name if g < 2 else f"{name}/group{self.source.integers(g)}"
        for c in range(self.courses):
            yield f"{name}/course{c}", "type", "GraduateCourse" if c % 3 == 0 else "Course"
            yield f"{name}/prof{c % self.professors}", "teacherOf", f"{name}/course{c}"

    def _professor(self, home: str, name: str, number: int) -> Iterator[Triple]:
        who = f"{name}/prof{number}"
        yield who, "type", "Professor"
        yield (
            who,
            "headOf" if number == 0 else "worksFor",
            name if number % 3 == 0 else f"{name}/group{number % self.groups}",
        )
        yield who, "doctoralDegreeFrom", self._degree(home)
        yield who, "undergraduateDegreeFrom", self._degree(home)
        for paper in range(self.papers):
            yield f"{who}/pub{paper}", "publicationAuthor", who
        for student in range(self.students):
            yield from self._student(home, name, who, student)

    def _student(self, home: str, name: str, professor: str, number: int) -> Iterator[Triple]:
        who, graduate = f"{professor}/stud{number}", number % 4 == 0
        yield who, "type", "GraduateStudent" if graduate else "Student"
        yield who, "memberOf", name
        for _ in range(2):
            yield who, "takesCourse", self._course(name)
        if graduate:
            yield who, "advisor", professor
            yield who, "undergraduateDegreeFrom", self._degree(home)
            yield who, "teachingAssistantOf", self._course(name)
            yield f"{professor}/pub{self.source.integers(self.papers)}", "publicationAuthor", who

    def _degree(self, home: str) -> str:
        return f"univ{self.source.integers(30)}" if self.source.random() < self.abroad else home

    def _course(self, name: str) -> str:
        return f"{name}/course{self.source.integers(self.courses)}"


def _universities(shape: Shape, size: int) -> list[Triple]:
    """`size` triples of universities: departments, groups, people, courses, publications."""
    one = _University.of(shape)
    return list(islice((triple for n in count() for triple in one.triples(f"univ{n}")), size))


def _hierarchies(shape: Shape) -> list[Triple]:
    """Classes above those of the data to a random height, and properties above those."""
    deep, wide = shape.whole("classes above", 1, 12), shape.whole("properties above", 1, 5)
    found: list[Triple] = [
        ("GraduateStudent", "subClassOf", "Student"),
        ("Student", "subClassOf", "Person"),
        ("Professor", "subClassOf", "Faculty"),
        ("Faculty", "subClassOf", "Employee"),
        ("Employee", "subClassOf", "Person"),
        ("University", "subClassOf", "Organization"),
        ("Department", "subClassOf", "Organization"),
        ("ResearchGroup", "subClassOf", "Organization"),
        ("GraduateCourse", "subClassOf", "Course"),
        ("headOf", "subPropertyOf", "worksFor"),
        ("worksFor", "subPropertyOf", "memberOf"),
        ("doctoralDegreeFrom", "subPropertyOf", "degreeFrom"),
        ("undergraduateDegreeFrom", "subPropertyOf", "degreeFrom"),
        ("advisor", "domain", "Person"),
        ("advisor", "range", "Professor"),
        ("teacherOf", "domain", "Faculty"),
        ("teacherOf", "range", "Course"),
        ("takesCourse", "domain", "Student"),
        ("takesCourse", "range", "Course"),
        ("memberOf", "range", "Organization"),
        ("degreeFrom", "range", "University"),
        ("publicationAuthor", "domain", "Publication"),
        ("publicationAuthor", "range", "Person"),
    ]
    for top in ("Person", "Organization", "Course", "Publication"):
        for n in range(deep):
            found.append((f"{top}{n - 1}" if n else top, "subClassOf", f"{top}{n}"))
    for top in ("memberOf", "degreeFrom", "advisor"):
        for n in range(wide):
            found.append((f"{top}{n - 1}" if n else top, "subPropertyOf", f"{top}{n}"))
    return found


def hierarchies(shape: Shape, size: int) -> Facts:
    """About `size` triples of individuals under hierarchies of classes and properties."""
    return {"asserted": np.array(sorted({*_hierarchies(shape), *_universities(shape, size)}))}


def axioms(shape: Shape, size: int) -> Facts:
    """About `size` triples of individuals under the axioms that rules of OWL 2 RL know."""
    found: list[Triple] = [
        ("subOrganizationOf", "type", "TransitiveProperty"),
        ("memberOf", "inverseOf", "member"),
        ("degreeFrom", "inverseOf", "hasAlumnus"),
        ("headOf", "type", "FunctionalProperty"),
        ("affiliated", "chainFirst", "memberOf"),
        ("affiliated", "chainSecond", "subOrganizationOf"),
        ("taughtBy", "chainFirst", "takesCourse"),
        ("taughtBy", "chainSecond", "isTaughtBy"),
        ("teacherOf", "inverseOf", "isTaughtBy"),
        ("Chair", "onProperty", "headOf"),
        ("Chair", "someValuesFrom", "Department"),
        ("TeachingAssistant", "onProperty", "teachingAssistantOf"),
        ("TeachingAssistant", "someValuesFrom", "Course"),
        ("Student", "onProperty", "takesCourse"),
        ("Student", "allValuesFrom", "Course"),
        ("Member", "onProperty", "memberOf"),
        ("Member", "hasValue", "univ0/dept0"),
        ("WorkingStudent", "intersectionFirst", "Student"),
        ("WorkingStudent", "intersectionSecond", "TeachingAssistant"),
        ("Lecturer", "equivalentClass", "Faculty"),
        ("worksFor", "equivalentProperty", "employedBy"),
    ]
    same = shape.whole("equal individuals", 1, 60)
    people = shape.source.integers(0, 4, (same, 2))
    found += [(f"univ0/dept0/prof{a}", "sameAs", f"alias{n}") for n, (a, _) in enumerate(people.tolist())]
    return {"asserted": np.array(sorted({*found, *_hierarchies(shape), *_universities(shape, size)}))}


def universities(shape: Shape, size: int) -> Facts:
    """About `size` facts of individuals: classes and properties."""
    triples = sorted(set(_universities(shape, size)))
    return {
        "is": np.array([(s, o) for s, p, o in triples if p == "type"]),
        "has": np.array([t for t in triples if t[1] != "type"]),
    }
