"""Manifests of checkpoints: where their rows are, which iterations they reach, and of which program and facts they
are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ladder.support.json_text import read_json

FORMAT = 1  # of what is written, and of what rows mean: ids, iterations, counts
IDENTITY = {
    "program": "another program",
    "facts": "other facts",
    "seed": "another seed",
    "format": "another version of Ladder",
}


@dataclass(frozen=True)
class Part:
    """A folder of rows. `rows`: their number; `stages`: the stages that they belong to; `width`: number of columns for
    cells."""

    name: str
    rows: int
    stages: tuple[int, ...]
    width: int


@dataclass(frozen=True)
class Manifest:
    """What a checkpoint has: all stages before `stage`, and of this one the rows up to `iteration` (none if that is
    None)."""

    number: int
    stage: int
    iteration: int | None
    relations: tuple[str, ...]
    parts: tuple[Part, ...]
    identity: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """The stage and iteration as text for messages."""
        return f"checkpoint {self.number}, stage {self.stage}" + (
            f", iteration {self.iteration}" if self.iteration is not None else ""
        )

    def text(self) -> str:
        """The manifest as JSON."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False)

    @staticmethod
    def of(text: str) -> Manifest:
        """The manifest in a JSON text; ValueError, KeyError or TypeError for other texts."""
        raw = read_json(text)
        parts = tuple(Part(p["name"], p["rows"], tuple(p["stages"]), p["width"]) for p in raw["parts"])
        return Manifest(raw["number"], raw["stage"], raw["iteration"], tuple(raw["relations"]), parts, raw["identity"])

    def differs(self, identity: Mapping[str, str], relations: Sequence[str]) -> list[str]:
        """In what it differs from a run with this identity and these relations, as texts for messages."""
        found = [what for key, what in IDENTITY.items() if self.identity.get(key) != identity.get(key)]
        return found or ([IDENTITY["program"]] if self.relations != tuple(relations) else [])
