"""A driver of its own for tests: a process with a session that evaluates programs, and stops where it is told to so
that faults can be made.

One request per line of standard input, one answer or event per line of standard output, both JSON:

    {"program": …, "facts": {…}, "checkpoints": …, "resume": …, "every": …, "stop_at": [[stage, iteration], …],
     "patience": seconds without executors, "large": whether to compare with the local engine}
    {"at": [stage, iteration]}       it waits for a line before it goes on
    {"difference": …, "report": …, "told": [warnings]} or {"error": …, "kind": …}
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import replace
from typing import Any

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference.evaluate import evaluate
from ladder.engine.spark.checkpoints.checkpointing import Checkpointing
from ladder.engine.spark.engine import Options, SparkEngine
from ladder.engine.spark.facts.sources import Facts
from ladder.errors import LadderError, LadderWarning
from ladder.spark.session import open_session
from ladder.support.tuning import DEFAULT, Tuning

from ..engine.comparison import difference
from .comparison import decoded, state_of

warned: list[str] = []  # warnings


def main() -> None:
    wanted = json.loads(sys.argv[1])
    warnings.simplefilter("ignore")
    warnings.simplefilter("always", LadderWarning)
    warnings.showwarning = lambda message, *_: warned.append(str(message))
    with open_session(master=wanted["master"], conf=wanted["conf"], memory=wanted["memory"]) as spark:
        say({"application": spark.sparkContext.applicationId})
        for line in sys.stdin:
            try:
                say(answer(spark, json.loads(line)))
            except LadderError as error:
                say({"error": str(error), "kind": type(error).__name__, "exit_code": error.exit_code})


def answer(spark: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What became of a program's evaluation: how its state differs from the naive evaluator's."""
    checked = Program.parse(request["program"])
    program = checked.core
    facts = {name: [tuple(row) for row in rows] for name, rows in request["facts"].items()}
    stops = [tuple(stop) for stop in request.get("stop_at", ())]

    def progress(relations: str, stage: int, stages: int, iteration: int, rows: int) -> None:
        if (stage, iteration) in stops:
            stops.remove((stage, iteration))
            say({"at": [stage, iteration]})
            sys.stdin.readline()

    checkpoints = (
        Checkpointing(request["checkpoints"], request.get("resume", False), request.get("every"))
        if "checkpoints" in request
        else None
    )
    usual = DEFAULT.distributing
    tuning = replace(usual, without_executors=request.get("patience", usual.without_executors))
    options = Options(progress=progress, checkpoints=checkpoints, tuning=Tuning(distributing=tuning))
    engine, given = SparkEngine(program, spark, options), Facts(program, spark)
    for name, rows in facts.items():
        given.add(name, rows)
    warned.clear()
    state = engine.bootstrap(given.cells())
    try:
        report = state.report
        differs = (
            against_local(checked, state, facts)
            if request.get("large")
            else difference(state_of(program, state), evaluate(program, facts))
        )
        return {
            "told": [*warned],
            "difference": differs,
            "rows": sum(map(state.rows, program.relations)),
            "report": {
                "resumed": report.resumed,
                "lost_executors": report.lost_executors,
                "repeated": report.repeated,
                "losses": report.losses,
                "finer": report.finer,
                "checkpoints": report.checkpoints,
                "written": report.written,
                "spilled": sum(i.figures.spilled for stage in report.stages for i in stage.iterations),
            },
        }
    finally:
        state.release()


def against_local(program: Program, state: Any, facts: dict[str, Any]) -> str:
    """The relations whose rows, first iterations or counts are not those of the local engine: for what is too large for
    the naive evaluator."""
    local, found = Database(program), decoded(state)
    local.bootstrap(facts)
    wanted = {
        name: {tuple(row.values())[:-2]: tuple(row.values())[-2:] for row in local.state(name).to_pylist()}
        for name in local.stored_relations
    }
    return ", ".join(name for name, rows in wanted.items() if rows != found[name])


def say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
