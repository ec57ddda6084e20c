"""Messages and progress of a run, on stderr: a progress line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ladder.support.terminal import steered, visible

PLAIN_SECONDS = 5.0


class Console:
    """Shows messages and progress; if `quiet`, warnings alone."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()
        self.seconds: dict[str, float] = {}

    def say(self, message: str) -> None:
        """Show a line about what happens, unless quiet."""
        if not self.quiet:
            print(visible(message), file=sys.stderr, flush=True)

    def warn(self, message: str) -> None:
        """Show a line, even if quiet."""
        print(f"ladder: {visible(message)}", file=sys.stderr, flush=True)

    @contextmanager
    def stage(self, name: str, doing: str = "") -> Iterator[None]:
        """A block whose time is added up under `name`; `doing` is shown when it starts."""
        started = time.perf_counter()
        if doing:
            self.say(doing)
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started

    @contextmanager
    def progress(self, doing: str, total: int) -> Iterator[Callable[[int], None]]:
        """A block with a function that is called with how many more of `total` are done."""
        if self.quiet or total < 2:
            yield lambda done: None
        elif self.terminal:
            with _bar() as bar:
                task = bar.add_task(_unmarked(doing), total=total)
                yield lambda done: bar.advance(task, done)
        else:
            yield self._lines(doing, total)

    def _lines(self, doing: str, total: int) -> Callable[[int], None]:
        done, reported = 0, time.monotonic()

        def advance(more: int) -> None:
            nonlocal done, reported
            done += more
            if time.monotonic() - reported >= PLAIN_SECONDS and done < total:
                reported = time.monotonic()
                self.say(f"{doing}: {done:,} of {total:,}")

        return advance


def _unmarked(text: str) -> str:
    """A text in which rich finds no markup."""
    from rich.markup import escape

    return escape(visible(text, layout=False))


def _bar() -> Any:
    from rich.console import Console as Rich
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Rich(file=steered(sys.stderr)),
        transient=True,
    )
