"""Which Java files a project has at a point: bytes, named by their git blob id, at paths relative to the project.

A project is a git work tree, a folder inside one, a bare repository, or a plain directory. `snapshot` lists the work
tree as it stands (tracked and untracked files, ignored ones left out as git says), `revision` a commit. Both name
contents alike, so a clean checkout and its commit give equal files. git itself need not be installed.
"""
from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.errors import ProjectError

if TYPE_CHECKING:
    from ladder.stat_cache import StatCache

SUFFIX = ".java"
NEVER = frozenset((".git", ".ladder", ".hg", ".svn"))


@dataclass(frozen=True)
class Snapshot:
    """The Java files of a project at one point: `(path, blob id)` sorted by path.

    `commit` is the commit asked for, or HEAD of the work tree; `changed` counts the files that differ from it (None
    outside git). `unreadable` holds `(path, reason)` of files that are there and cannot be read.
    """

    files: tuple[tuple[str, str], ...]
    commit: str | None = None
    unreadable: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        """A name that depends on the files alone."""
        digest = hashlib.sha1(usedforsecurity=False)
        for path, blob in self.files:
            digest.update(f"{path}\0{blob}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


@dataclass(frozen=True)
class Source:
    """Reads the bytes of a file of a project; can be sent to another process.

    `git` is the repository's git directory ("" outside git), `root` the directory that paths are relative to.
    """

    root: str
    git: str = ""

    def read(self, path: str, blob: str) -> bytes:
        """The bytes of that blob: of the file, when it still has them, or of git's object; `ProjectError` when neither."""
        try:
            data = Path(self.root, path).read_bytes() if self.root else None
        except OSError as error:
            data, reason = None, error.strerror
        else:
            reason = "it changed while it was being read"
        if data is not None and blob_id(data) == blob:
            return data
        stored = _stored(self.git, blob) if self.git else None
        if stored is None:
            raise ProjectError(f"{path} cannot be read: {reason}.", "Run the analysis again.")
        return stored


class Project:
    """A directory or repository that Java files are read from."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Find out what `path` is; `ProjectError` when it is nothing that can be analysed."""
        self.root = Path(path).resolve()
        if not self.root.exists():
            raise ProjectError(f"There is no project at {path}.", "Name the directory of a Java project.")
        if not self.root.is_dir():
            raise ProjectError(f"{path} is not a directory.", "Name the directory of a Java project.")
        self.repository = _repository(self.root)
        self.bare = self.repository is not None and self.repository.workdir is None
        self.prefix = ""
        if self.repository is not None and not self.bare:
            self.prefix = self.root.relative_to(Path(self.repository.workdir).resolve()).as_posix().removeprefix(".")
            if self.prefix and not self._tracked() and self.repository.path_is_ignored(self.prefix):
                self.repository, self.prefix = None, ""

    @property
    def source(self) -> Source:
        """Where the bytes of this project's snapshots come from."""
        return Source("" if self.bare else str(self.root), self.repository.path if self.repository else "")

    def snapshot(self, cache: StatCache | None = None) -> Snapshot:
        """The files as they stand now; with `cache`, only files that are new or touched are read."""
        if self.bare:
            return self.revision("HEAD")
        paths = _listed(self.root, self._tracked(), self._ignored) if self.repository else _listed(self.root)
        files, unreadable = [], []
        for path in paths:
            try:
                path.encode()
                file = self.root / path
                status = file.lstat()
                if not stat.S_ISREG(status.st_mode):
                    continue
                blob = cache.get(path, status) if cache else None
                if blob is None:
                    blob = blob_id(file.read_bytes())
                    if cache:
                        cache.put(path, status, blob)
            except FileNotFoundError:
                continue
            except OSError as error:
                unreadable.append((path, f"the file cannot be read: {error.strerror}"))
            except UnicodeEncodeError:
                unreadable.append((path.encode(errors="backslashreplace").decode(), "the file's name is not UTF-8"))
            else:
                files.append((path, blob))
        if not files and not unreadable:
            raise ProjectError(f"{self.root} has no Java files (*{SUFFIX}).", "Name the directory of a Java project.")
        return Snapshot(tuple(sorted(files)), self.head(), tuple(unreadable))

    def revision(self, name: str) -> Snapshot:
        """The files of a commit, tag or branch; `ProjectError` when there is none of that name."""
        commit = self._commit(name)
        tree = commit.tree
        if self.prefix:
            try:
                tree = tree[self.prefix]
            except KeyError:
                raise ProjectError(f"Revision {name} has no directory {self.prefix}.",
                                   "Name a revision in which the project exists.") from None
        files = tuple(sorted(_tree_files(tree)))
        if not files:
            raise ProjectError(f"Revision {name} has no Java files (*{SUFFIX}).", "Name a revision that has some.")
        return Snapshot(files, str(commit.id))

    def head(self) -> str | None:
        """The commit that is checked out; None outside git and before the first commit."""
        if self.repository is None or self.repository.head_is_unborn:
            return None
        return str(self.repository.head.target)

    def describe(self) -> str:
        """Branch and short commit for people, or "directory"."""
        head = self.head()
        if head is None or self.repository is None:
            return "directory" if self.repository is None else "no commit yet"
        detached = self.repository.head_is_detached
        return head[:10] if detached else f"{self.repository.head.shorthand} {head[:10]}"

    def _commit(self, name: str) -> Any:
        if self.repository is None:
            raise ProjectError(f"{self.root} is not under git, so it has no revision {name}.",
                               "Leave the revision out, or analyse a git work tree.")
        import pygit2
        try:
            return self.repository.revparse_single(name).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError):
            raise ProjectError(f"The repository of {self.root} has no revision {name}.",
                               "`git log` and `git branch -a` list what there is; a shallow clone lacks old commits.") from None

    @cache  # noqa: B019 - one project per process
    def _tracked(self) -> frozenset[str]:
        """Java files in git's index, relative to the root."""
        assert self.repository is not None
        import pygit2
        inside = f"{self.prefix}/" if self.prefix else ""
        try:
            self.repository.index.read(False)
            return frozenset(entry.path[len(inside):] for entry in self.repository.index
                             if entry.path.endswith(SUFFIX) and entry.path.startswith(inside))
        except pygit2.GitError as error:
            raise ProjectError(f"git's index of {self.root} cannot be read: {error}.", "`git status` may mend it.") from None

    def _ignored(self, path: str) -> bool:
        assert self.repository is not None
        return bool(self.repository.path_is_ignored(f"{self.prefix}/{path}" if self.prefix else path))


