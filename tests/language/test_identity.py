"""What makes functions and lattices of two programs the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder import Program
from ladder.language.versions.identity import identities


def test_where_a_lattice_is_declared_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither lines above it, nor whether the program was compiled just now or comes out of the cache of compiled
    programs."""
    monkeypatch.setenv("LADDER_CACHE_DIR", str(tmp_path))
    text = (
        '.type Mask <: number\n.functor either(a: Mask, b: Mask): Mask = "operator:or_"\n'
        ".lattice Mask<> {Bottom -> 0, Lub -> @either(_, _)}\n.decl r(c: Mask<>)\nr(lub(1)).\n"
    )
    compiled, cached, moved = (identities(Program.parse(some).core) for some in (text, text, "\n\n" + text))
    assert compiled == cached == moved
