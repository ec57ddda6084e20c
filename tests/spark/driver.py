"""A driver of its own for tests: a process with a session that evaluates programs, and stops where it is told to so that faults can be made.

One request per line of standard input, one answer or event per line of standard output, both JSON:

    {"program": …, "facts": {…}, "checkpoints": …, "resume": …, "every": …, "stop_at": [[stage, iteration], …],
     "patience": seconds without executors}
    {"at": [stage, iteration]}       it waits for a line before it goes on
    {"difference": …, "report": …} or {"error": …, "kind": …}
"""
from __future__ import annotations

import json
import sys
import warnings
from typing import Any

from ladder.engine.naive import evaluate
from ladder.engine.spark import failures
from ladder.engine.spark.checkpoints import Checkpointing
from ladder.engine.spark.engine import Options, SparkEngine
from ladder.engine.spark.facts import Facts
from ladder.errors import LadderError
from ladder.language.compile import compile_program
from ladder.spark.session import open_session

from ..engine.comparison import difference
from .comparison import state_of


def main() -> None:
    wanted = json.loads(sys.argv[1])
    warnings.simplefilter("ignore")
    with open_session(master=wanted["master"], conf=wanted["conf"], memory=wanted["memory"]) as spark:
        say({"application": spark.sparkContext.applicationId})
        for line in sys.stdin:
            try:
                say(answer(spark, json.loads(line)))
            except LadderError as error:
                say({"error": str(error), "kind": type(error).__name__, "exit_code": error.exit_code})


def answer(spark: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What became of a program's evaluation: how its state differs from the naive evaluator's."""
    failures.WITHOUT_EXECUTORS = request.get("patience", failures.WITHOUT_EXECUTORS)
    program = compile_program(request["program"]).core
    facts = {name: [tuple(row) for row in rows] for name, rows in request["facts"].items()}
    stops = [tuple(stop) for stop in request.get("stop_at", ())]

    def progress(relations: str, stage: int, stages: int, iteration: int, rows: int) -> None:
        if (stage, iteration) in stops:
            stops.remove((stage, iteration))
            say({"at": [stage, iteration]})
            sys.stdin.readline()

    checkpoints = Checkpointing(request["checkpoints"], request.get("resume", False), request.get("every")) if "checkpoints" in request else None
    engine, given = SparkEngine(program, spark, Options(progress=progress, checkpoints=checkpoints)), Facts(program, spark)
    for name, rows in facts.items():
        given.add(name, rows)
    state = engine.bootstrap(given.cells())
    try:
        report = state.report
        return {"difference": difference(state_of(program, state), evaluate(program, facts)), "rows": sum(map(state.rows, program.relations)),
                "report": {"resumed": report.resumed, "lost_executors": report.lost_executors, "repeated": report.repeated,
                           "checkpoints": report.checkpoints, "written": report.written,
                           "spilled": sum(i.figures.spilled for stage in report.stages for i in stage.iterations)}}
    finally:
        state.release()


def say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
