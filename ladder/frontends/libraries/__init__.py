"""Libraries of Java projects, known by their class files: what these declare, and what of it a project can reach."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ladder.frontends.protocol import FrontEnd, ReachedCode, Row


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

    def selected(
        self, packs: Sequence[bytes], mentions: Mapping[str, frozenset[str]], names: Sequence[str]
    ) -> Mapping[str, Sequence[Row]]:
        """Return rows of what a project that mentions this can reach of packs, by their names; earlier ones hide later
        ones."""
        from ladder.frontends.libraries.pack import Pack
        from ladder.frontends.libraries.selection import selected

        return selected([Pack(pack) for pack in packs], mentions, names)

    def has_platform(self, pack: bytes) -> bool:
        """Return whether a pack is that of a JDK."""
        from ladder.frontends.libraries.pack import Pack

        return Pack(pack).is_jdk

    def packages(self, pack: bytes) -> Collection[str]:
        """Return the packages that have types in a pack."""
        from ladder.frontends.libraries.pack import Pack

        return Pack(pack).packages

    @property
    def bodies(self) -> FrontEnd:
        """The front end for the code of libraries."""
        from ladder.frontends.libraries.bodies import BODIES

        return BODIES

    def located(self, packs: Sequence[bytes], paths: Sequence[Sequence[str]]) -> Mapping[str, tuple[int, str]]:
        """Return class → the number of its pack and its path there, by the paths of the class files of each."""
        from ladder.frontends.libraries.code import located
        from ladder.frontends.libraries.pack import Pack

        return located([Pack(pack) for pack in packs], paths)

    def reached(
        self,
        needs: Iterable[Row],
        packs: Sequence[bytes],
        chosen: Callable[[str], bool],
        read: Callable[[Sequence[str]], Iterable[Row]],
    ) -> ReachedCode:
        """Return what a project that needs this may run; `read` gives rows of `Code` of classes that are chosen."""
        from ladder.frontends.libraries.code import reached_code
        from ladder.frontends.libraries.pack import Pack

        return reached_code(needs, [Pack(pack) for pack in packs], chosen, read)


LIBRARIES = JavaLibraries()
