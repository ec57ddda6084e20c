"""The front end for Java class files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ladder.frontends.java import FRONT_END as JAVA
from ladder.frontends.protocol import Display, FileFacts, Models, Relation, Resources


class BytecodeFrontEnd:
    """The front end for class files; schema, display, analyses and models are those of the front end for Java source.

    `builds_on`: the packages whose code makes facts together with this one. `archives`: suffixes of the zip files
    and runtime images that may be projects.
    """

    language = "Java bytecode"
    suffixes = (".class",)
    archives = (".jar", ".jmod", ".zip", ".war", "modules")
    builds_on = ("ladder.frontends.java",)
    generated: tuple[str, ...] = ()
    libraries = "ladder.frontends.libraries:LIBRARIES"

    @property
    def analyses(self) -> Path | None:
        """The folder of the analyses."""
        return JAVA.analyses

    @property
    def contexts(self) -> Path | None:
        """The file that analyses include for what contexts are."""
        return JAVA.contexts

    @property
    def usual_contexts(self) -> Mapping[str, str]:
        """The contexts of the analyses that have others than those."""
        return JAVA.usual_contexts

    @property
    def display(self) -> Display:
        """How results are shown."""
        return replace(JAVA.display, temporaries={"var": r"/\$\d+$"})

    @property
    def resources(self) -> tuple[Resources, ...]:
        """The files beside the classes that names are looked for in."""
        return JAVA.resources

    def relations(self) -> Sequence[Relation]:
        """Return the schema of the facts."""
        return JAVA.relations()

    def models(self, folders: Sequence[Path]) -> Models:
        """Return the rows that model methods of libraries."""
        return JAVA.models(folders)

    def facts_of(self, data: bytes) -> FileFacts:
        """Return the facts of a class file with these bytes."""
        from ladder.frontends.bytecode.facts import facts_of

        return facts_of(data)


FRONT_END = BytecodeFrontEnd()
