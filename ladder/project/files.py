"""Snapshots of a project: which files of a front end it has at a point, as paths relative to the project with git blob
ids of their contents.

A project is a git work tree, a folder inside one, a bare repository, a plain directory, or an archive (see `archives`).
`snapshot` lists the present work tree (tracked and untracked files, without those that git ignores), `revision` a
commit. Both identify contents in the same way, so that a clean checkout and its commit give equal files, but for two
kinds that only the work tree has: files of submodules that are checked out, and sources that a build has generated. git
itself need not be installed.

A project is not trusted: links and repository settings that lead outside of it are not followed (see `repositories`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import shlex
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.errors import ProjectError
from ladder.frontends.protocol import FrontEnd
from ladder.frontends.registry import FRONT_ENDS
from ladder.frontends.registry import front_end as front_end_named
from ladder.project import archives
from ladder.project.repositories import mend_of, opened_at, refuse_rules, repository_of
from ladder.support.files import open_no_link, without_links

if TYPE_CHECKING:
    from ladder.project.stat_cache import StatCache

NEVER = frozenset((".git", ".ladder", ".hg", ".svn"))
MAIN = ("origin/HEAD", "origin/main", "origin/master", "main", "master", "trunk")  # names of main branches
MOST_BYTES = 32 << 20  # of a file; larger ones are reported as unreadable
MOST_ENTRIES = 2_000_000  # of a revision's trees, which may name one another many times
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class TooLarge(ProjectError):
    """Raised for a file, or a version of it in git, that is larger than the limit for reading."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the file has {size} bytes; files of more than {MOST_BYTES} are not read")


