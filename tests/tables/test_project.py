"""Snapshots of git work trees, revisions, bare repositories and plain directories."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pygit2
import pytest

from ladder.errors import ProjectError
from ladder.project import files as project
from ladder.project.files import Project, Snapshot, blob_id
from ladder.project.stat_cache import StatCache
from ladder.session.run import _many_tests

WHO = pygit2.Signature("A", "a@example.org", 1_700_000_000, 0)


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        file = root / name.replace("__", "/").replace("_java", ".java")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def commit(repository: pygit2.Repository, message: str = "change") -> str:
    repository.index.add_all()
    repository.index.write()
    parents = [] if repository.head_is_unborn else [repository.head.target]
    return str(repository.create_commit("HEAD", WHO, WHO, message, repository.index.write_tree(), parents))


@pytest.fixture
def repository(tmp_path: Path) -> pygit2.Repository:
    made = pygit2.init_repository(str(tmp_path / "project"), initial_head="main")
    write(tmp_path / "project", src__A_java="class A {}", src__B_java="class B {}", notes="no Java")
    commit(made)
    return made


def paths(snapshot: Snapshot) -> list[str]:
    return [path for path, _ in snapshot.files]


def test_a_clean_work_tree_equals_its_commit_and_a_copy_outside_git(
    repository: pygit2.Repository, tmp_path: Path
) -> None:
    project = Project(repository.workdir)
    now = project.snapshot()
    assert paths(now) == ["src/A.java", "src/B.java"]
    assert now == project.revision("HEAD")
    write(tmp_path / "copy", src__A_java="class A {}", src__B_java="class B {}")
    assert Project(tmp_path / "copy").snapshot().files == now.files
    assert dict(now.files)["src/A.java"] == str(pygit2.hash(b"class A {}")) == blob_id(b"class A {}")


def test_dirty_untracked_deleted_and_ignored_files(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    write(
        root,
        src__A_java="class A { int x; }",
        src__C_java="class C {}",
        out__D_java="class D {}",
        src__E_java="class E {}",
    )
    (root / "src/B.java").unlink()
    (root / ".gitignore").write_text("out/\nE.java\n")
    now = Project(root).snapshot()
    assert paths(now) == ["src/A.java", "src/C.java"]
    assert dict(now.files)["src/A.java"] == blob_id(b"class A { int x; }")


def test_a_tracked_file_counts_even_where_git_ignores_it(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    write(root, out__D_java="class D {}", out__E_java="class E {}")
    repository.index.add("out/D.java")
    repository.index.write()
    (root / ".gitignore").write_text("out/\n")
    assert paths(Project(root).snapshot()) == ["out/D.java", "src/A.java", "src/B.java"]


def test_so_do_resources(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    (root / "out").mkdir()
    for path in ("out/d.properties", "out/e.properties", "f.properties"):
        (root / path).write_text("a=1\n")
    repository.index.add("out/d.properties")
    repository.index.write()
    (root / ".gitignore").write_text("*.properties\n")
    assert list(Project(root).resources(lambda path: path.endswith(".properties"))) == ["out/d.properties"]
    assert paths(Project(root).snapshot()) == ["src/A.java", "src/B.java"]


def test_a_folder_of_a_work_tree_is_a_project_with_paths_of_its_own(repository: pygit2.Repository) -> None:
    project = Project(Path(repository.workdir) / "src")
    assert paths(project.snapshot()) == paths(project.revision("HEAD")) == ["A.java", "B.java"]


def test_an_ignored_folder_is_a_plain_directory(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    write(root, fetched__other__D_java="class D {}")
    (root / ".gitignore").write_text("fetched/\n")
    assert paths(Project(root).snapshot()) == ["src/A.java", "src/B.java"]
    project = Project(root / "fetched/other")
    assert paths(project.snapshot()) == ["D.java"] and project.head() is None


def test_state_directories_links_and_nested_repositories_are_left_out(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    write(root, **{".ladder__X_java": "class X {}", "nested__Y_java": "class Y {}"})
    pygit2.init_repository(str(root / "nested"))
    (root / "src/L.java").symlink_to("A.java")
    (root / "loop").symlink_to(".", target_is_directory=True)
    assert paths(Project(root).snapshot()) == ["src/A.java", "src/B.java"]


def test_branch_switch_and_revert(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    project = Project(root)
    first = project.snapshot()
    repository.create_branch("topic", repository[repository.head.target])
    write(root, src__A_java="class A { int x; }")
    second = commit(repository)
    assert project.snapshot().files == project.revision(second).files != first.files
    repository.checkout("refs/heads/topic", strategy=pygit2.enums.CheckoutStrategy.FORCE)
    assert Project(root).snapshot().files == first.files == project.revision("topic").files
    assert Project(root).describe().startswith("topic ")


def test_a_bare_repository_is_read_at_its_head(repository: pygit2.Repository, tmp_path: Path) -> None:
    bare = pygit2.clone_repository(repository.workdir, str(tmp_path / "bare.git"), bare=True)
    project = Project(bare.path)
    assert project.snapshot() == Project(repository.workdir).snapshot()
    path, blob = project.snapshot().files[0]
    assert project.source.read(path, blob) == b"class A {}"


def test_old_contents_are_read_from_git(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    project = Project(root)
    blob = dict(project.snapshot().files)["src/A.java"]
    write(root, src__A_java="class A { int x; }")
    assert project.source.read("src/A.java", blob) == b"class A {}"
    (root / "src/A.java").unlink()
    assert project.source.read("src/A.java", blob) == b"class A {}"


def test_contents_that_are_gone_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, A_java="class A {}")
    project = Project(tmp_path)
    ((path, blob),) = project.snapshot().files
    write(tmp_path, A_java="class A { int x; }")
    with pytest.raises(ProjectError, match="changed while"):
        project.source.read(path, blob)


@pytest.mark.parametrize(
    ("name", "message"), [("missing", "no project"), ("file", "not a directory"), ("empty", "no Java files")]
)
def test_what_is_no_project_is_refused_with_a_sentence(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ProjectError, match=message) as error:
        Project(tmp_path / name).snapshot()
    assert error.value.hint and "\n" not in str(error.value)


def test_a_project_of_which_git_ignores_everything_is_refused(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    for file in root.rglob("*.java"):
        file.unlink()
    (root / ".gitignore").write_text("*\n")
    write(root, Ignored_java="class Ignored { }")
    with pytest.raises(ProjectError, match="that git does not ignore"):
        Project(root).snapshot()


def test_missing_revisions_are_refused(repository: pygit2.Repository, tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="no revision nowhere"):
        Project(repository.workdir).revision("nowhere")
    with pytest.raises(ProjectError, match="not under git"):
        Project(tmp_path).revision("HEAD")


def test_an_empty_repository_is_its_work_tree(tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path))
    write(tmp_path, A_java="class A {}")
    project = Project(tmp_path)
    assert paths(project.snapshot()) == ["A.java"] and project.head() is None
    with pytest.raises(ProjectError, match="no revision HEAD"):
        project.revision("HEAD")


def test_an_unreadable_file_is_reported_and_kills_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, A_java="class A {}", B_java="class B {}")
    original = project.read_below

    def read_below(root: str, path: str) -> bytes:
        if path == "B.java":
            raise PermissionError(13, "Permission denied", path)
        return original(root, path)

    monkeypatch.setattr(project, "read_below", read_below)
    now = Project(tmp_path).snapshot()
    assert paths(now) == ["A.java"] and now.unreadable == (("B.java", "the file cannot be read: Permission denied"),)


def test_a_name_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    write(tmp_path, A_java="class A {}")
    (tmp_path / os.fsdecode(b"B\xff.java")).write_text("class B {}")
    now = Project(tmp_path).snapshot()
    assert paths(now) == ["A.java"] and now.unreadable[0][0] == "B\\xff.java"


def test_names_that_are_not_utf8_in_a_work_tree(repository: pygit2.Repository) -> None:
    """Git's rules are asked about them, too, and hold where they are about something else in a path."""
    root = Path(repository.workdir)
    odd = root / os.fsdecode(b"odd\xff")
    for folder in (odd, odd / "out"):
        folder.mkdir()
        (folder / os.fsdecode(b"B\xfe.java")).write_text("class B {}")
    (odd / "C.java").write_text("class C {}")
    (root / ".gitignore").write_text("out/\n")
    now = Project(root).snapshot()
    assert paths(now) == ["src/A.java", "src/B.java"]
    assert {path for path, _ in now.unreadable} == {"odd\\xff/B\\xfe.java", "odd\\xff/C.java"}
    assert paths(Project(odd).snapshot()) == ["C.java"]


