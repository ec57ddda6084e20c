"""Repositories that lead elsewhere, wait for ever, name commands, or are made by hand: refused with a sentence, or read
as what they are."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pygit2
import pytest

from ladder.errors import ProjectError
from ladder.project import files as projects
from ladder.project.files import Project
from ladder.project.repositories import _entries
from tests.security.hostile.world import SECRET, Commands, World
from tests.session.projects import WHO


def private_repository(world: World) -> Path:
    made = pygit2.init_repository(str(world.private), initial_head="main")
    made.index.add_all()
    made.index.write()
    made.create_commit("HEAD", WHO, WHO, "secret", made.index.write_tree(), [])
    return world.private / ".git"


def configured(world: World, text: str) -> None:
    world.commit()
    with (world.evil / ".git/config").open("a") as config:
        config.write(text)


def gitlink(world: World) -> None:
    git = private_repository(world)
    (world.evil / ".git").write_text(f"gitdir: {git}\n")


def link_to_git(world: World) -> None:
    world.link(".git", private_repository(world))


def common_directory(world: World) -> None:
    world.commit()
    (world.evil / ".git/commondir").write_text(f"{private_repository(world)}\n")


def false_worktree(world: World) -> None:
    """A `.git` file whose directory, also the project's, says that it belongs to somebody else's repository."""
    git = private_repository(world)
    folder = world.evil / "hidden"
    folder.mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "commondir").write_text(f"{git}\n")
    (folder / "gitdir").write_text(f"{world.evil / '.git'}\n")
    (world.evil / ".git").write_text("gitdir: hidden\n")


def ignore_link(world: World) -> None:
    world.commit()
    world.link("src/.gitignore", world.home / ".bashrc")


ELSEWHERE: dict[str, Callable[[World], None]] = {
    "worktree /": lambda world: configured(world, "[core]\n\tworktree = /\n"),
    "worktree ../..": lambda world: configured(world, "[core]\n\tworktree = ../..\n"),
    "worktree home": lambda world: configured(world, f"[core] worktree = {world.home}\n"),
    "worktree beside": lambda world: configured(world, "[core]\n\tworktree = ../../beside\n"),
    "include": lambda world: configured(world, f"[include]\n\tpath = {world.home}/.bashrc\n"),
    "include with capitals": lambda world: configured(world, f'[InClude] PATH = "{world.home}/.bash\\\nrc" ; why\n'),
    "includeIf": lambda world: configured(world, f'[includeIf "gitdir:**"]\n\tpath = {world.home}/.bashrc\n'),
    "include of home": lambda world: configured(world, "[include]\n\tpath = ~/.ssh/id\n"),
    "excludesFile": lambda world: configured(world, f"[core]\n\texcludesFile = {world.home}/.bashrc\n"),
    "excludesFile from here": lambda world: configured(world, "[core]\n\texcludesFile = ../../home/.bashrc\n"),
    "include of an include": lambda world: (
        world.write("more", f"[include]\n\tpath = {world.home}/.bashrc\n"),
        configured(world, "[include]\n\tpath = ../more\n"),
    )[1],
    "endless include": lambda world: (
        world.write("more", "[include]\n\tpath = more\n"),
        configured(world, "[include]\n\tpath = ../more\n"),
    )[1],
    "many stars": lambda world: (world.write(".gitignore", "/**/" + "a/**/" * 8 + "zz\n"), configured(world, ""))[1],
    "many stars aside": lambda world: (
        configured(world, ""),
        world.write(".git/info/exclude", "/**/" + "a/**/" * 8 + "zz\n"),
    )[0],
    "attributesFile": lambda world: configured(world, f"[core]\n\tattributesFile = {world.home}/.bashrc\n"),
    "gitdir": gitlink,
    "link to .git": link_to_git,
    "commondir": common_directory,
    "false worktree": false_worktree,
    "ignore link": ignore_link,
    "no git": lambda world: (world.evil / ".git").write_text("nothing"),
    "missing gitdir": lambda world: (world.evil / ".git").write_text("gitdir: /nowhere/at/all\n"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_repository_that_leads_elsewhere_is_refused(
    world: World, run: Commands, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ELSEWHERE[name](world)
    monkeypatch.chdir(world.evil)
    if name == "include of home":
        monkeypatch.setenv("HOME", str(world.home))
    ended = run.analyze()
    assert (
        ended.code == 2
        and "The git repository of" in ended.err
        and ("is not used:" in ended.err or "cannot be opened" in ended.err)
    ), ended.err
    assert len([line for line in ended.err.splitlines() if line.startswith("ladder: ")]) == 1


def test_a_pipe_as_work_tree_of_configuration_is_refused(world: World, run: Commands) -> None:
    """Pipes would keep libgit2 waiting for ever, so each is tried in a process that has to end."""
    for name in (
        ".git/include",
        ".git/HEAD",
        ".git/index",
        ".git/config",
        ".git/packed-refs",
        ".git/info/exclude",
        ".git/refs/heads/main",
        ".gitignore",
    ):
        shutil.rmtree(world.evil / ".git", ignore_errors=True)
        configured(world, "[include]\n\tpath = include\n" if name == ".git/include" else "")
        (world.evil / name).parent.mkdir(exist_ok=True)
        (world.evil / name).unlink(missing_ok=True)
        os.mkfifo(world.evil / name)
        with pytest.raises(ProjectError, match="is not used: "):
            Project(world.evil).snapshot()
        (world.evil / name).unlink()


def test_a_pipe_in_a_repository_ends_a_command(world: World, run: Commands) -> None:
    world.commit()
    (world.evil / ".git/index").unlink()
    os.mkfifo(world.evil / ".git/index")
    ended = run.apart()
    assert ended.code == 2 and "index is neither a file nor a folder" in ended.err


def test_commands_of_a_repository_are_not_run(world: World, run: Commands) -> None:
    world.write(".gitattributes", "*.java filter=evil diff=evil merge=evil ident\n")
    touch = f"touch {world.canary}"
    configured(
        world,
        "[core]\n"
        + "".join(
            f"\t{key} = {touch}\n"
            for key in ("fsmonitor", "hooksPath", "sshCommand", "pager", "editor", "gitProxy", "askPass")
        )
        + f'[filter "evil"]\n\tclean = {touch}\n\tsmudge = {touch}\n\tprocess = {touch}\n\trequired = true\n'
        + f'[diff "evil"]\n\ttextconv = {touch}\n\tcommand = {touch}\n[diff]\n\texternal = {touch}\n[gpg]\n\tprogram '
        f"= {touch}\n"
        + f"[alias]\n\tstatus = !{touch}\n[credential]\n\thelper = !{touch}\n[uploadpack]\n\tpackObjectsHook = "
        f"{touch}\n",
    )
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
        file = world.write(f".git/hooks/{hook}", f"#!/bin/sh\n{touch}\n")
        file.chmod(0o755)
    world.write(".gitmodules", '[submodule "../../beside"]\n\tpath = ../../beside\n\turl = ext::sh -c touch% canary\n')
    assert run.analyze().code == 0
    world.write("src/p/B.java", "package p;\nclass B { static void done() { done(); } }\n")
    assert run.analyze("--baseline-commit", "HEAD", "--verify").code == 0


def test_linked_work_trees_and_submodules_are_what_they_say(world: World, run: Commands) -> None:
    repository = world.commit()
    repository.add_worktree("tree", str(world.root / "clones/tree"))
    assert [path for path, _ in Project(world.root / "clones/tree").snapshot().files] == [
        "src/p/A.java",
        "src/p/B.java",
    ]
    assert Project(world.root / "clones/tree").head() == Project(world.evil).head()
    module = world.root / "clones/module"
    shutil.copytree(world.evil / "src", module / "sub/src")
    pygit2.init_repository(str(module))
    made = pygit2.init_repository(str(module / ".git/modules/sub"), workdir_path=str(module / "sub"))
    assert (module / "sub/.git").is_file() and made.workdir
    assert len(Project(module / "sub").snapshot().files) == 2


def test_a_configuration_may_name_files_of_its_own(world: World, run: Commands) -> None:
    world.write("build.gitconfig", "[core]\n\texcludesFile = .git/more\n")
    configured(world, "[include]\n\tpath = ../build.gitconfig\n[user]\n\tname = include\n")
    assert run.analyze().code == 0


def test_a_repository_of_a_stranger_above_the_project_is_none_of_ours(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pygit2.init_repository(str(world.root))
    assert Project(world.evil).repository is not None
    if os.getuid() == 0:
        os.chown(world.root / ".git", 12345, 12345)
    else:
        monkeypatch.setattr("ladder.project.repositories._is_strangers", lambda git, root: True)
    project = Project(world.evil)
    assert project.repository is None and len(project.snapshot().files) == 2 and project.describe() == "directory"


def loose(git: Path, kind: str, data: bytes) -> bytes:
    """Store an object by hand → its name."""
    content = b"%s %d\0" % (kind.encode(), len(data)) + data
    name = sha1(content, usedforsecurity=False).hexdigest()
    file = git / "objects" / name[:2] / name[2:]
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_bytes(zlib.compress(content))
    return bytes.fromhex(name)


def committed(git: Path, tree: bytes) -> str:
    return loose(
        git, "commit", b"tree %s\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx\n" % tree.hex().encode()
    ).hex()


def test_trees_that_name_one_another_many_times_have_an_end(
    world: World, run: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.commit()
    git = world.evil / ".git"
    tree = loose(
        git, "tree", b"".join(b"100644 f%d.java\0" % i + loose(git, "blob", b"class F { }") for i in range(10))
    )
    for _ in range(12):  # 10 ** 13 files
        tree = loose(git, "tree", b"".join(b"40000 d%d\0" % i + tree for i in range(10)))
    monkeypatch.setattr(projects, "MOST_ENTRIES", 20_000)
    ended = run.analyze("--baseline-commit", committed(git, tree))
    assert ended.code == 2 and "has more than 20,000 files and folders" in ended.err


def test_objects_are_what_their_names_say(world: World, run: Commands) -> None:
    """The bytes that a repository has under the name of others are not read, and large ones are not taken apart."""
    world.commit()
    git, large = world.evil / ".git", b"class A { }" + b" " * projects.MOST_BYTES
    name = projects.blob_id(b"class Real { }")
    (git / "objects" / name[:2]).mkdir(exist_ok=True)
    (git / "objects" / name[:2] / name[2:]).write_bytes(zlib.compress(b"blob 11\0class A { }"))
    with pytest.raises(ProjectError, match="A.java cannot be read"):
        Project(world.evil).source.read("src/p/A.java", name)
    ended = run.analyze(
        "--baseline-commit", committed(git, loose(git, "tree", b"100644 A.java\0" + bytes.fromhex(name)))
    )
    assert ended.code == 2 and "A.java cannot be read" in ended.err
    with pytest.raises(projects.TooLarge):
        Project(world.evil).source.read("src/p/Z.java", loose(git, "blob", large).hex())
    ended = run.analyze(
        "--baseline-commit", committed(git, loose(git, "tree", b"100644 Z.java\0" + loose(git, "blob", large)))
    )
    assert ended.code == 0


@pytest.mark.parametrize(
    "content",
    [b"", b"x", b"cut", b"pipe", b"blob 5\0class A { }", b"blob x\0", b"thing 11\0class A { }", b"blob " + b"1" * 99],
    ids=["empty", "none", "cut", "pipe", "longer", "no size", "no kind", "long header"],
)
def test_loose_objects_that_are_not_whole_are_not_there(world: World, content: bytes) -> None:
    world.commit()
    name = projects.blob_id(b"class A { }")
    file = world.evil / ".git/objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    if content == b"pipe":
        os.mkfifo(file)
    else:
        file.write_bytes(
            zlib.compress(b"blob 11\0class A { }")[:-6]
            if content == b"cut"
            else content[:1]
            if len(content) < 2
            else zlib.compress(content)
        )
    with pytest.raises(ProjectError, match="A.java cannot be read"):
        Project(world.evil).source.read("src/p/A.java", name)
    with pytest.raises(ProjectError, match="has no revision"):
        Project(world.evil).revision(name[:8])


@pytest.mark.parametrize("level", [1, 6, 9])
def test_loose_objects_are_read_however_many_codes_they_begin_with(world: World, level: int) -> None:
    """A compressed block begins with its codes: content with many different bytes, uneven in number, has a long table
    of them before the kind and the size."""
    world.commit()
    content = bytes(byte for byte in range(256) for _ in range(1 + (1 << byte % 14)))
    name, packed = projects.blob_id(content), zlib.compress(b"blob %d\0" % len(content) + content, level)
    assert b"\0" not in zlib.decompressobj().decompress(packed[:65])
    file = world.evil / ".git/objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(packed)
    assert Project(world.evil).source.read("src/p/Gone.java", name) == content


def test_objects_of_alternates_and_short_names_are_found(world: World) -> None:
    repository = world.commit()
    commit = str(repository.head.target)
    shared = pygit2.init_repository(str(world.root / "clones/shared"), initial_head="main")
    Path(shared.path, "objects/info").mkdir(exist_ok=True)
    Path(shared.path, "objects/info/alternates").write_text(f"# where they are\n{world.evil}/.git/objects\n")
    assert (
        Project(world.root / "clones/shared").revision(commit[:10]).files == Project(world.evil).revision(commit).files
    )
    repository.pack()
    shutil.rmtree(world.evil / ".git/objects" / commit[:2])
    assert Project(world.root / "clones/shared").revision(commit[:10]).files


def test_paths_of_trees_lead_nowhere(world: World, run: Commands) -> None:
    private_repository(world)
    world.commit()
    git = world.evil / ".git"
    blob = loose(git, "blob", b"package q; class Other { void run() { } }")
    secret = bytes.fromhex(projects.blob_id((world.private / "Secret.java").read_bytes()))
    entries = [
        b"100644 ../../private/Secret.java\0" + secret,
        b"100644 /etc/passwd.java\0" + blob,
        b"100644 \xff\x1b[31m.java\0" + blob,
        b"120000 link.java\0" + loose(git, "blob", b"../../private/Secret.java"),
        b"160000 module.java\0" + secret,
    ]
    for entry in entries:
        ended = run.analyze("--baseline-commit", committed(git, loose(git, "tree", entry)))
        assert ended.code in (0, 2) and SECRET not in ended.out
        assert ended.code == 0 or "ladder: " in ended.err


@pytest.mark.parametrize(
    "name", ["HEAD", "index", "config", "refs/heads/main", "packed-refs", "objects/info/alternates"]
)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 4096,
        b"\xff" * 4096,
        b"ref: ref: \x1b[31m",
        b"DIRC\0\0\0\2\x7f\xff\xff\xff" + b"\0" * 64,
        b"a" * (1 << 20),
    ],
    ids=["empty", "zeros", "ones", "escapes", "entries", "large"],
)
def test_files_of_git_of_any_content_end_in_a_sentence(world: World, run: Commands, name: str, content: bytes) -> None:
    world.commit()
    (world.evil / ".git" / name).parent.mkdir(parents=True, exist_ok=True)
    (world.evil / ".git" / name).write_bytes(content)
    ended = run.analyze("--no-state", "--quiet")
    assert ended.code in (0, 2) and (ended.code == 0 or "git" in ended.err), ended.err


def test_a_reference_with_control_characters_is_a_name(world: World, run: Commands) -> None:
    repository = world.commit()
    name = "refs/heads/\u202eevil\u0085x"
    (world.evil / ".git" / name).write_text(f"{repository.head.target}\n")
    (world.evil / ".git/HEAD").write_text(f"ref: {name}\n")
    ended = run.analyze("--quiet")
    assert ended.code == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"[core]\n\tworktree = ../x # not this\n", [("core.worktree", "../x")]),
        (b'[Core] WorkTree = "a # b" ; c', [("core.worktree", "a # b")]),
        (b"[include]path=a\\\nb\n", [("include.path", "ab")]),
        (b'[includeIf "x]y"]\npath = "\\"q\\\\"', [("includeif.path", '"q\\')]),
        (b"\xef\xbb\xbf[core]\n  a-b = c  \n", [("core.a-b", "c")]),
        (b'[core.sub]\nx = 1\n[a "b"]\ny\n', [("core.x", "1")]),
    ],
)
def test_a_configuration_is_read_as_git_does(text: bytes, found: list[tuple[str, str]]) -> None:
    assert list(_entries(text)) == found
