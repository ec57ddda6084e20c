"""The git repository of a project that is not trusted: it is checked before it is opened.

libgit2, which reads it, runs no hooks, filters or monitors. But a repository can refer to any file: its configuration
includes others and says where the work tree and rules for ignored files are; `.git` may be a file that names another
directory. A git directory outside of the work tree is only used if it refers back to it, as those of linked work trees
and submodules do. Anything else is rejected before libgit2 reads it, and so are pipes and devices, on which it would
block for ever.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ladder.errors import ProjectError
from ladder.support.files import without_links

LINK = b"gitdir:"
MOST_TEXT = 1 << 20  # bytes of a configuration
MOST_INCLUDED = 10  # configurations that include one another
MOST_STARS = 4  # `**` in a rule of what is ignored
MOST_REFERENCES = 100_000  # files below `refs` that are looked at
NAMING_FILES = re.compile(rb"(?i)\[\s*include|excludesfile|attributesfile")
SECTION = re.compile(r'\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]')
# what libgit2 says of what git has and it has not → what helps
MENDS = {
    "unknown object format": "Names by SHA-1 alone can be read: analyse a copy of the project without .git.",
    "extensions.refstorage": "`git refs migrate --ref-format=files` helps, or a copy of the project without .git.",
    "mandatory extension: 'link'": "`git update-index --no-split-index` makes it one file.",
    "mandatory extension: 'sdir'": "`git sparse-checkout reapply --no-sparse-index` writes all of it.",
}
ENTRY = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)")


def repository_of(root: Path) -> Any:
    """The git repository that `root` is or is in; None outside git.

    Raises `ProjectError` if the repository refers to files elsewhere or cannot be opened.
    """
    place = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    if place is None:
        if not (root / "objects").is_dir() or not (root / "refs").is_dir() or not (root / "HEAD").exists():
            return None
        _check(root, root, root)
        return opened_at(str(root))
    if place != root and _is_strangers(place / ".git", root):
        return None
    git = _linked(place)
    _check(git, place, root)
    repository = opened_at(str(place))
    if repository.workdir is not None and without_links(repository.workdir) != without_links(place):
        raise _refused(
            root,
            f"its configuration names {repository.workdir} as its work tree",
            "`git config --unset core.worktree` fixes it, or name the directory that is meant.",
        )
    return repository


def opened_at(path: str) -> Any:
    """The repository at a path, whoever owns it; `ProjectError` if libgit2 cannot open it."""
    try:
        import pygit2
    except ImportError as error:
        raise ProjectError(
            f"{path} is under git and the Python package pygit2 cannot be loaded ({error}).",
            "`pip install pygit2` brings it.",
        ) from None
    try:
        pygit2.option(pygit2.enums.Option.SET_OWNER_VALIDATION, False)
        repository = pygit2.Repository(path, pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
        from ladder.project.git_objects import set_objects

        set_objects(repository)
        return repository
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise ProjectError(
            f"The git repository of {path} cannot be opened: {error}.", mend_of(error, "`git status` says more.")
        ) from None


def mend_of(error: Exception, otherwise: str) -> str:
    """What helps where libgit2 cannot read a repository."""
    return next((mend for said, mend in MENDS.items() if said in str(error)), otherwise)


def refuse_rules(file: Path, root: Path) -> None:
    """Raise `ProjectError` for a file of ignore rules that is no regular file, is a link out of the project, or has
    rules that take libgit2 exponential time."""
    if file.is_symlink():
        target = without_links(file)
        if not _is_below(target, without_links(root)) or not target.exists():
            raise _refused(root, f"{file} is no file of the project", "Remove it.")
    _refuse_slow(file, root)


def _refuse_slow(file: Path, root: Path) -> None:
    for number, line in enumerate(_text(file, root).split(b"\n"), 1):
        if line.count(b"**") > MOST_STARS:  # each may stand for any part of a path, and all ways are tried
            raise _refused(
                root,
                f"line {number} of {file} has more than {MOST_STARS} times **",
                "Write the rule with fewer of them.",
            )


def _is_strangers(git: Path, root: Path) -> bool:
    """Whether a repository above the project belongs neither to this user, nor to the administrator, nor to the owner
    of the project."""
    return hasattr(os, "getuid") and git.lstat().st_uid not in (0, os.getuid(), root.stat().st_uid)


def _linked(place: Path) -> Path:
    """The git directory that `.git` is or, if it is a file, names."""
    git = place / ".git"
    if git.is_dir():
        return git
    text = _text(git, place)
    if not text.startswith(LINK):
        raise _refused(place, f"{git} is no git directory", "Remove it, or `git init`.")
    return place / os.fsdecode(text[len(LINK) :].strip())


def _check(git: Path, place: Path, root: Path) -> None:
    """Raise `ProjectError` if a git directory refers to files elsewhere, or contains something that is neither a file
    nor a folder."""
    top, there = without_links(place), without_links(git)
    if not _is_below(there, top) and not _names(there, place):
        raise _refused(
            root,
            f"{place / '.git'} leads to {there}, which does not name {place} as its work tree",
            "`git worktree repair` fixes it where it is one of yours.",
        )
    if (git / "commondir").exists():
        common = without_links(git / os.fsdecode(_text(git / "commondir", root).strip()))
        if not _is_below(common, top) and not (_is_below(there, common) and _names(there, place)):
            raise _refused(
                root, f"{git / 'commondir'} leads to {common}", "Remove it, or name the directory that is meant."
            )
        _check_files(common, top, root)
    _check_files(there, top, root)


def _check_files(git: Path, top: Path, root: Path) -> None:
    for file in _opened_by_git(git):
        if not (stat.S_ISREG(file.stat().st_mode) or file.is_dir()):
            raise _refused(root, f"{file} is neither a file nor a folder", "Remove it.")
    for file in (git / "config", git / "config.worktree"):
        if file.exists():
            _check_configuration(file, (git, top), root)
    if (git / "info/exclude").exists():
        _refuse_slow(git / "info/exclude", root)


def _check_configuration(file: Path, inside: tuple[Path, Path], root: Path, depth: int = 0) -> None:
    """Raise `ProjectError` if a configuration, or one that it includes, names files outside of the repository and its
    work tree."""
    for named, is_included in _named_files(file, root):
        if not named.exists():
            continue
        if depth > MOST_INCLUDED or not named.is_file() or not any(_is_below(named, folder) for folder in inside):
            raise _refused(
                root,
                f"its configuration {file} names {named}",
                "Take that out of it, or analyse a copy of the project without .git.",
            )
        if is_included:
            _check_configuration(named, inside, root, depth + 1)
        else:
            _refuse_slow(named, root)


def _opened_by_git(git: Path) -> Iterator[Path]:
    """The files that libgit2 may open by name: all in the git directory except for loose objects."""
    folders = [git, git / "info", git / "objects" / "info", git / "objects" / "pack"]
    for folder in folders:
        if folder.is_dir():
            yield from (path for path in folder.iterdir() if path.exists())
    seen = 0
    for path, _, files in os.walk(git / "refs"):
        for name in files:
            seen += 1
            if seen > MOST_REFERENCES:
                raise _refused(
                    git,
                    f"it has more than {MOST_REFERENCES:,} references in files of their own",
                    "`git pack-refs --all` fixes it.",
                )
            if (file := Path(path, name)).exists():
                yield file


def _names(git: Path, place: Path) -> bool:
    """Whether a git directory elsewhere refers to a folder as one of its linked work trees or as that of a
    submodule."""
    if (git / "gitdir").is_file():
        return without_links(os.fsdecode(_text(git / "gitdir", place).strip())) == without_links(place / ".git")
    for key, value in _entries(_text(git / "config", place)) if (git / "config").is_file() else ():
        if key == "core.worktree":
            return without_links(git / value) == without_links(place)
    return False


def _named_files(config: Path, root: Path) -> list[tuple[Path, bool]]:
    """The other files that a configuration names, each with whether it is included; `ProjectError` if it may name some
    but cannot be parsed.

    Included files are relative to the configuration; other files are relative to the current directory in libgit2.
    """
    text = _text(config, root)
    found = [
        (
            (config.parent if key.startswith("include") else Path.cwd()) / os.path.expanduser(value),
            key.startswith("include"),
        )
        for key, value in _entries(text)
        if key in ("include.path", "includeif.path", "core.excludesfile", "core.attributesfile")
    ]
    if not found and NAMING_FILES.search(text):
        raise _refused(
            root,
            f"its configuration {config} names other files in a way that is not understood",
            "Write `key = value` on lines of their own.",
        )
    return [(without_links(named), is_included) for named, is_included in found]


def _entries(text: bytes) -> Iterator[tuple[str, str]]:
    """Iterate over ("section.key", value) of a git configuration, with names in lower case and without subsections."""
    section = ""
    for line in text.decode("utf-8-sig", "surrogateescape").replace("\\\n", "").split("\n"):
        if header := SECTION.match(line):
            section, line = header[1].lower().partition(".")[0], line[header.end() :]
        if entry := ENTRY.match(line):
            yield f"{section}.{entry[1].lower()}", _unquoted(entry[2])


def _unquoted(value: str) -> str:
    """A value as git parses it, without comment, quotes and escapes."""
    found, quoted, rest = [], False, iter(value.strip())
    for character in rest:
        if character == "\\":
            found.append({"n": "\n", "t": "\t", "b": "\b"}.get(following := next(rest, ""), following))
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            found.append(character)
    return "".join(found).rstrip()


def _text(file: Path, root: Path) -> bytes:
    """The bytes of a small regular file; `ProjectError` for anything else."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise _refused(root, f"{file} cannot be read: {error.strerror}", "`git status` says more.") from None
    with os.fdopen(descriptor, "rb") as stream:
        text = stream.read(MOST_TEXT + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    if text is None or len(text) > MOST_TEXT:
        raise _refused(root, f"{file} is {'no file' if text is None else 'too large'}", "`git status` says more.")
    return text


def _is_below(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _refused(root: Path, reason: str, hint: str) -> ProjectError:
    return ProjectError(f"The git repository of {root} is not used: {reason}.", hint)
