"""What the site has beside the pages of this folder, and how their examples are written for it; called by mkdocs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
OUTSIDE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md"}  # pages that are elsewhere in the repository
# ```python FILE: a block that is a file (see tests/language/documentation.py)
EXAMPLE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that lie outside of the folder of documentation."""
    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=linked((ROOT / source).read_text("utf-8"))))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Give blocks that are files their names as titles."""
    return EXAMPLE.sub(r'```\1 title="\2"', markdown)


def linked(text: str) -> str:
    """The text of a page at the top of the repository, with links as they are from the folder of documentation."""
    text = text.replace("](docs/", "](")
    for source, page in OUTSIDE.items():
        text = text.replace(f"]({source}", f"]({page}")
    return text
