"""The cases of `ladder bench engine`: one module each, with `TITLE` and `run`, which fills a section of the report."""
