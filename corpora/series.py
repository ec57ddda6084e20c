"""A git repository out of a series of folders, one commit per folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pygit2

FIRST_COMMIT = 1_500_000_000  # seconds since 1970: dates are fixed, so that equal folders give equal commit ids
APART = 86_400  # one commit a day


def commit_series(repository: Path, folders: Sequence[Path]) -> list[str]:
    """Makes a repository whose n-th commit holds exactly the n-th folder, named by it; the commit ids, oldest first.

    The work tree is left at the last commit.
    """
    git = pygit2.init_repository(str(repository), initial_head="main")
    parents: list[pygit2.Oid] = []
    for number, folder in enumerate(folders):
        author = pygit2.Signature("Ladder corpora", "corpora@example.org", FIRST_COMMIT + number * APART, 0)
        tree = write_tree(git, folder) or git.TreeBuilder().write()
        parents = [git.create_commit("refs/heads/main", author, author, f"{folder.name}\n", tree, parents[-1:])]
    git.checkout("refs/heads/main", strategy=pygit2.enums.CheckoutStrategy.FORCE)
    return [str(commit.id) for commit in reversed(list(git.walk(git.head.target)))]


def write_tree(git: pygit2.Repository, folder: Path) -> pygit2.Oid | None:
    """Stores a folder's files as a git tree, symbolic links as such; its id, None for a folder without files."""
    builder = git.TreeBuilder()
    for entry in os.scandir(folder):
        if entry.is_symlink():
            builder.insert(entry.name, git.create_blob(os.readlink(entry.path).encode()), pygit2.enums.FileMode.LINK)
        elif entry.is_dir():
            tree = write_tree(git, Path(entry.path))
            if tree is not None:
                builder.insert(entry.name, tree, pygit2.enums.FileMode.TREE)
        else:
            builder.insert(entry.name, git.create_blob_fromdisk(entry.path), pygit2.enums.FileMode.BLOB)
    return builder.write() if len(builder) else None