@dataclass(frozen=True)
class Snapshot:
    """The files of a project at one point: `(path, blob id)` sorted by path.

    `commit`: the requested commit, or HEAD of the work tree; `changed`: how many files differ from it (None outside
    git); `unreadable`: `(path, reason)` of files that exist but cannot be read; `skipped`: `(path, reason)` of
    submodules and other repositories whose files are not among them; `excluded`: how many files are left out because
    the user says so.
    """

    files: tuple[tuple[str, str], ...]
    commit: str | None = None
    unreadable: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    excluded: int = 0

    @property
    def id(self) -> str:
        """The id of the snapshot, which depends on its files alone."""
        digest = hashlib.sha1(usedforsecurity=False)
        for path, blob in self.files:
            digest.update(f"{path}\0{blob}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


@dataclass(frozen=True)
class Source:
    """Reads the contents of files of a project; it can be sent to another process.

    `git`: the repository's git directory ("" outside git); `root`: the directory to which paths are relative;
    `archive`: the archive in which the files are.
    """

    root: str
    git: str = ""
    archive: str = ""

    def read(self, path: str, blob: str) -> bytes:
        """The bytes of a blob: of the file if it still has this content, else of git's object; `ProjectError` if
        neither has it."""
        blob = blob.partition(":")[0]  # of a page its path follows (`_version`)
        try:
            data, reason = self._present(path), "it is not there"
        except OSError as error:
            data, reason = None, error.strerror or str(error)
        if data is not None:
            if blob_id(data) == blob:
                return data
            reason = "it changed while it was being read"
        stored = _stored(self.git, blob) if self.git else None
        if stored is None or blob_id(stored) != blob:  # a repository may say anything
            if stored is not None:
                reason = "git has something else under its name"
            elif self.git:
                reason += f", and its repository has no object {blob}"
            fetched = "; where this is a partial clone, `git fetch --refetch --no-filter` first"
            raise ProjectError(
                f"{path} cannot be read: {reason}.", f"Run the analysis again{fetched if self.git else ''}."
            )
        return stored

    def _present(self, path: str) -> bytes | None:
        """The bytes of a file as it is now."""
        if self.archive:
            return archives.read(Path(self.archive), path)
        return read_below(self.root, path) if self.root else None


class Project:
    """A directory, repository or archive from which a front end's files are read."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        front_end: FrontEnd | None = None,
        *,
        with_generated: bool = True,
        exclude: Sequence[str] = (),
    ) -> None:
        """Determine what `path` is; `ProjectError` if it cannot be analysed.

        `front_end`: the one whose files are listed, by default the one that reads what is there (see `chosen`);
        `with_generated`: whether sources that a build has generated are; `exclude`: patterns as in a `.gitignore` at
        the root, of files that are not.
        """
        self.with_generated = with_generated
        self._exclude = _patterns(exclude)
        self.root = without_links(path)
        self.front_end = front_end or chosen(self.root)
        kinds = archives_of(self.front_end)
        self._hint = f"Name the directory of a {self.front_end.language} project{', or an archive' if kinds else ''}."
        if not self.root.exists():
            raise ProjectError(f"There is no project at {path}.", self._hint)
        self.archive = self.root.is_file() and self.root.name.endswith(kinds)
        if not self.root.is_dir() and not self.archive:
            raise ProjectError(
                f"{path} is not a directory{f' or an archive ({_kinds(kinds)})' if kinds else ''}.", self._hint
            )
        self.repository = None if self.archive else repository_of(self.root)
        self.bare = self.repository is not None and self.repository.workdir is None
        self.prefix = ""
        if self.repository is not None and not self.bare:
            self.prefix = "/".join(self.root.relative_to(without_links(self.repository.workdir)).parts)
            if self.prefix and not self._tracked() and _is_ignored(self.repository, self.prefix):
                self.repository, self.prefix = None, ""

    @property
    def _kind(self) -> str:
        return f"{self.front_end.language} files ({_kinds(self.front_end.suffixes)})"

    @property
    def source(self) -> Source:
        """The source of the contents of this project's snapshots."""
        if self.archive:
            return Source("", archive=str(self.root))
        return Source("" if self.bare else str(self.root), self.repository.path if self.repository else "")

    def snapshot(self, cache: StatCache | None = None) -> Snapshot:
        """The present files; with `cache`, only files that are new or were modified are read."""
        if self.bare:
            return self.revision("HEAD")
        if self.archive:
            return self._in_archive(cache)
        files: list[tuple[str, str]] = []
        unreadable: list[tuple[str, str]] = []
        skipped: list[tuple[str, str]] = []
        excluded = 0
        for path in self._paths(self._is_source, unreadable, skipped):
            if self.is_excluded(path):
                excluded += 1
                continue
            if not _is_text(path):
                unreadable.append(_misnamed(path))
                continue
            try:
                file = self.root / path
                status = file.lstat()
                if not stat.S_ISREG(status.st_mode):
                    continue
                blob = cache.get(path, status) if cache else None
                if blob is None:
                    blob = blob_id(read_below(str(self.root), path))
                    if cache:
                        cache.put(path, status, blob)
            except FileNotFoundError:
                continue
            except OSError as error:
                unreadable.append((path, f"the file cannot be read: {error.strerror}"))
            else:
                files.append((path, self._version(path, blob)))
        if not files and not unreadable:
            left_out = " that git does not ignore" if self.repository else ""
            raise _nothing(f"{self.root} has no {self._kind}{left_out}", excluded, self._hint)
        return Snapshot(tuple(sorted(files)), self.head(), tuple(unreadable), tuple(sorted(skipped)), excluded)

    def _version(self, path: str, blob: str) -> str:
        """What the facts of a file depend on: the id of its content; of pages, which have no name but by their paths,
        the path, too."""
        pages: tuple[str, ...] = getattr(self.front_end, "pages", ())
        if not pages or not path.endswith(pages):
            return blob
        return f"{blob}:{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"

    def _is_source(self, path: str) -> bool:
        return path.endswith(self.front_end.suffixes) and not any(
            f"/{folder}/" in f"/{path}" for folder in getattr(self.front_end, "of_tools", ())
        )

    def _paths(
        self, wanted: Callable[[str], bool], unreadable: list[tuple[str, str]], skipped: list[tuple[str, str]]
    ) -> Iterator[str]:
        """The paths of the wanted files that are present."""
        generated = self.front_end.generated if self.with_generated else ()
        rules = None
        if self.repository:
            tracked = frozenset(filter(wanted, self._in_index()))
            rules = Rules(tracked, self._submodules(), self._ignored, generated)
        listing = Listing(self.root, wanted, rules, unreadable, skipped)
        for path in listing.paths():
            if self.with_generated or not self.is_generated(path):
                yield path
        for module in sorted(self._submodules() - listing.entered) if self.repository else ():
            skipped.append((module, "a submodule that is not checked out; `git submodule update --init` does it"))

    def is_generated(self, path: str) -> bool:
        """Whether a path leads into a folder for sources that a build generates."""
        return any(f"/{folder}/" in f"/{path}" for folder in self.front_end.generated)

    def is_excluded(self, path: str) -> bool:
        """Whether the user has said that a file is left out."""
        return self._exclude is not None and self._exclude.match_file(path)

    def resources(self, wanted: Callable[[str], bool]) -> dict[str, str]:
        """path → blob id of the present files beside the sources that are wanted. Those that cannot be read, or that
        git ignores, are left out."""
        if self.bare:
            with _reading(self.root):
                there = _tree_files(self._commit("HEAD").tree, "HEAD", wanted, [])
                return dict(sorted(file for file in there if not self.is_excluded(file[0])))
        found = {}
        if self.archive:
            for path, _ in archives.listing(self.root, self._included(wanted), MOST_BYTES).files:
                with suppress(OSError):
                    found[path] = blob_id(archives.read(self.root, path))
            return found
        for path in self._paths(self._included(wanted), [], []):
            with suppress(OSError):
                if _is_text(path) and stat.S_ISREG((self.root / path).lstat().st_mode):
                    found[path] = blob_id(read_below(str(self.root), path))
        return dict(sorted(found.items()))

    def _included(self, wanted: Callable[[str], bool]) -> Callable[[str], bool]:
        return lambda path: wanted(path) and not self.is_excluded(path)

    def _in_archive(self, cache: StatCache | None) -> Snapshot:
        """The files of the archive; with `cache`, they are read only if the archive looks different from before."""
        status = archives.status_of(self.root)
        found = archives.listing(self.root, self._is_source, MOST_BYTES)
        files: list[tuple[str, str]] = []
        unreadable = [entry for entry in found.left_out if not self.is_excluded(entry[0])]
        included = [path for path, _ in found.files if not self.is_excluded(path)]
        excluded = len(found.files) - len(included)
        for path in included:
            blob = cache.get(path, status) if cache else None
            if blob is None:
                try:
                    blob = blob_id(archives.read(self.root, path))
                except OSError as error:
                    unreadable.append((path, f"the file cannot be read: {error.strerror}"))
                    continue
                if cache:
                    cache.put(path, status, blob)
            files.append((path, self._version(path, blob)))
        if not files and not unreadable:
            raise _nothing(f"{self.root} has no {self._kind}", excluded, self._hint)
        return Snapshot(tuple(files), None, tuple(unreadable), excluded=excluded)

    def revision(self, name: str) -> Snapshot:
        """The files of a commit, tag or branch; `ProjectError` if there is none with this name."""
        commit = self._commit(name)
        with _reading(self.root):
            tree = commit.tree
            if self.prefix and self.prefix not in tree:
                raise ProjectError(
                    f"Revision {name} has no directory {self.prefix}.", "Name a revision in which the project exists."
                )
            modules: list[str] = []
            top = tree[self.prefix] if self.prefix else tree
            there = sorted(_tree_files(top, name, self._is_source, modules))
        found = [file for file in there if not self.is_excluded(file[0])]
        excluded = len(there) - len(found)
        files = tuple(
            (path, self._version(path, blob))
            for path, blob in found
            if _is_text(path) and (self.with_generated or not self.is_generated(path))
        )
        if not files:
            raise _nothing(f"Revision {name} has no {self._kind}", excluded, "Name a revision that has some.")
        unreadable = tuple(_misnamed(path) for path, _ in found if not _is_text(path))
        skipped = tuple((path, "a submodule, of whose files a commit has none") for path in sorted(modules))
        return Snapshot(files, str(commit.id), unreadable, skipped, excluded)

    def base(self) -> str:
        """The commit where the work checked out left the main branch, which is the first that there is of `MAIN`;
        `ProjectError` if there is none."""
        if self.repository is None or (head := self.head()) is None:
            raise ProjectError(
                f"{self.root} has no commit to compare with.", "Name one with --baseline-commit, in a git work tree."
            )
        import pygit2

        with _reading(self.root):
            for name in MAIN:
                try:
                    main = self.repository.revparse_single(name).peel(pygit2.Commit)
                except (KeyError, ValueError, pygit2.GitError):
                    continue
                found = self.repository.merge_base(pygit2.Oid(hex=head), main.id)
                if found is not None:
                    return str(found)
        raise ProjectError(
            f"{self.root} has no branch {' or '.join(MAIN)} with which HEAD has a commit in common.",
            "Name the commit to compare with: --baseline-commit REV.",
        )

    def head(self) -> str | None:
        """The commit that is checked out; None outside git and before the first commit."""
        with _reading(self.root):
            if self.repository is None or self.repository.head_is_unborn:
                return None
            return str(self.repository.head.target)

    def describe(self) -> str:
        """Branch and short commit id for messages, or "directory"."""
        if self.archive:
            return "archive"
        head = self.head()
        if head is None or self.repository is None:
            return "directory" if self.repository is None else "no commit yet"
        with _reading(self.root):
            detached = self.repository.head_is_detached
            return head[:10] if detached else f"{self.repository.head.shorthand} {head[:10]}"

    def tracks(self, folder: Path) -> bool:
        """Whether git's index has files below a folder."""
        if self.repository is None or self.bare:
            return False
        inside = os.path.relpath(os.path.realpath(folder), os.path.realpath(self.repository.workdir)).replace(
            os.sep, "/"
        )
        with _reading(self.root):
            self.repository.index.read(False)
            return any(entry.path.startswith(f"{inside}/") for entry in self.repository.index)

    def _commit(self, name: str) -> Any:
        if self.repository is None:
            raise ProjectError(
                f"{self.root} is not under git, so it has no revision {name}.",
                "Leave the revision out, or analyse a git work tree.",
            )
        import pygit2

        try:
            return self.repository.revparse_single(name).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError, OSError):
            raise ProjectError(
                f"The repository of {self.root} has no revision {name}.",
                "`git log` and `git branch -a` list what there is; a shallow clone lacks old commits.",
            ) from None

    def _tracked(self) -> bool:
        """Whether some of the front end's files are in git's index."""
        return any(map(self._is_source, self._in_index()))

    @cache  # noqa: B019 - one project per process
    def _in_index(self) -> frozenset[str]:
        """The files in git's index, relative to the root."""
        assert self.repository is not None
        import pygit2

        inside = f"{self.prefix}/" if self.prefix else ""
        try:
            self.repository.index.read(False)
            return frozenset(
                entry.path[len(inside) :] for entry in self.repository.index if entry.path.startswith(inside)
            )
        except pygit2.GitError as error:
            otherwise = f"`rm {shlex.quote(self.repository.path)}index && git reset` makes it anew."
            raise ProjectError(
                f"git's index of {self.root} cannot be read: {error}.", mend_of(error, otherwise)
            ) from None

    @cache  # noqa: B019 - one project per process
    def _submodules(self) -> frozenset[str]:
        """The submodules in git's index, relative to the root: paths that name a commit of another repository.

        What `.gitmodules` says of them is not needed, since nothing is fetched.
        """
        import pygit2

        inside = f"{self.prefix}/" if self.prefix else ""
        with _reading(self.root):
            assert self.repository is not None
            return frozenset(
                entry.path[len(inside) :]
                for entry in self.repository.index
                if entry.mode == pygit2.enums.FileMode.COMMIT and entry.path.startswith(inside) and _is_text(entry.path)
            )

    def _ignored(self, path: str) -> bool:
        assert self.repository is not None
        return _is_ignored(self.repository, f"{self.prefix}/{path}" if self.prefix else path)


