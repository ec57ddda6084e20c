"""Files of states taken apart, changed and put together again with right digests and codes: what somebody who knows the
form can make."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.engine.local.saved.format import MAGIC
from ladder.engine.local.saved.parts import ALIGN, DIGEST, HEAD, START, digest_of, place_of_header
from ladder.engine.local.saved.tables import current_text
from ladder.support.private import KEY_VARIABLE

OTHER_KEY = "the key of somebody else altogether"


@dataclass
class Raw:
    """An array: the bytes that are used, items there is room for, bytes of an item."""

    data: np.ndarray
    room: int
    width: int


@dataclass
class Forged:
    """A base or a log."""

    header: dict[str, Any]
    arrays: dict[str, Raw]

    @staticmethod
    def read(path: Path) -> Forged:
        content = path.read_bytes()
        assert content[: len(MAGIC)] == MAGIC
        position, length = place_of_header(content[:HEAD])
        assert position + length == len(content)
        header, arrays = json.loads(content[position:]), {}
        for name, at, room, used, width, _ in header.pop("arrays"):
            arrays[name] = Raw(np.frombuffer(content, np.uint8, used * width, START + at).copy(), room, width)
        return Forged(header, arrays)

    def write(self, path: Path) -> bytes:
        """Put it in the place of a file; its digest."""
        table, pieces, position = [], [], 0
        for name, raw in self.arrays.items():
            used = len(raw.data) // raw.width
            room = max(raw.room, used)
            table.append(
                [name, position, room, used, raw.width, digest_of(raw.data.data if len(raw.data) else b"").hex()]
            )
            size = -(-room * raw.width // ALIGN) * ALIGN
            pieces.append(raw.data.tobytes() + bytes(size - len(raw.data)))
            position += size
        text = json.dumps({**self.header, "arrays": table}).encode()
        digest = digest_of(text)
        head = MAGIC + (START + position).to_bytes(8, "little") + len(text).to_bytes(8, "little") + digest
        path.write_bytes(head + bytes(START - HEAD) + b"".join(pieces) + text)
        return digest


def current_of(folder: Path) -> dict[str, Any]:
    """What CURRENT says."""
    return json.loads(json.loads((folder / "CURRENT").read_text())["current"])


def files_of(folder: Path) -> list[Path]:
    """The base and the logs that count, in their order."""
    current = current_of(folder)
    return [
        folder / f"base-{current['base']}",
        *(folder / f"log-{current['base']}-{n}" for n in range(1, len(current["digests"]))),
    ]


def point(folder: Path, **changes: Any) -> None:
    """Let CURRENT say this beside what it says, with the code of the key at hand."""
    (folder / "CURRENT").write_text(current_text(**{**current_of(folder), **changes}))


def put(folder: Path, files: Mapping[Path, Forged]) -> None:
    """Exchange files of a state, with digests and a code that fit."""
    digests = [
        files[path].write(path) if path in files else bytes.fromhex(known)
        for path, known in zip(files_of(folder), current_of(folder)["digests"], strict=True)
    ]
    point(folder, digests=[digest.hex() for digest in digests])


def sealed(text: str) -> str:
    """A CURRENT file of any text, with a right checksum and code."""
    from ladder.support.private import code_of

    return json.dumps(
        {"current": text, "checksum": sha256(text.encode()).hexdigest(), "code": code_of("state", text.encode()).hex()}
    )


@contextmanager
def somebody_else() -> Iterator[None]:
    """Another user's key: what is saved meanwhile is foreign."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, OTHER_KEY)
        yield


__all__ = ["DIGEST", "Forged", "Raw", "current_of", "files_of", "point", "put", "sealed", "somebody_else"]
