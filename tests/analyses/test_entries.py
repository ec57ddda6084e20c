"""Where execution starts by the policy `auto`: in main methods where they reach half of the methods, else in public
ones."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, analyse, assert_calls

APPLICATION = """
    class M {
        public static void main(String[] args) {
            new Job().run();
            Runnable r = new Later();
            java.util.List.of(r).get(0);
        }
        public static void alone() { }
    }
    class Job { public void run() { Work w = new Special(); w.work(); } }
    class Work { void work() { } }
    class Special extends Work { void work() { Runnable r = () -> inside(); } static void inside() { } }
    class Later implements Runnable { public void run() { } }
"""
LIBRARY = """
    public class Parser {
        public int parse(String text) { return step(text); }
        public int again(String text) { return step(text); }
        private int step(String text) { return 1; }
    }
    class Try { public static void main(String[] args) { } }
"""


def entries(source: str, policy: str) -> set[str]:
    results = analyse("pointsto", Project.of({"M.java": source}), policy)
    return {method for (method,) in results.rows("EntryPoint")}


@pytest.mark.slow
@pytest.mark.parametrize(("source", "like"), [(APPLICATION, "main"), (LIBRARY, "public")])
def test_auto_is_main_where_that_reaches_half_of_the_methods(source: str, like: str) -> None:
    assert entries(source, "auto") == entries(source, like)
    assert entries(source, "main") < entries(source, "public")


def test_main_methods_reach_what_calls_may_run() -> None:
    results = analyse("pointsto", Project.of({"M.java": APPLICATION}), "auto")
    methods = {method.partition("(")[0] for (method,) in results.rows("pointsto.ReachedFromStarts")}
    assert {method for method in methods if "<" not in method} == {
        "M.main",
        "Job.run",
        "Work.work",
        "Special.work",
        "Special.inside",
        "Later.run",
    }


@pytest.mark.slow
def test_an_edit_may_bring_main_methods_to_suffice() -> None:
    before = Project.of({"M.java": LIBRARY})
    after = Project.of({"M.java": LIBRARY.replace("args) {", 'args) { new Parser().parse("");')})
    results, expected = analyse("pointsto", before, "auto"), analyse("pointsto", after, "auto")
    assert not results.rows("pointsto.StartsSuffice") and expected.rows("pointsto.StartsSuffice")
    names = set(results.database.program.inputs) & (before.facts.keys() | after.facts.keys())
    sides = [{name: set(project.facts.get(name, ())) for name in names} for project in (before, after)]
    results.database.update(
        insert={name: sorted(sides[1][name] - sides[0][name]) for name in names},
        delete={name: sorted(sides[0][name] - sides[1][name]) for name in names},
    )
    for relation in ("EntryPoint", "Reachable", "VarPointsTo"):
        assert sorted(results.rows(relation)) == sorted(expected.rows(relation))


@pytest.mark.slow
def test_clients_may_extend_a_class_and_implement_an_interface() -> None:
    source = """
    public class M {
        public interface Shape { void draw(); }
        public static class Round { public void draw() { } public void other() { } }
        public static final class Last { public void draw() { } }
        public static class Closed { private Closed() { } public void draw() { } }
        private static class Hidden { public void draw() { } }
        public static class Own { void draw() { } }
        public static void show(Shape shape) { shape.draw(); }              // calls %s
    }
    """
    assert_calls(source % "Round.draw", "all")
    assert_calls(source % "nothing", "public")


def test_agents_start_like_main_methods() -> None:
    source = """
        import java.lang.instrument.Instrumentation;
        class Agent {
            public static void premain(String arguments, Instrumentation machine) { }
            public static void agentmain(String arguments) { }
            public static void premain(String arguments, Object other) { }
            public void agentmain(String arguments, Instrumentation machine) { }
        }
    """
    assert entries(source, "main") == {
        "Agent.premain(String,Instrumentation)",
        "Agent.agentmain(String)",
    }
