"""A profile for people: as a table of text, and as one page that needs nothing else."""
from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ladder.api.program import Program
from ladder.engine.local.profile import Cost, Profile, RuleCosts
from ladder.language.core import Place
from ladder.support.files import FOR_OTHERS, write_atomically

SHOWN_RULES, SHOWN_ITERATIONS, WIDEST_RULE = 25, 12, 110
PARTS = {"in": "values to join in {}", "all": "totals of {}", "facts": "given facts of {}", "edge": "pairs of {}"}
AGGREGATE = re.compile(r"(?P<of>.*)\$(?P<what>count|sum|min|max|mean|range|dom)(?P<number>\d+)$")
BARS, BAR_HEIGHT = 220, 22     # pixels
COLUMNS = (("seconds", "seconds"), ("runs", "runs"), ("derivations", "derivations"), ("new_rows", "new rows"), ("matches", "rows looked at"),
           ("batches", "batches"))


@dataclass(frozen=True)
class Line:
    """The costs of one rule, or of what is no rule's, and how it is named."""

    work: str
    what: str
    place: str
    cost: Cost
    iterations: dict[int, Cost]


def lines_of(profile: Profile, program: Program) -> list[Line]:
    """A line per rule of bootstraps and of updates, the most expensive first."""
    return [Line(costs.work, _what(costs, program), _place(costs), costs.total, costs.iterations) for costs in profile
            if costs.rule is not None or costs.total.seconds >= 0.0001]


def as_text(profile: Profile, program: Program) -> str:
    """The most expensive rules, and the iterations of the most expensive components."""
    lines = lines_of(profile, program)
    whole = sum(line.cost.seconds for line in lines)
    table: list[tuple[str, ...]] = [("seconds", "share", "runs", "derivations", "new rows", "looked at", "batches", "", "")]
    for line in lines[:SHOWN_RULES]:
        c = line.cost
        numbers = (c.runs, c.derivations, c.new_rows, c.matches, c.batches) if c.runs else ("",) * 5
        table.append((f"{c.seconds:.3f}", f"{c.seconds / (whole or 1):.0%}", *(f"{n:,}" if n != "" else "" for n in numbers),
                      line.work, f"{line.place}  {_cut(line.what)}".strip()))
    text = [f"profile: {whole:.3f} s of processor time in rules and indexes", *_aligned(table)]
    if len(lines) > SHOWN_RULES:
        text.append(f"… and {len(lines) - SHOWN_RULES:,} more, {sum(line.cost.seconds for line in lines[SHOWN_RULES:]):.3f} s")
    for line in lines[:3]:
        if len(line.iterations) > 1:
            text += [f"{line.place}  {_cut(line.what)}: {len(line.iterations):,} iterations, the most expensive", *_iterations(line)]
    return "\n".join(text)


def _iterations(line: Line) -> Iterable[str]:
    chosen = sorted(line.iterations.items(), key=lambda item: -item[1].seconds)[:SHOWN_ITERATIONS]
    table = [("iteration", "seconds", "derivations", "new rows", "batches")]
    table += [(f"{number:,}", f"{c.seconds:.3f}", f"{c.derivations:,}", f"{c.new_rows:,}", f"{c.batches:,}") for number, c in sorted(chosen)]
    return _aligned(table)


def _aligned(table: Sequence[tuple[str, ...]]) -> list[str]:
    """Columns side by side, numbers to the right; the last two are texts."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    texts = len(widths) - 2 if table[0][-1] == "" else len(widths)
    return ["  " + "  ".join(cell.ljust(width) if i >= texts else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
            for row in table]


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST_RULE else text[:WIDEST_RULE - 1] + "…"


# ---- names

def _place(costs: RuleCosts) -> str:
    place = costs.rule.place if costs.rule else None
    return f"{place.file}:{place.line}" if place else ""


def _what(costs: RuleCosts, program: Program) -> str:
    """The rule as it is written, else as the engine has it; of what is no rule's, the relations."""
    if costs.rule is None:
        names = dict.fromkeys(readable(name) for name in costs.component if not name.endswith(("$in", "$all"))) or costs.component
        return f"indexes, aggregates, events of {', '.join(names)}"
    written = source_text(program, costs.rule.place) if costs.rule.place else ""
    head = readable(costs.rule.head.relation)
    if written:
        return written if head == costs.rule.head.relation else f"{head}, in {written}"
    return re.sub(r"[\w.$\[\]]*\$[\w$]+(?=\()", lambda match: f"[{readable(match[0])}]", str(costs.rule))