def archives_of(front_end: FrontEnd) -> tuple[str, ...]:
    """The suffixes of the archives whose files a front end reads."""
    found: tuple[str, ...] = getattr(front_end, "archives", ())
    return found


def chosen(root: Path) -> FrontEnd:
    """The front end for what is there: the first one that reads such an archive, or has a file below the directory; the
    default one if none has."""
    candidates = [front_end_named(name) for name in FRONT_ENDS]
    if root.is_file():
        return next((each for each in candidates if root.name.endswith(archives_of(each))), candidates[0])
    default = front_end_named()
    best = len(candidates)
    for _, folders, names in os.walk(root):
        folders[:] = [folder for folder in folders if folder not in NEVER]
        for index, each in enumerate(candidates[:best]):
            if any(name.endswith(each.suffixes) for name in names):
                best = index
                break
        if best == 0:
            break
    return candidates[best] if best < len(candidates) else default


def _nothing(what: str, excluded: int, hint: str) -> ProjectError:
    """The error for a project or revision without files, of which so many are excluded."""
    if excluded:
        return ProjectError(f"{what} but the {excluded:,} that --exclude leaves out.", "Exclude fewer of them.")
    return ProjectError(f"{what}.", hint)


def _patterns(exclude: Sequence[str]) -> Any:
    """What files are matched with, None where there is no pattern; `ProjectError` for a text that is none, or that
    matches nothing whatever there is."""
    if not exclude:
        return None
    import pathspec

    for text in exclude:
        try:
            if not any(pattern.include is not None for pattern in pathspec.GitIgnoreSpec.from_lines([text]).patterns):
                raise ValueError(text)
        except ValueError:
            raise ProjectError(
                f"{text!r} is no pattern of files.", "--exclude takes patterns as in a .gitignore, like src/test/."
            ) from None
    return pathspec.GitIgnoreSpec.from_lines(exclude)


