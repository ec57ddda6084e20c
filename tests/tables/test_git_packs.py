"""Packs of git: what is in them is what libgit2 reads, but for what would keep it busy, or take all memory."""

from __future__ import annotations

import hashlib
import itertools
import random
import struct
import time
import zlib
from pathlib import Path

import pygit2
import pytest

from ladder.errors import ProjectError
from ladder.project import git_packs
from ladder.project.files import Project, blob_id
from ladder.project.git_packs import NAMED, SHIFTED, BadPack, Pack
from tests.session.projects import WHO

BLOB = 3
WANTED = b"class A { }"
NAME = bytes.fromhex(blob_id(WANTED))
Entry = tuple[bytes, bytes]  # name, bytes in the pack


def varint(number: int) -> bytes:
    """A number as deltas begin with."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def head(kind: int, size: int) -> bytes:
    first, rest = kind << 4 | size & 15, size >> 4
    return bytes([first | 0x80 * bool(rest)]) + (varint(rest) if rest else b"")


def whole(content: bytes, name: bytes | None = None) -> Entry:
    return name or bytes.fromhex(blob_id(content)), head(BLOB, len(content)) + zlib.compress(content)


def delta(name: bytes, base: bytes, steps: bytes, sizes: tuple[int, int]) -> Entry:
    """A delta of a named base, with these sizes of the base and of what is made."""
    content = varint(sizes[0]) + varint(sizes[1]) + steps
    return name, head(NAMED, len(content)) + base + zlib.compress(content)


def copy(start: int, length: int) -> bytes:
    return bytes([0x80 | 0x0F | 0x70]) + struct.pack("<I", start) + struct.pack("<I", length)[:3]


def write(folder: Path, entries: list[Entry], first_version: bool = False) -> Path:
    """A pack of these entries → its index."""
    folder.mkdir(parents=True, exist_ok=True)
    data, places = b"PACK" + struct.pack(">II", 2, len(entries)), {}
    for name, entry in entries:
        places[name] = len(data)
        data += entry
    data += hashlib.sha1(data).digest()
    names = sorted(places)
    fanout = struct.pack(">256I", *(sum(name[0] <= byte for name in names) for byte in range(256)))
    if first_version:
        index = fanout + b"".join(struct.pack(">I", places[name]) + name for name in names)
    else:
        index = git_packs.MAGIC + fanout + b"".join(names) + bytes(4 * len(names))
        index += b"".join(struct.pack(">I", places[name]) for name in names)
    (folder / "pack-1.pack").write_bytes(data)
    (folder / "pack-1.idx").write_bytes(index + data[-20:] + bytes(20))
    return folder / "pack-1.idx"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, tuple[int, bytes]]]:
    """The index of a pack with versions of files, and what libgit2 reads of it: name → (kind, content)."""
    repository = pygit2.init_repository(str(tmp_path_factory.mktemp("packed")), initial_head="main")
    draw = random.Random(7)
    lines = [f"    int f{number}() {{ return {draw.random()}; }}" for number in range(300)]
    parents: list[pygit2.Oid] = []
    for version in range(30):
        lines[draw.randrange(300)] = f"    // version {version}"
        del lines[draw.randrange(250)]
        builder = repository.TreeBuilder()
        builder.insert("A.java", repository.create_blob("\n".join(lines).encode()), pygit2.enums.FileMode.BLOB)
        builder.insert(f"B{version}.java", repository.create_blob(b"class B { }"), pygit2.enums.FileMode.BLOB)
        parents = [repository.create_commit("HEAD", WHO, WHO, str(version), builder.write(), parents)]
    folder = Path(repository.path, "objects/pack")
    repository.pack()
    there = pygit2.Odb()
    there.add_backend(pygit2.OdbBackendPack(str(folder.parent)), 1)
    (index,) = folder.glob("*.idx")
    return index, {str(name): (int(there.read(name)[0]), there.read(name)[1]) for name in there}


def entries_of(pack: Pack, names: list[str]) -> dict[str, tuple[int, bytes]]:
    places = {name: pack.find(bytes.fromhex(name)) for name in names}
    assert None not in places.values()
    return {name: pack.read(place) for name, place in places.items() if place is not None}


def test_objects_are_what_libgit2_reads(packed: tuple[Path, dict[str, tuple[int, bytes]]]) -> None:
    index, objects = packed
    names = random.Random(1).sample(sorted(objects), len(objects))
    assert len(objects) > 80 and index.with_suffix(".pack").stat().st_size < 60_000  # as deltas
    pack = Pack(index)
    assert entries_of(pack, names) == objects == entries_of(pack, names)
    for name, (kind, content) in objects.items():
        place = Pack(index).find(bytes.fromhex(name))
        assert place is not None and pack.header(place) == (kind, len(content))
        assert pack.beginning(name[:12]) == [name]
    assert len(pack.beginning("")) == 2 and pack.find(bytes(20)) is None is pack.find(b"\xff" * 20)


def test_little_is_kept_of_what_was_unpacked(
    packed: tuple[Path, dict[str, tuple[int, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, objects = packed
    for most in (0, 20_000):
        monkeypatch.setattr(git_packs, "KEPT_BYTES", most)
        pack = Pack(index)
        assert entries_of(pack, list(objects)) == objects and pack._kept_bytes <= most


def test_an_index_of_the_first_version(tmp_path: Path) -> None:
    pack = Pack(write(tmp_path, [whole(WANTED), whole(b"class B { }")], first_version=True))
    place = pack.find(NAME)
    assert place is not None and pack.read(place) == (BLOB, WANTED) and pack.find(bytes(20)) is None


LARGE = WANTED + bytes(git_packs.MOST_BYTES)
OTHER, BASE = b"\1" * 20, b"\2" * 20
HOSTILE = {
    "itself": [delta(NAME, NAME, copy(0, 11), (11, 11))],
    "each other": [delta(NAME, OTHER, copy(0, 11), (11, 11)), delta(OTHER, NAME, copy(0, 11), (11, 11))],
    "large base": [whole(LARGE, BASE), delta(NAME, BASE, copy(0, 11), (len(LARGE), 11))],
    "no base": [delta(NAME, OTHER, copy(0, 11), (11, 11))],
    "grows": [
        whole(WANTED + bytes(0xFFFF - 11), BASE),
        delta(OTHER, BASE, copy(0, 0xFFFF) * 1100, (0xFFFF, 0xFFFF * 1100)),
        delta(NAME, OTHER, copy(0, 11), (0xFFFF * 1100, 11)),
    ],
    "steps": [
        whole(WANTED, BASE),
        delta(OTHER, BASE, b"\1x" * (git_packs.MOST_STEPS + 1), (11, git_packs.MOST_STEPS + 1)),
        delta(NAME, OTHER, copy(0, 11), (git_packs.MOST_STEPS + 1, 11)),
    ],
    "nothing is copied": [whole(WANTED, BASE), delta(NAME, BASE, b"\0" * 50, (11, 11))],
    "beyond the base": [whole(WANTED, BASE), delta(NAME, BASE, copy(5, 11), (11, 11))],
    "another base": [whole(WANTED, BASE), delta(NAME, BASE, copy(0, 11), (12, 11))],
    "another size": [whole(WANTED, BASE), delta(NAME, BASE, copy(0, 11), (11, 12))],
    "cut delta": [whole(WANTED, BASE), delta(NAME, BASE, copy(0, 11)[:-1], (11, 11))],
    "cut": [(NAME, head(BLOB, 11) + zlib.compress(WANTED)[:-7])],
    "smaller": [(NAME, head(BLOB, 10) + zlib.compress(WANTED))],
    "larger": [(NAME, head(BLOB, 12) + zlib.compress(WANTED))],
    "endless size": [(NAME, bytes([BLOB << 4 | 0x80]) + b"\xff" * 30)],
    "before the pack": [(NAME, head(SHIFTED, 11) + b"\xfe\xfe\x7f" + zlib.compress(b"\x0b\x0b" + copy(0, 11)))],
    "itself, shifted": [(NAME, head(SHIFTED, 11) + b"\0" + zlib.compress(b"\x0b\x0b" + copy(0, 11)))],
    "no kind": [(NAME, head(5, 11) + zlib.compress(WANTED))],
    "not compressed": [(NAME, head(BLOB, 11) + b"x" * 50)],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_not_whole_or_too_much_is_not_there(what: str, tmp_path: Path) -> None:
    repository = pygit2.init_repository(str(tmp_path))
    write(Path(repository.path) / "objects/pack", HOSTILE[what])
    began = time.process_time()
    with pytest.raises(ProjectError, match=r"A\.java cannot be read: .* has no object"):
        Project(tmp_path).source.read("A.java", NAME.hex())
    assert time.process_time() - began < 10
    (Path(repository.path) / "objects/pack/multi-pack-index").write_bytes(b"MIDX" + bytes(100))
    with pytest.raises(ProjectError, match=r"A\.java cannot be read"):
        Project(tmp_path).source.read("A.java", NAME.hex())


def test_a_long_chain_of_deltas_is_read_and_an_endless_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [bytes([number % 256, number // 256]) * 10 for number in range(1, 300)]
    entries = [whole(WANTED, names[0])]
    entries += [delta(name, base, copy(0, 11), (11, 11)) for base, name in itertools.pairwise(names)]
    index = write(tmp_path, entries)
    place = Pack(index).find(names[-1])
    assert place is not None and Pack(index).read(place) == (BLOB, WANTED)
    monkeypatch.setattr(git_packs, "MOST_DELTAS", 200)
    for what in (Pack.read, Pack.header):
        with pytest.raises(BadPack, match="too many others"):
            what(Pack(index), place)
    monkeypatch.setattr(git_packs, "MOST_DELTAS", 400)
    monkeypatch.setattr(git_packs, "MOST_UNPACKED", 2000)
    with pytest.raises(BadPack, match="too much"):
        Pack(index).read(place)


def test_bytes_exchanged_by_chance_end_in_a_sentence(
    packed: tuple[Path, dict[str, tuple[int, bytes]]], tmp_path: Path
) -> None:
    index, objects = packed
    files = {suffix: index.with_suffix(suffix).read_bytes() for suffix in (".idx", ".pack")}
    draw, read = random.Random(11), 0
    for _ in range(150):
        for suffix, data in files.items():
            changed = bytearray(data[: draw.choice((len(data), len(data), draw.randrange(1, len(data))))])
            for _ in range(draw.randrange(12)):
                changed[draw.randrange(len(changed))] = draw.randrange(256)
            (tmp_path / "a").with_suffix(suffix).write_bytes(changed)
        try:
            pack = Pack(tmp_path / "a.idx")
        except ValueError:
            continue
        for name in draw.sample(sorted(objects), 5):
            place = pack.find(bytes.fromhex(name))
            for what in (pack.read, pack.header):
                try:
                    read += place is not None and what(place) is not None
                except BadPack:
                    continue
    assert read > 100