def readable(name: str) -> str:
    """What a relation of the engine holds: `R$all` → `totals of R`."""
    of, _, part = name.rpartition("$")
    if of and part in PARTS:
        return PARTS[part].format(readable(of))
    if match := AGGREGATE.match(name):
        what = "groups" if match["what"] == "dom" else match["what"]
        return f"{what} {match['number']} in {match['of']}"
    return name


def source_text(program: Program, place: Place) -> str:
    """The clause that begins at a place, on one line; "" where the text is not known."""
    text = program.sources.get(place.file)
    if text is None:
        return ""
    rest = text.split("\n")[place.line - 1:]
    rest[:1] = [line[place.column - 1:] for line in rest[:1]]
    clause = re.match(r'(?:"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|\.(?=[\w_])|[^.])*\.', "\n".join(rest[:200]), re.DOTALL)
    return " ".join(re.sub(r"/\*.*?\*/|//[^\n]*", " ", clause[0], flags=re.DOTALL).split()) if clause else ""


# ---- the page

def write_page(file: Path, parts: Sequence[tuple[str, Profile, Program]]) -> None:
    """One page for (title, profile, program) each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, PAGE.format(style=STYLE, script=SCRIPT, body="".join(_section(*part) for part in parts)), mode=FOR_OTHERS)


def _section(title: str, profile: Profile, program: Program) -> str:
    lines = lines_of(profile, program)
    whole = sum(line.cost.seconds for line in lines) or 1.0
    most = max((line.cost.seconds for line in lines), default=0.0) or 1.0
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in ("", *(head for _, head in COLUMNS), "by iteration", "work", "place", "rule"))
    rows = "".join(_row(line, whole, most) for line in lines)
    return (f"<h2>{html.escape(title)}</h2><p>{whole:.3f} s of processor time in rules and indexes. A click on a head sorts.</p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")


def _row(line: Line, whole: float, most: float) -> str:
    share = f'<td data-value="{line.cost.seconds}"><div class="bar" style="width:{100 * line.cost.seconds / most:.1f}px"></div>{line.cost.seconds / whole:.1%}</td>'
    numbers = "".join(f'<td class="n" data-value="{value}">{f"{value:.3f}" if name == "seconds" else f"{value:,}"}</td>'
                      for name, value in ((name, getattr(line.cost, name)) for name, _ in COLUMNS))
    return (f"<tr>{share}{numbers}<td data-value=\"{len(line.iterations)}\">{_bars(line)}</td><td>{line.work}</td>"
            f"<td>{html.escape(line.place)}</td><td><code>{html.escape(line.what)}</code></td></tr>")


def _bars(line: Line) -> str:
    """A bar per iteration, or per run of them where there are many; their heights are seconds."""
    last = max(line.iterations, default=0)
    per_bar = 1 + last // BARS
    heights: dict[int, float] = {}
    for number, cost in line.iterations.items():
        heights[number // per_bar] = heights.get(number // per_bar, 0.0) + cost.seconds
    most, width = max(heights.values(), default=0.0) or 1.0, max(1, min(12, BARS // (last // per_bar + 1)))
    bars = "".join(f'<rect x="{number * width}" y="{BAR_HEIGHT - height:.1f}" width="{width}" height="{height:.1f}">'
                   f"<title>{_range(number, per_bar)}: {seconds:.4f} s</title></rect>"
                   for number, seconds in sorted(heights.items()) for height in (max(0.5, BAR_HEIGHT * seconds / most),))
    return f'<svg width="{(last // per_bar + 1) * width}" height="{BAR_HEIGHT}">{bars}</svg>'


def _range(number: int, per_bar: int) -> str:
    return f"iteration {number}" if per_bar == 1 else f"iterations {number * per_bar} to {(number + 1) * per_bar - 1}"


STYLE = """
body { font: 14px system-ui, sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse } td, th { padding: 2px 8px; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd }
th { cursor: pointer; position: sticky; top: 0; background: #f4f4f4 } .n { text-align: right; font-variant-numeric: tabular-nums }
.bar { height: 8px; background: #2a6f97 } rect { fill: #2a6f97 } code { white-space: pre-wrap }
"""
SCRIPT = """
for (const head of document.querySelectorAll("th")) head.onclick = () => {
  const table = head.closest("table"), body = table.tBodies[0], at = head.cellIndex, down = head.dataset.down !== "1";
  const key = row => { const cell = row.cells[at]; return "value" in cell.dataset ? +cell.dataset.value : cell.textContent; };
  const rows = [...body.rows].sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
  head.dataset.down = down ? "1" : "0";
  body.append(...rows);
};
"""
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Ladder profile</title><style>{style}</style></head>
<body><h1>Ladder profile</h1>{body}<script>{script}</script></body></html>
"""
