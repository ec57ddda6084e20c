"""What stands for libraries in an analysis: models, or the bodies of their methods; as the user chooses."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.errors import LadderError

WITH_MODELS, WITH_BODIES = "models", "bodies"


@dataclass(frozen=True)
class LibraryChoice:
    """What stands for libraries: models, or the bodies of classes whose names begin with one of these prefixes, all
    for none."""

    bodies: bool = False
    prefixes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The choice as the user writes it; empty for models."""
        return "" if not self.bodies else "=".join(filter(None, (WITH_BODIES, ",".join(self.prefixes))))

    def has(self, name: str) -> bool:
        """Whether bodies of a class are looked at, as far as the user says."""
        return not self.prefixes or any(within(name, prefix) for prefix in self.prefixes)


MODELS = LibraryChoice()


def within(name: str, prefix: str) -> bool:
    """Whether a prefix is a class, a class around it, or a package around it."""
    return name == prefix or name.startswith((f"{prefix}.", f"{prefix}$"))


def library_of(text: str) -> LibraryChoice:
    """The choice that a text says; `LadderError` if it says none."""
    kind, equals, prefixes = text.partition("=")
    names = tuple(sorted({name.strip().rstrip("*").rstrip(".") for name in prefixes.split(",")} - {""}))
    if kind not in (WITH_MODELS, WITH_BODIES) or (equals and (kind == WITH_MODELS or not names)):
        raise LadderError(
            f"--library {text} is none of the choices.",
            f"There are {WITH_MODELS}, {WITH_BODIES}, and {WITH_BODIES}=PREFIX,… with names of packages or classes.",
        )
    return LibraryChoice(kind == WITH_BODIES, names)