def _kinds(suffixes: tuple[str, ...]) -> str:
    return ", ".join(f"*{suffix}" for suffix in suffixes)


def blob_id(data: bytes) -> str:
    """The blob id that git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def read_below(root: str, path: str) -> bytes:
    """The bytes of a regular file at a path below `root`; OSError for other kinds of files, for paths with links, and
    for files that are too large.

    Each part of the path is opened relative to the folder that was opened before it, so that nothing can be replaced
    between checks.
    """
    *folders, name = path.split("/")
    if any(part in ("", ".", "..") for part in (*folders, name)):
        raise OSError(errno.EINVAL, "its path leads elsewhere", path)
    at = os.open(root, _FOLDER | getattr(os, "O_CLOEXEC", 0))
    try:
        for folder in folders:
            inner = open_no_link(folder, _FOLDER, folder=at)
            os.close(at)
            at = inner
        descriptor = open_no_link(name, folder=at)
    finally:
        os.close(at)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", path)
        data = file.read(MOST_BYTES + 1) if status.st_size <= MOST_BYTES else b""
        if max(status.st_size, len(data)) > MOST_BYTES:
            raise OSError(
                errno.EFBIG,
                f"it has {max(status.st_size, len(data))} bytes; files of more than {MOST_BYTES} are not read",
                path,
            )
        return data


@dataclass(frozen=True)
class Rules:
    """Which files of a work tree are listed: those that are `tracked`, or not `ignored(path)`; those of `submodules`,
    and those in folders for `generated` sources."""

    tracked: frozenset[str]
    submodules: frozenset[str]
    ignored: Callable[[str], bool]
    generated: tuple[str, ...]

    @cached_property
    def within(self) -> frozenset[str]:
        """The folders that lead to a file that is tracked, or to a submodule."""
        return frozenset(folder for path in (*self.tracked, *self.submodules) for folder in _parents(path))


@dataclass
class Listing:
    """The wanted files below `root`, without rules all of them; links are not followed.

    `unreadable` and `skipped` get the folders that cannot be read, and other repositories; `entered` are the submodules
    whose files are listed.
    """

    root: Path
    wanted: Callable[[str], bool]
    rules: Rules | None
    unreadable: list[tuple[str, str]]
    skipped: list[tuple[str, str]]
    entered: set[str] = field(default_factory=set)

    def paths(self) -> Iterator[str]:
        """The paths, relative to the root, in no order."""
        folders = [("", self.rules)]
        while folders:
            folder, rules = folders.pop()
            entries = self._entries(folder)
            if rules is not None and folder in rules.submodules and entries:
                self.entered.add(folder)
            elif folder and rules is not None and any(entry.name == ".git" for entry in entries):
                if _is_text(folder):
                    self.skipped.append((folder, "a repository of its own, and no submodule"))
                continue
            for entry in entries:
                if rules is not None and entry.name == ".gitignore":
                    refuse_rules(Path(entry.path), self.root)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in NEVER:
                        folders += self._below(path, rules)
                elif self.wanted(path) and _is_listed(path, rules):
                    yield path

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            return list(os.scandir(self.root / folder))
        except OSError as error:
            if not folder:
                raise ProjectError(
                    f"{self.root} cannot be read: {error.strerror}.", "Look at its permissions."
                ) from None
            name = folder if _is_text(folder) else _misnamed(folder)[0]
            self.unreadable.append((name, f"the folder cannot be read: {error.strerror}"))
            return []

    def _below(self, path: str, rules: Rules | None) -> Iterator[tuple[str, Rules | None]]:
        """The folder at a path, or of one that git ignores those with generated sources, of which all files count."""
        if rules is None or path in rules.within or path in rules.submodules or not rules.ignored(path + "/"):
            yield path, rules
            return
        name = path.rpartition("/")[2]
        for generated in rules.generated:
            first, _, rest = generated.partition("/")
            if f"/{path}".endswith(f"/{generated}"):
                yield path, None
            elif name == first and _is_folder(self.root / path / rest):
                yield f"{path}/{rest}", None


def _is_listed(path: str, rules: Rules | None) -> bool:
    return rules is None or path in rules.tracked or not rules.ignored(path)


def _is_ignored(repository: Any, path: str) -> bool:
    """Whether git's rules leave out a path. One that is not UTF-8, which pygit2 refuses, is asked about with `?` for
    each byte that does not fit: rules about other parts of it hold."""
    return bool(repository.path_is_ignored(path.encode(errors="replace").decode()))


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _misnamed(path: str) -> tuple[str, str]:
    return os.fsencode(path).decode(errors="backslashreplace"), "the file's name is not UTF-8"


def _parents(path: str) -> Iterator[str]:
    """The folders that contain a path, innermost first: a/b/C.java → a/b, a."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _tree_files(
    tree: Any, revision: str, wanted: Callable[[str], bool], modules: list[str]
) -> Iterator[tuple[str, str]]:
    """Iterate over (path, blob id) of the wanted files in a git tree; links are left out, and so are submodules, whose
    paths are added to `modules`."""
    import pygit2

    folders, seen = [("", tree)], 0
    while folders:
        folder, tree = folders.pop()
        for entry in tree:
            seen += 1
            if seen > MOST_ENTRIES:
                raise ProjectError(
                    f"Revision {revision} has more than {MOST_ENTRIES:,} files and folders.",
                    "Name a folder of the project.",
                )
            path = f"{folder}{entry.name}"
            if entry.filemode == pygit2.enums.FileMode.TREE:
                if entry.name not in NEVER:
                    folders.append((path + "/", entry))
            elif entry.filemode == pygit2.enums.FileMode.COMMIT:
                if _is_text(path):
                    modules.append(path)
            elif wanted(path) and entry.filemode in (
                pygit2.enums.FileMode.BLOB,
                pygit2.enums.FileMode.BLOB_EXECUTABLE,
            ):
                yield path, str(entry.id)


@contextmanager
def _reading(root: Path) -> Iterator[None]:
    """A block in which errors of git's library are raised as `ProjectError`."""
    import pygit2

    try:
        yield
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise ProjectError(f"The git repository of {root} cannot be read: {error}.", "`git fsck` says more.") from None


@cache
def _open(git: str) -> Any:
    return opened_at(git)


def _stored(git: str, blob: str) -> bytes | None:
    """The content of a blob in the repository's database; None if it does not exist or cannot be read.

    Raises `TooLarge` for more than `MOST_BYTES`, without reading them.
    """
    import pygit2

    try:
        kind, size = _open(git).odb.read_header(blob)
        if kind != pygit2.enums.ObjectType.BLOB:
            return None
        if size > MOST_BYTES:
            raise TooLarge(size)
        return bytes(_open(git)[blob].data)
    except (pygit2.GitError, KeyError, ValueError):
        return None