def test_a_hidden_folder_of_a_work_tree_is_a_project(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    write(root, **{".hidden__C.java": "class C {}"})
    commit(repository)
    inside = Project(root / ".hidden")
    assert inside.prefix == ".hidden" and inside.snapshot().files == inside.revision("HEAD").files


def test_untouched_files_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "project"
    write(root, A_java="class A {}", B_java="class B {}")
    old = time.time() - 100
    for name in ("A.java", "B.java"):
        os.utime(root / name, (old, old))
    monkeypatch.setattr("ladder.support.looks.time.time_ns", lambda: int((time.time() + 100) * 1e9))
    cache = StatCache(tmp_path / "stat")
    first = Project(root).snapshot(cache)
    cache.save(paths(first))
    write(root, B_java="class B { }")
    read: list[str] = []
    original = project.read_below
    monkeypatch.setattr(project, "read_below", lambda root, path: (read.append(path), original(root, path))[1])
    second = Project(root).snapshot(StatCache(tmp_path / "stat"))
    assert read == ["B.java"]
    assert dict(second.files)["A.java"] == dict(first.files)["A.java"]
    assert dict(second.files)["B.java"] == blob_id(b"class B { }")


def test_a_file_written_just_now_is_not_trusted(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, A_java="class A {}")
    cache = StatCache(tmp_path / "stat")
    Project(root).snapshot(cache)
    assert not cache.added


def test_a_damaged_stat_cache_is_only_slower(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, A_java="class A {}")
    (tmp_path / "stat").write_bytes(b"\xff\xfe broken\nx\ty\n")
    assert Project(root).snapshot(StatCache(tmp_path / "stat")).files == Project(root).snapshot().files


def submodule(repository: pygit2.Repository, path: str, **files: str) -> None:
    """Add a submodule with these files, checked out."""
    root = Path(repository.workdir)
    module = pygit2.init_repository(str(root / path))
    write(root / path, **files)
    entry = pygit2.IndexEntry(path, pygit2.Oid(hex=commit(module)), pygit2.enums.FileMode.COMMIT)
    repository.index.add(entry)
    repository.index.write()


def test_submodules_are_read_if_they_are_checked_out(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    submodule(repository, "lib/one", M_java="class M {}", src__N_java="class N {}", out__O_java="class O {}")
    submodule(repository, "two", P_java="class P {}")
    write(root, **{"lib__one__.gitignore": "out/\n"})
    shutil.rmtree(root / "two")
    (root / "two").mkdir()
    (root / ".gitmodules").write_text("[submodule\nnonsense \0")
    pygit2.init_repository(str(root / "nested"))
    write(root, nested__Y_java="class Y {}")
    snapshot = Project(root).snapshot()
    assert paths(snapshot) == ["lib/one/M.java", "lib/one/src/N.java", "src/A.java", "src/B.java"]
    assert snapshot.skipped == (
        ("nested", "a repository of its own, and no submodule"),
        ("two", "a submodule that is not checked out; `git submodule update --init` does it"),
    )
    assert Project(root).source.read(*snapshot.files[0]) == b"class M {}"
    shutil.rmtree(root / "two")
    assert [path for path, _ in Project(root).snapshot().skipped] == ["nested", "two"]
    assert paths(Project(root / "lib").snapshot()) == ["one/M.java", "one/src/N.java"]


def test_a_commit_has_no_files_of_submodules(repository: pygit2.Repository) -> None:
    submodule(repository, "lib", M_java="class M {}")
    tree = repository.index.write_tree()
    made = repository.create_commit("HEAD", WHO, WHO, "lib", tree, [repository.head.target])
    snapshot = Project(repository.workdir).revision(str(made))
    assert paths(snapshot) == ["src/A.java", "src/B.java"]
    assert snapshot.skipped == (("lib", "a submodule, of whose files a commit has none"),)
    assert paths(Project(repository.workdir).snapshot()) == ["lib/M.java", "src/A.java", "src/B.java"]


def test_generated_sources_are_read_even_if_they_are_ignored(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    (root / ".gitignore").write_text("target/\nbuild\n*.log\n")
    write(
        root,
        **{
            "target__generated-sources__annotations__p__G_java": "package p; class G {}",
            "core__target__generated-test-sources__T_java": "class T {}",
            "build__generated__sources__main__H_java": "class H {}",
            "target__classes__X_java": "class X {}",
            "build__tmp__Y_java": "class Y {}",
            "target__generated__Z_java": "class Z {}",
        },
    )
    (root / "elsewhere").mkdir()
    (root / "core/target/generated-sources").symlink_to(root / "elsewhere", target_is_directory=True)
    generated = [
        "build/generated/sources/main/H.java",
        "core/target/generated-test-sources/T.java",
        "target/generated-sources/annotations/p/G.java",
    ]
    project = Project(root)
    assert paths(project.snapshot()) == sorted([*generated, "src/A.java", "src/B.java"])
    assert [path for path in paths(project.snapshot()) if project.is_generated(path)] == generated
    assert paths(Project(root, with_generated=False).snapshot()) == ["src/A.java", "src/B.java"]
    (root / ".gitignore").write_text("generated-sources/\n")
    assert "target/generated-sources/annotations/p/G.java" in paths(Project(root).snapshot())


def test_what_build_tools_keep_for_themselves_is_not_read(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    wrapper = ".mvn__wrapper__MavenWrapperDownloader_java"
    write(root, **{wrapper: "class MavenWrapperDownloader {}", f"core__{wrapper}": "class MavenWrapperDownloader {}"})
    commit(repository, "wrappers")
    project = Project(root)
    assert paths(project.snapshot()) == ["src/A.java", "src/B.java"]
    assert paths(project.revision("HEAD")) == ["src/A.java", "src/B.java"]


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        (["src/test/"], ["core/src/test/T.java", "src/main/A.java", "src/main/AIT.java"]),
        (["**/src/test/**"], ["src/main/A.java", "src/main/AIT.java"]),
        (["*IT.java", "test"], ["src/main/A.java"]),
        (["/src/*", "!/src/main/"], ["core/src/test/T.java", "src/main/A.java", "src/main/AIT.java"]),
        (["*.java", "!A.java"], ["src/main/A.java"]),
        (["# nothing", "/main/"], None),
    ],
)
def test_files_are_excluded_as_git_would_ignore_them(
    repository: pygit2.Repository, tmp_path: Path, exclude: list[str], left: list[str] | None
) -> None:
    """In the work tree, in commits and in bare repositories; a pattern that holds no rule is refused."""
    root = Path(repository.workdir)
    for file in root.rglob("*.java"):
        file.unlink()
    for path in ("src/main/A.java", "src/main/AIT.java", "src/test/B.java", "core/src/test/T.java"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("class A { }")
    (root / "src/test/T.txt").write_text("a resource")
    if left is None:
        with pytest.raises(ProjectError, match="'# nothing' is no pattern of files"):
            Project(root, exclude=exclude)
        return
    commit(repository)
    pygit2.clone_repository(str(root), str(tmp_path / "bare"), bare=True)
    work, bare = Project(root, exclude=exclude), Project(tmp_path / "bare", exclude=exclude)
    for snapshot in (work.snapshot(), work.revision("HEAD"), bare.snapshot()):
        assert paths(snapshot) == left and snapshot.excluded == 4 - len(left)
    for each in (work, bare):
        assert ("src/test/T.txt" in each.resources(lambda path: path.endswith(".txt"))) == ("*.java" in exclude)


@pytest.mark.parametrize(
    ("tests", "others", "said"),
    [
        (
            ["a/src/test/p/T{}.java"] * 2 + ["tests/T{}.java"],
            ["a/src/main/p/T{}.java"],
            "--exclude test/ --exclude tests/",
        ),
        (["src/test/T{}.java"], ["src/main/T{}.java"] * 2, "--exclude test/"),
        (["src/test/T{}.java"], ["src/main/T{}.java"] * 4, ""),
        ([], ["src/main/test{}.java"], ""),
    ],
)
def test_a_project_of_tests_is_told_how_to_do_without(
    repository: pygit2.Repository, tests: list[str], others: list[str], said: str
) -> None:
    found, each = Project(repository.workdir), range(250)
    files = [(path.format(n), "") for n in each for path in (*tests, *others)]
    remark = _many_tests(found, Snapshot(tuple(files)))
    expected = f"  {len(tests) * 250} of them are tests: `{said}` analyses the others alone, in less time and memory."
    assert remark == (expected if said else "")
    assert not _many_tests(found, Snapshot(tuple(files[:400])))


@pytest.mark.parametrize(
    ("commands", "mend"),
    [
        (["update-index --split-index"], "update-index --no-split-index"),
        (["sparse-checkout set --cone --sparse-index src"], "sparse-checkout reapply --no-sparse-index"),
        (["config core.repositoryformatversion 1", "config extensions.refstorage reftable"], "git refs migrate"),
        (["config core.repositoryformatversion 1", "config extensions.objectformat sha256"], "a copy of the project"),
    ],
)
def test_what_libgit2_does_not_read_is_refused_with_what_helps(
    repository: pygit2.Repository, commands: list[str], mend: str
) -> None:
    root = Path(repository.workdir)
    write(root, other__C_java="class C {}")
    commit(repository)
    for command in commands:
        subprocess.run(["git", "-C", root, *command.split()], check=True, capture_output=True)
    with pytest.raises(ProjectError) as caught:
        Project(root).snapshot()
    assert mend in caught.value.hint
    if mend.startswith(("update-index", "sparse-checkout")):  # it does help
        subprocess.run(["git", "-C", root, *mend.split()], check=True, capture_output=True)
        assert "src/A.java" in paths(Project(root).snapshot())


def test_a_damaged_index_is_made_anew_by_what_is_said(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    (root / ".git/index").write_bytes(b"DIRC\0\0\0\2 and so on")
    with pytest.raises(ProjectError) as caught:
        Project(root).snapshot()
    command = caught.value.hint.split("`")[1]
    subprocess.run(command, cwd=root, shell=True, check=True, capture_output=True)
    assert paths(Project(root).snapshot()) == ["src/A.java", "src/B.java"]


def test_contents_that_a_partial_clone_lacks(repository: pygit2.Repository) -> None:
    root = Path(repository.workdir)
    blob = dict(Project(root).revision("HEAD").files)["src/A.java"]
    write(root, src__A_java="class A { int x; }")
    commit(repository)
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(ProjectError, match=f"its repository has no object {blob}") as caught:
        Project(root).source.read("src/A.java", blob)
    assert "partial clone" in caught.value.hint


def test_links_without_an_end_are_refused(repository: pygit2.Repository, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ProjectError, match="There is no project at"):
        Project(tmp_path / "loop")
    (tmp_path / "project" / ".gitignore").symlink_to(".gitignore")
    with pytest.raises(ProjectError, match="is no file of the project"):
        Project(tmp_path / "project").snapshot()
