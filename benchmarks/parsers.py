"""Compares the two parsers of Java that the front end has: the recursive-descent one, which reads every file first, and
tree-sitter's.

python benchmarks/parsers.py                        # the code bases of corpora/fetch.py that are there
python benchmarks/parsers.py ant ~/src/mine --runs 5

Each reads all files in a process of its own, several times: processor seconds (the least of the runs), megabytes a
second, files that it cannot read, and for the process its start-up and its peak memory. Both make the same tree, so
conversion is included.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from measure import FETCHED, ROOT, save, table

PARSERS = ("recursive descent", "tree-sitter")
HEAD = ["project", "parser", "files", "MB", "not read", "seconds", "MB/s", "start-up", "peak MB"]


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n"))
@click.argument("projects", nargs=-1)
@click.option("--runs", default=3, show_default=True)
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the figures.")
def main(projects: tuple[str, ...], runs: int, output: Path | None) -> None:
    folders = [FETCHED / name if (FETCHED / name).is_dir() else Path(name) for name in projects] or sorted(
        path for path in FETCHED.glob("*") if path.is_dir()
    )
    if not folders:
        raise click.ClickException(f"There is nothing in {FETCHED}; run corpora/fetch.py, or name a folder.")
    found = [measured(folder, parser, runs) for folder in folders for parser in PARSERS]
    save(output, {"runs": found})
    click.echo(table(HEAD, [[one[name] for name in HEAD] for one in found]))


def measured(folder: Path, parser: str, runs: int) -> dict[str, Any]:
    """One parser over all Java files of a folder, in a process of its own."""
    program = (
        f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'benchmarks')]!r}; import parsers; "
        "parsers.child(*sys.argv[1:])"
    )
    command = [sys.executable, "-P", "-c", program, str(folder.resolve()), parser, str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"{parser} over {folder}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    return {"project": folder.name, "parser": parser, **json.loads(done.stdout)}


def child(folder: str, parser: str, runs: str) -> None:
    """One process: figures of one parser as a line of JSON."""
    before = time.process_time()
    read = _reader(parser)
    start_up = time.process_time() - before
    texts = list(_texts(Path(folder)))
    seconds, refused = min(_pass(read, texts) for _ in range(int(runs)))
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        json.dumps(
            {
                "files": len(texts),
                "MB": round(size, 1),
                "not read": refused,
                "seconds": round(seconds, 2),
                "MB/s": round(size / seconds, 2),
                "start-up": round(start_up, 2),
                "peak MB": round(peak),
            }
        )
    )


def _reader(parser: str) -> Callable[[str], object]:
    if parser == "tree-sitter":
        from ladder.frontends.java import treesitter
        from ladder.frontends.java.lexer import SourceText
        from ladder.frontends.java.limits import Budget

        return lambda text: treesitter.parse(SourceText(text), Budget())
    from ladder.frontends.java.lexer import SourceText
    from ladder.frontends.java.limits import Budget
    from ladder.frontends.java.parse import parse_javalang

    return lambda text: parse_javalang(SourceText(text), Budget())


def _texts(folder: Path) -> Sequence[str]:
    from ladder.frontends.java.parse import decode

    return [decode(path.read_bytes())[0] for path in sorted(folder.rglob("*.java")) if path.is_file()]


def _pass(read: Callable[[str], object], texts: Sequence[str]) -> tuple[float, int]:
    """Processor seconds for all texts, and how many could not be read."""
    from ladder.frontends.java.lexer import JavaLexicalError
    from ladder.frontends.java.limits import LimitReached
    from ladder.frontends.java.parse import deep_recursion
    from ladder.frontends.java.parser import JavaSyntaxError

    began, refused = time.process_time(), 0
    for text in texts:
        try:
            with deep_recursion():
                read(text)
        except (JavaSyntaxError, JavaLexicalError, LimitReached):
            refused += 1
    return time.process_time() - began, refused


if __name__ == "__main__":
    main()
