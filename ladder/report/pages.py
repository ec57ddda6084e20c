"""Self-contained HTML pages, made from the templates in `templates`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ladder.support.files import FOR_OTHERS, write_atomically
from ladder.support.terminal import visible

TEMPLATES = Path(__file__).with_name("templates")


def write_page(file: Path, template: str, **values: Any) -> None:
    """Write a page from a template; all text that is inserted is escaped, control characters too."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        finalize=lambda value: visible(value) if type(value) is str else value,
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, environment.get_template(template).render(values), mode=FOR_OTHERS)
