"""Libraries of Java projects, known by their class files: what these declare, and what of it a project can reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ladder.frontends.protocol import Row


class JavaLibraries:
    """The protocol's `Libraries` for Java, source and class files alike.

    `builds_on`: the packages whose code makes packs together with this one.
    """

    builds_on = ("ladder.frontends.bytecode", "ladder.frontends.java")

    @property
    def relations(self) -> Sequence[str]:
        """The relations of the rows."""
        from ladder.frontends.libraries.schema import RELATIONS

        return RELATIONS

    @property
    def mentioned(self) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
        """What of a project's facts decides what is reached."""
        from ladder.frontends.libraries.schema import MENTIONED

        return MENTIONED

    def packed(self, classes: Iterable[tuple[str, bytes | str]]) -> bytes:
        """Pack what class files, given as path and content, declare; a text is why there is no content."""
        from ladder.frontends.libraries.pack import packed

        return packed(classes)

    def problems(self, pack: bytes) -> list[tuple[str, str]]:
        """Return paths of what could not be packed, and why."""
        from ladder.frontends.libraries.pack import Pack

        return Pack(pack).problems

    def selected(self, packs: Sequence[bytes], mentions: Mapping[str, frozenset[str]]) -> Mapping[str, Sequence[Row]]:
        """Return rows of what a project that mentions this can reach of packs; earlier ones hide later ones."""
        from ladder.frontends.libraries.pack import Pack
        from ladder.frontends.libraries.selection import selected

        return selected([Pack(pack) for pack in packs], mentions)


LIBRARIES = JavaLibraries()
