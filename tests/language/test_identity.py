"""What makes functions and lattices of two programs the same."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from ladder import Program
from ladder.language.objects.bindings import source_hash
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


def test_a_functor_of_a_package_is_its_python_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other modules of its package may be what it calls; a program in Datalog beside it is not."""
    monkeypatch.syspath_prepend(tmp_path)

    def identity_in(package: str, beside: dict[str, str]) -> str:
        folder = tmp_path / package
        folder.mkdir()
        for name, text in {"__init__.py": "", "made.py": "def twice(x):\n    return 2 * x\n", **beside}.items():
            (folder / name).write_text(text)
        importlib.invalidate_caches()
        return source_hash(importlib.import_module(f"{package}.made"))

    alone = identity_in("alone", {})
    assert identity_in("with_program", {"rules.dl": ".decl r(x: number)\n"}) == alone
    assert identity_in("with_module", {"other.py": "FACTOR = 2\n"}) != alone
