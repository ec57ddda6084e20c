"""A run's findings and diagnostics as SARIF 2.1.0, which editors and code hosts show beside the code; and what an
earlier log says of them.

Code hosts take so many results and places and no more (the limits here are those of GitHub); what is left out is said
in the log.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ladder.errors import LadderError
from ladder.report.findings import KNOWN, Findings, Found, Logged, Rule, Spot
from ladder.report.summary import Report
from ladder.support.counts import counted
from ladder.support.json_text import read_json
from ladder.support.release import release
from ladder.support.terminal import as_json as shown_json

BASE = "PROJECT"  # relative to which places are
BY_IDS, BY_LINE = "ladder/v1", "ladderLine/v1"
MOST_RESULTS, MOST_LOCATIONS, MOST_STEPS = 25_000, 1_000, 10_000  # of a result, of a flow
MOST_BYTES = 1 << 28  # of a log that is read
SEVERITY = {"new": 0, "": 0, "unchanged": 1, "absent": 2}


def as_sarif(report: Report) -> str:
    """The findings and diagnostics as a SARIF log."""
    found = report.findings
    kinds = sorted({kind for _, _, _, kind, _ in report.diagnostics} - found.rules.keys())
    rules = [*found.rules.values(), *(Rule(kind, "warning") for kind in kinds)]
    numbers = {rule.name: number for number, rule in enumerate(rules)}
    results = [_result(finding, numbers, found) for finding in _first(found)]
    results += [_diagnostic(row, numbers) for row in report.diagnostics]
    said = _left_out(found, len(results))
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "ladder", "version": release(), "rules": list(map(_rule, rules))}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"uri": f"{Path(report.project).absolute().as_uri()}/"}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [{"level": "warning", "message": {"text": text}} for text in said],
            }
        ],
        "results": results[:MOST_RESULTS],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return shown_json(log, indent=2)


def fingerprints_of(logs: Sequence[Path]) -> dict[str, Logged]:
    """Fingerprints of the findings in SARIF logs of earlier runs → where they are; `LadderError` for files that are
    none."""
    found: dict[str, Logged] = {}
    for path in logs:
        try:
            if path.stat().st_size > MOST_BYTES:
                raise LadderError(f"{path} has more than {MOST_BYTES:,} bytes.", "Name a SARIF log of `analyze`.")
            log = read_json(path.read_bytes())
            for run in log["runs"]:
                for result in run["results"]:
                    if result.get("baselineState") != "absent" and BY_IDS in result.get("partialFingerprints", {}):
                        logged = Logged(path.name, str(result["ruleId"]))
                        found.setdefault(str(result["partialFingerprints"][BY_IDS]), logged)
        except OSError as error:
            raise LadderError(f"{path} cannot be read: {error.strerror}.", "Name a SARIF log of `analyze`.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise LadderError(
                f"{path} is no SARIF log.", "`analyze --format sarif --output FILE` writes one."
            ) from None
    return found


def _first(found: Findings) -> list[Found]:
    """The findings in the order in which they are kept where there are too many: new ones first, fixed ones last."""
    return sorted(found.found, key=lambda finding: (SEVERITY[finding.state], bool(finding.suppressed), finding.key))


def _left_out(found: Findings, results: int) -> list[str]:
    """What the limits leave out."""
    said = []
    if results > MOST_RESULTS:
        said.append(f"{counted(results - MOST_RESULTS, 'result')} of {results:,} left out: a log has {MOST_RESULTS:,}.")
    if cut := sum(len(finding.related) > MOST_LOCATIONS for finding in found.found):
        said.append(f"{counted(cut, 'result')} with more than {MOST_LOCATIONS:,} related places: the others left out.")
    if cut := sum(len(finding.flow) > MOST_STEPS for finding in found.found):
        said.append(f"{counted(cut, 'flow')} of more than {MOST_STEPS:,} steps: the others left out.")
    return said


def _rule(rule: Rule) -> dict[str, Any]:
    described: dict[str, Any] = {"id": rule.name, "defaultConfiguration": {"level": rule.level}}
    if rule.title:
        described["shortDescription"] = {"text": rule.title}
    if rule.help:
        described["help"] = {"text": rule.help, "markdown": rule.help}
    if rule.tags:
        described["properties"] = {"tags": list(rule.tags)}
    return described


def _result(finding: Found, numbers: Mapping[str, int], found: Findings) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [_location(finding.spot)] if finding.spot else [],
        "partialFingerprints": {BY_IDS: finding.fingerprint} | ({BY_LINE: finding.by_line} if finding.by_line else {}),
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(spot), "message": {"text": text}}
            for number, (spot, text) in enumerate(finding.related[:MOST_LOCATIONS])
        ]
    if finding.flow:
        steps = [
            {"location": {**_location(spot), "message": {"text": text}}} for spot, text in finding.flow[:MOST_STEPS]
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if found.since and finding.state:
        result["baselineState"] = finding.state
    if finding.suppressed:
        kind = "external" if finding.suppressed.startswith(KNOWN) else "inSource"
        result["suppressions"] = [{"kind": kind, "justification": finding.suppressed}]
    return result


def _diagnostic(row: tuple[str, int, int, str, str], numbers: Mapping[str, int]) -> dict[str, Any]:
    path, line, column, kind, message = row
    return {
        "ruleId": kind,
        "ruleIndex": numbers[kind],
        "level": "warning",
        "message": {"text": message},
        "locations": [_location(Spot(path, line, column))],
    }


def _location(spot: Spot) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(spot.path), "uriBaseId": BASE},
            "region": {"startLine": max(spot.line, 1), "startColumn": max(spot.column, 1)},
        }
    }


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(path))
