"""A run's diagnostics as SARIF, which editors and code hosts display next to the code."""

from __future__ import annotations

import os

from ladder.report.summary import Report
from ladder.support.terminal import as_json as shown_json


def as_sarif(report: Report) -> str:
    """The diagnostics as a SARIF 2.1.0 log."""
    kinds = sorted({kind for _, _, _, kind, _ in report.diagnostics})
    results = [
        {
            "ruleId": kind,
            "level": "warning",
            "message": {"text": message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(path), "uriBaseId": "PROJECT"},
                        "region": {"startLine": max(line, 1), "startColumn": max(column, 1)},
                    }
                }
            ],
        }
        for path, line, column, kind, message in report.diagnostics
    ]
    tool = {"driver": {"name": "ladder", "version": _version(), "rules": [{"id": kind} for kind in kinds]}}
    return shown_json(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{"tool": tool, "columnKind": "unicodeCodePoints", "results": results}],
        },
        indent=2,
    )


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ladder-analysis")
    except PackageNotFoundError:
        return "0"


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(path))
