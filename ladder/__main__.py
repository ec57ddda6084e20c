"""`python -m ladder COMMAND …`: as `ladder COMMAND …`."""

from __future__ import annotations

from ladder.cli import main

if __name__ == "__main__":
    main()
