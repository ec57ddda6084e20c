"""Fetches real code bases through the machine's package clients into `corpora/fetched/<name>/`.

    python corpora/fetch.py                    # ant antlr commons-lang3 java.base cordova-android
    python corpora/fetch.py guava antlr3       # further ones by name; --list shows all
    python corpora/fetch.py --into DIR ant     # somewhere else

What is there already is left alone. `cordova-android` is one folder per published version (`cordova-android/7.1.0/`);
`--git DIR` makes a git repository with one commit per version of them.
"""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click
from clients import Apt, FetchError, npm_pack, npm_versions
from series import commit_series

FETCHED = Path(__file__).resolve().parent / "fetched"


@dataclass(frozen=True)
class CodeBase:
    """Where a code base comes from: `fetch(working folder, empty target)` fills the target with its files."""

    what: str
    fetch: Callable[[Path, Path], None]
    default: bool = False


def main() -> None:
    command()


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), default=FETCHED, show_default="corpora/fetched"
)
@click.option("--list", "listing", is_flag=True, help="Show the code bases known here and stop.")
@click.option(
    "--git", "repository", type=click.Path(path_type=Path), help="Make a repository of cordova-android's versions."
)
def command(names: tuple[str, ...], into: Path, listing: bool, repository: Path | None) -> None:
    if listing:
        for name, base in CODE_BASES.items():
            click.echo(f"{name:16} {base.what}{' (by default)' if base.default else ''}")
        return
    if unknown := sorted(set(names) - set(CODE_BASES)):
        raise click.BadParameter(f"{', '.join(unknown)}; known are {', '.join(CODE_BASES)}", param_hint="NAMES")
    if repository is not None and repository.exists():
        raise click.BadParameter(f"{repository} exists already; name a new folder", param_hint="--git")
    chosen = names or (
        ("cordova-android",) if repository else tuple(n for n, base in CODE_BASES.items() if base.default)
    )
    try:
        for name in chosen:
            click.echo(f"{name}: {'is there' if fetch(name, into) else 'fetched'}, {summary(into / name)}")
        if repository is not None:
            fetch("cordova-android", into)
            commits = commit_series(repository, version_folders(into / "cordova-android"))
            click.echo(f"{repository}: {len(commits)} commits")
    except FetchError as error:
        raise click.ClickException(str(error)) from error


def fetch(name: str, into: Path = FETCHED) -> bool:
    """Puts a code base into `into/name`; whether it was there already. It appears complete or not at all."""
    target = into / name
    if target.exists():
        return True
    work = into / f".work-{name}"
    shutil.rmtree(work, ignore_errors=True)
    (work / "result").mkdir(parents=True)
    try:
        CODE_BASES[name].fetch(work, work / "result")
        (work / "result").rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return False


def version_folders(series: Path) -> list[Path]:
    """The folders of a series of versions, oldest first."""
    folders = [path for path in series.iterdir() if path.is_dir() and path.name[0].isdigit()]
    return sorted(folders, key=lambda path: tuple(map(int, path.name.split("."))))


def summary(folder: Path) -> str:
    """`1325 Java files, 267,000 lines`."""
    files = [path for path in folder.rglob("*.java") if path.is_file()]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    return f"{len(files):,} Java files, {lines:,} lines"


def from_debian_source(package: str) -> Callable[[Path, Path], None]:
    def fetch_source(work: Path, target: Path) -> None:
        apt = Apt.prepare(apt_folder(work))
        click.echo(f"  downloading the source package {package}", err=True)
        unpack_tar(apt.source(package, work / "download"), target)

    return fetch_source


def fetch_java_base(work: Path, target: Path) -> None:
    apt = Apt.prepare(apt_folder(work))
    click.echo("  downloading the package openjdk-17-source", err=True)
    unpacked = apt.binary("openjdk-17-source", work / "download")
    archives = [path for path in unpacked.rglob("src.zip") if path.is_file()]
    if not archives:
        raise FetchError("the package openjdk-17-source holds no src.zip")
    with zipfile.ZipFile(archives[0]) as archive:
        inside = [name for name in archive.namelist() if name.startswith("java.base/")]
        archive.extractall(target, members=inside)
    for path in (target / "java.base").iterdir():
        path.rename(target / path.name)
    (target / "java.base").rmdir()


def fetch_cordova_android(work: Path, target: Path) -> None:
    versions = npm_versions("cordova-android")
    with click.progressbar(versions, label="  cordova-android versions", show_pos=True) as bar:
        for version in bar:
            unpack_tar(npm_pack("cordova-android", version, work / "download"), target / version)


def apt_folder(work: Path) -> Path:
    """One private apt configuration for all code bases of a target folder."""
    return work.parent / ".apt"


def unpack_tar(path: Path, target: Path) -> None:
    """Unpacks a tarball into a folder without the one folder that holds everything in it."""
    outer = target.parent / f"{target.name}.unpacking"
    with tarfile.open(path) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.0 to 3.11.3 has none
        inside = [
            one for one in archive if one.isreg() and (outer / one.name).resolve().is_relative_to(outer.resolve())
        ]
        archive.extractall(outer, members=inside)
    entries = list(outer.iterdir())
    inner = entries[0] if len(entries) == 1 and entries[0].is_dir() else outer
    target.mkdir(parents=True, exist_ok=True)
    for entry in inner.iterdir():
        entry.rename(target / entry.name)
    shutil.rmtree(outer, ignore_errors=True)


CODE_BASES: Mapping[str, CodeBase] = {
    "ant": CodeBase("Apache Ant, Debian's source package", from_debian_source("ant"), default=True),
    "antlr": CodeBase("ANTLR 2.7.7, Debian's source package", from_debian_source("antlr"), default=True),
    "commons-lang3": CodeBase(
        "Apache Commons Lang, Debian's source package", from_debian_source("libcommons-lang3-java"), default=True
    ),
    "java.base": CodeBase("module java.base of JDK 17, Debian's openjdk-17-source", fetch_java_base, default=True),
    "cordova-android": CodeBase(
        "every published version of npm's cordova-android", fetch_cordova_android, default=True
    ),
    "antlr3": CodeBase("ANTLR 3, Debian's source package", from_debian_source("antlr3")),
    "guava": CodeBase("Guava, Debian's source package", from_debian_source("guava-libraries")),
    **{
        name: CodeBase(f"{what}, Debian's source package", from_debian_source(package))
        for name, what, package in (
            ("args4j", "args4j", "args4j"),
            ("commons-codec", "Apache Commons Codec", "libcommons-codec-java"),
            ("commons-collections4", "Apache Commons Collections", "libcommons-collections4-java"),
            ("commons-csv", "Apache Commons CSV", "libcommons-csv-java"),
            ("commons-io", "Apache Commons IO", "commons-io"),
            ("jcommander", "JCommander", "jcommander"),
            ("joda-time", "Joda-Time", "libjoda-time-java"),
            ("jsoup", "jsoup", "jsoup"),
            ("junit4", "JUnit 4", "junit4"),
        )
    },
}

if __name__ == "__main__":
    main()