def blob_id(data: bytes) -> str:
    """git's name for these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _repository(root: Path) -> Any:
    """The git repository that `root` is, or lies in; None outside git."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)) and not (root / "objects").is_dir():
        return None
    try:
        import pygit2
    except ImportError as error:
        raise ProjectError(f"{root} is under git and the Python package pygit2 cannot be loaded ({error}).",
                           "`pip install pygit2` brings it.") from None
    try:
        pygit2.option(pygit2.enums.Option.SET_OWNER_VALIDATION, False)
        found = pygit2.discover_repository(str(root))
        return pygit2.Repository(found) if found else None
    except (pygit2.GitError, KeyError) as error:
        raise ProjectError(f"The git repository of {root} cannot be opened: {error}.", "`git status` says more.") from None


def _listed(root: Path, tracked: frozenset[str] = frozenset(), ignored: Any = None) -> Iterator[str]:
    """Java files below `root`: the tracked ones and those that `ignored(path)` lets through; links are not followed."""
    within = {folder for path in tracked for folder in _parents(path)}
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(root / folder))
        except OSError as error:
            if not folder:
                raise ProjectError(f"{root} cannot be read: {error.strerror}.", "Look at its permissions.") from None
            continue
        if folder and ignored is not None and any(entry.name == ".git" for entry in entries):
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in NEVER and (path in within or ignored is None or not ignored(path + "/")):
                    folders.append(path)
            elif entry.name.endswith(SUFFIX) and (path in tracked or ignored is None or not ignored(path)):
                yield path


def _parents(path: str) -> Iterator[str]:
    """a/b/C.java → a/b, a."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _tree_files(tree: Any, folder: str = "") -> Iterator[tuple[str, str]]:
    """(path, blob id) of the Java files of a git tree; links and submodules are left out."""
    import pygit2
    for entry in tree:
        path = f"{folder}{entry.name}"
        if entry.filemode == pygit2.enums.FileMode.TREE:
            if entry.name not in NEVER:
                yield from _tree_files(entry, path + "/")
        elif entry.name.endswith(SUFFIX) and entry.filemode in (pygit2.enums.FileMode.BLOB,
                                                                pygit2.enums.FileMode.BLOB_EXECUTABLE):
            yield path, str(entry.id)


@cache
def _open(git: str) -> Any:
    import pygit2
    pygit2.option(pygit2.enums.Option.SET_OWNER_VALIDATION, False)
    return pygit2.Repository(git)


def _stored(git: str, blob: str) -> bytes | None:
    """The object of that name in the repository's database, or None."""
    found = _open(git).get(blob)
    return None if found is None else bytes(found.data)
