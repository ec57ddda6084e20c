"""The state directory of a project: its layout, and the lock that one run at a time holds.

    FORMAT          the version of this layout, sealed: a directory without our code is not ours
    PROJECT         the project that it belongs to (in the user's state directory)
    .gitignore      *: git ignores the directory
    lock            held by the running process
    stat            the status of files when they were hashed
    snapshots       the snapshots that were analysed
    classpath       what the entries of the class path looked like, and what the project mentions
    bodies/         which bodies of libraries the project may run
    facts/          packs of facts
    states/NAME/    engine states, one for each set of analyses and options; CURRENT names the current one
    results/NAME/   result tables of the last full run, and what each later run changed
    findings/NAME   findings as the last run described them

It is in the user's state directory, in a folder named after the project and its path, or where `--state` says. Before
anything in it is read, the whole directory is checked: links, and files that others own or may write to, are rejected.
Only files with names that Ladder uses are deleted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ladder.errors import StateError
from ladder.frontends.protocol import FrontEnd
from ladder.frontends.registry import front_end as default
from ladder.project.files import Project
from ladder.session.states import PARTS
from ladder.support import private
from ladder.support.files import TEMPORARY, remove_leftovers, write_atomically
from ladder.support.locks import locked
from ladder.support.seals import Seal
from ladder.support.supervision import in_temporary_folder
from ladder.support.tuning import DEFAULT

NAME = ".ladder"
FORMAT = b"ladder state 2\n"
ELSEWHERE = "Name another one with --state, or keep none with --no-state."
RUN_AGAIN = "`analyze` builds it anew."
TRUST = "Remove it, name another one with --state, or, if you know who wrote it, open it with --trust-state."
BEGUN = frozenset(("FORMAT", "PROJECT", ".gitignore", "lock"))  # files that a run begins with
_PART = rf"{re.escape(TEMPORARY)}[^/]*"
KNOWN = re.compile(
    rf"""FORMAT|PROJECT|\.gitignore|lock|stat|snapshots|classpath|{_PART}
    |bodies/([0-9a-f]{{32}}|{_PART})
    |facts/\w+/(\w+\.(parquet|index)|{_PART})
    |findings/[^/]+
    |states/[^/]+/(CURRENT|{_PART}|\d+/({PARTS}))
    |results/[^/]+/(SNAPSHOT|(base|delta-\d+|{_PART})/([^/]+\.parquet|run\.json|{_PART}))""",
    re.VERBOSE,
)


class Workspace:
    """A state directory whose lock this process holds; `seal`: by which files in it are recognised as ours."""

    def __init__(self, folder: Path, seal: Seal | None = None) -> None:
        self.folder = folder
        self.seal = seal or Seal()
        self.stat = folder / "stat"
        self.snapshots = folder / "snapshots"
        self.class_path = folder / "classpath"
        self.bodies = folder / "bodies"
        self.facts = folder / "facts"
        self.states = folder / "states"
        self.results = folder / "results"
        self.findings = folder / "findings"
        self._make_folders()

    def start_over(self) -> None:
        """Delete everything except for facts, which depend on contents of files alone."""
        private.remove_known(self.folder, _but(r"facts/|FORMAT|PROJECT|\.gitignore|lock"))
        self._make_folders()

    def _make_folders(self) -> None:
        for part in (self.facts, self.states, self.results):
            part.mkdir(mode=0o755, exist_ok=True)


def projects() -> Path:
    """The folder of the state directories of all projects."""
    return private.state_root() / "projects"


def kept_for(root: Path, front_end: FrontEnd | None = None) -> Path:
    """The state directory of the project at a path, named by its folder and a hash of the whole path, and of the front
    end if it is not the default one."""
    language = b"" if front_end in (None, default()) else b"\0" + front_end.language.encode()
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:40].strip(".-") or "project"
    return projects() / f"{readable}-{hashlib.sha256(os.fsencode(root) + language).hexdigest()[:12]}"


def place(project: Project, state: Path | None) -> Path:
    """The directory of a project's state: `state` if given, else one in the user's state directory; `StateError` for
    one that came with the project."""
    if state is None:
        return kept_for(project.root, project.front_end)
    private.refuse_links(state, project.root)
    if project.tracks(state):
        raise StateError(
            f"The state directory {state} is not used: git tracks it, so it came with the project.",
            f"`git rm -r --cached {state}` makes git forget it; then remove it, or name another one with --state.",
        )
    return state


@contextmanager
def opened(
    project: Project, state: Path | None, say: Callable[[str], None], trusted: bool = False, looking: bool = False
) -> Iterator[Workspace]:
    """Make or open the state directory of a project and hold its lock; `StateError` if it is not ours, or another run
    does not end.

    `trusted`: it may be somebody else's. `looking`: read only, so that a directory of another version is an error
    instead of being emptied.
    """
    folder = place(project, state)
    with opened_at(folder, say, trusted, project.root if state is None else None, looking) as workspace:
        yield workspace


@contextmanager
def opened_at(
    folder: Path,
    say: Callable[[str], None],
    trusted: bool = False,
    root: Path | None = None,
    looking: bool = False,
    patience: float = DEFAULT.saving.patience,
) -> Iterator[Workspace]:
    """Make or open a state directory at this path, as `opened` does; `root`: the project, if Ladder chose the path for
    it; `patience`: seconds to wait for another run that uses it."""
    with ExitStack() as held:
        try:
            is_new = _begun(folder, held, say, trusted, root, patience)
            private.check_kept(folder, trusted)
            workspace = _prepared(folder, say, Seal(trusted=trusted), root, looking)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            hint = ELSEWHERE if root is None else f"{ELSEWHERE} {private.STATE_VARIABLE} moves those of all projects."
            raise StateError(f"The state directory {folder} cannot be written: {error.strerror}.", hint) from None
        if root is not None and is_new and os.path.lexists(root / NAME):
            say(f"{root / NAME} is not used any more: state is kept in {folder}. Remove it, or name it with --state.")
        yield workspace


def _begun(
    folder: Path, held: ExitStack, say: Callable[[str], None], trusted: bool, root: Path | None, patience: float
) -> bool:
    """Make a state directory if it is not there, and take its lock until `held` ends → whether it was made; from the
    beginning, if who had the lock has removed the directory."""
    while True:
        if root is not None:
            private.make_private(private.state_root())
            private.make_private(projects())
        is_new = not os.path.lexists(folder)
        if is_new:
            private.make_private(folder)
        try:
            _refuse_others(folder, trusted)
            held.enter_context(locked(folder / "lock", f"The state directory {folder}", say, patience, trusted=trusted))
            return is_new
        except FileNotFoundError:
            if os.path.lexists(folder):
                raise


@contextmanager
def temporary() -> Iterator[Workspace]:
    """A state directory that is removed when the block ends."""
    with in_temporary_folder("ladder-") as folder:
        yield Workspace(folder, Seal.of_a_run())


def remove(folder: Path) -> list[str]:
    """Delete what Ladder wrote in a state directory, while no run uses it → paths of what remains; `StateError` if it
    is not ours."""
    _refuse_others(folder, trusted=False)
    with locked(folder / "lock", f"The state directory {folder}", patience=0.0):
        private.check_kept(folder)
        marker = folder / "FORMAT"
        if (
            marker.exists()
            and folder.parent != projects()
            and Seal().unsealed("format", private.read_own(marker)) is None
        ):
            raise StateError(
                f"The state directory {folder} is not removed: it carries no code of this user's Ladder.",
                "Look at it, and remove it by hand.",
            )
        left = [
            path
            for path in private.remove_known(folder, _but("FORMAT|PROJECT|lock"))
            if path not in ("FORMAT", "PROJECT", "lock")
        ]
        if not left:  # until then it is ours
            private.remove_known(folder, KNOWN, itself=True)
    return left


def project_of(folder: Path) -> str | None:
    """The path of the project that a state directory belongs to, as its note says; None without a note."""
    try:
        content = Seal().unsealed("project", private.read_own(folder / "PROJECT"))
    except (OSError, StateError):
        return None
    return None if content is None else os.fsdecode(content.removesuffix(b"\n"))


def holds_nothing(folder: Path) -> bool:
    """Whether a state directory has but the files that a run begins with, as one leaves it that was refused."""
    return not any(
        inner != os.fspath(folder) or name not in BEGUN for inner, _, names in os.walk(folder) for name in names
    )


def _but(kept: str) -> re.Pattern[str]:
    """A pattern for the names that Ladder writes, except for those that begin like this."""
    return re.compile(rf"(?!{kept})({KNOWN.pattern})", re.VERBOSE)


def _refuse_others(folder: Path, trusted: bool) -> None:
    """Raise `StateError` for a folder that is not ours, before anything is written there."""
    status = os.lstat(folder)
    if not os.path.isdir(folder):
        raise StateError(f"{folder} is not a directory.", "Name a directory with --state.")
    if (
        reason := "it is a symbolic link"
        if os.path.islink(folder)
        else ""
        if trusted
        else private.why_foreign(folder, status)
    ):
        hint = "chmod go-w fixes it." if reason == private.OPEN_TO_OTHERS else TRUST
        raise StateError(f"The state directory {folder} is not used: {reason}.", hint)
    names = set(os.listdir(folder))
    if "FORMAT" not in names and any(
        not name.startswith((".gitignore", "lock", "PROJECT", TEMPORARY)) for name in names
    ):
        raise StateError(
            f"{folder} is not empty and not a state directory of Ladder.", "Name another directory with --state."
        )


def _prepared(folder: Path, say: Callable[[str], None], seal: Seal, root: Path | None, looking: bool) -> Workspace:
    """The directory, made or checked; one that another version wrote, or that belonged to another project, is
    emptied."""
    marker = folder / "FORMAT"
    found = seal.unsealed("format", private.read_own(marker, seal.trusted)) if marker.exists() else b""
    if found is None and root is None:
        raise StateError(
            f"The state directory {folder} is not used: it carries no code of this user's Ladder, so somebody else, "
            "or an old version, wrote it.",
            TRUST,
        )
    if looking and found not in (b"", FORMAT):
        by = "under another key than this user's" if found is None else "by another version of Ladder"
        raise StateError(f"The state in {folder} was written {by}.", RUN_AGAIN)
    if found is None:
        say(f"The state in {folder} was not written under this user's key and is built anew.")
    elif found not in (b"", FORMAT):
        say(f"The state in {folder} was written by another version of Ladder and is built anew.")
    if found != FORMAT:
        private.remove_known(folder, _but("lock"))
        write_atomically(folder / ".gitignore", "*\n")
        if root is not None:
            write_atomically(folder / "PROJECT", seal.sealed("project", os.fsencode(root) + b"\n"))
        write_atomically(marker, seal.sealed("format", FORMAT))
    remove_leftovers(folder)
    return Workspace(folder, seal)
