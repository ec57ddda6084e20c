"""What frameworks call is an entry point, their objects are made, and fields that they set hold what they made."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.analyses.annotated import Project, Results, analyse, assert_calls, models


def kinds(results: Results) -> set[tuple[str, str]]:
    """(kind, method) of every entry point, constructors apart."""
    return {(kind, method) for kind, method in results.rows("EntryKind") if "<init>" not in method}


def entries(source: str, policy: str = "frameworks") -> set[tuple[str, str]]:
    return kinds(analyse("pointsto", Project.of({"M.java": source}), policy))


# ---- every row of the data file


def member(members: str) -> str:
    """A method's head that the pattern of a row matches, by its first alternatives."""
    text = re.sub(r"\[A-Z\]\.\*", "Xy", members).replace(".*", "")
    text = re.sub(r"\((\w+)(?:\|[^()]*)?\)", r"\1", text.replace(r"\(", "<").replace(r"\)", ">"))
    return re.sub(r"\W", "", text.partition("<")[0]) or "anything"


def taken(members: str) -> list[str]:
    """The types of the parameters that the pattern of a row names, if it names any: `.*Form` is one of that name."""
    inside = members.partition(r"\(")[2].removesuffix(r"\)")
    return [part.removeprefix(".*") or "int" for part in inside.split(",")] if "," in inside else []


BOUND = "static class In { int i; public void setI(int i) { } void other() { } }"


def example(row: tuple[str, ...], number: int) -> tuple[str, str, tuple[str, str]]:
    """(unit, text, entry point that it must have) of a small file for one row about entry points."""
    _, framework, package, type_, place, members = row
    name = f"{package}.{type_.replace('$', '.')}"
    unit, own, types = f"C{number}", f"C{number}.own()", taken(members)
    given = ", ".join(f"{given} p{place}" for place, given in enumerate(types))
    body = {
        "method": f"class {unit} {{ @{name} void own() {{ }} void other() {{ }} }}",
        "parameter": f"class {unit} {{ void own(@{name} int i) {{ }} void other(int i) {{ }} }}",
        "named method": f'class {unit} {{ @{name}({members} = {{"x", "own"}}) void test() {{ }} void own() {{ }} }}',
        "type": f"@{name} class {unit} {{ public void {member(members)}() {{ }} void other() {{ }} }}",
        "named type": f"@{name}({members} = {unit}.In.class) class {unit} {{ static class In {{ }} }}",
        "field": f"class {unit} {{ @{name} {unit} field; void other() {{ }} }}",
        "bound type": f"@{name} class {unit} {{ int i; public void setI(int i) {{ }} void other() {{ }} }}",
        "bound parameter": f"class {unit} {{ void other(@{name} In[] in) {{ }} {BOUND} }}",
        "bound parameters": f"class {unit} {{ @{name} void own(java.util.List<In> in) {{ }} {BOUND} }}",
    }.get(
        place, f"class {unit} extends {name} {{ protected void {member(members)}({given}) {{ }} void other() {{ }} }}"
    )
    wanted = {
        "parameter": f"{unit}.own(int)",
        "type": f"{unit}.{member(members)}()" if members else f"{unit}.<init>()",
        "named type": f"{unit}$In.<init>()",
        "bound type": f"{unit}.setI(int)",
        "bound parameter": f"{unit}$In.setI(int)",
        "bound parameters": f"{unit}$In.setI(int)",
    }.get(place, f"{unit}.{member(members)}({','.join(types)})" if place.startswith("subtype") else own)
    return f"{unit}.java", body, ("data binding" if place.startswith("bound") else framework, wanted)


@pytest.mark.slow
def test_every_row_of_the_data_file_has_its_effect() -> None:
    rows = models()["EntryPointModel"]
    assert len(rows) > 300
    made = [example(row, number) for number, row in enumerate(rows)]
    project = Project.of({unit: text for unit, text, _ in made})
    for group in ("tests", "frameworks"):
        results = analyse("pointsto", project, group)
        found, fields = set(results.rows("EntryKind")), {row[0] for row in results.rows("pointsto.ClientWritten")}
        for row, (unit, _, wanted) in zip(rows, made, strict=True):
            if row[4] == "field":
                assert (f"{unit.partition('.')[0]}.field:field" in fields) == (row[0] == group), row
            else:
                assert (wanted in found) == (row[0] == group), row
        assert not any(".other(" in method for _, method in found)


# ---- what is an entry point, and what is not

TESTS = """
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.params.ParameterizedTest;
    import org.junit.jupiter.params.provider.MethodSource;
    abstract class Base { @BeforeEach void before() { } @Test void inherited() { step(); } abstract void step(); }
    class Jupiter extends Base {
        void step() { }
        @Test void test() { }
        void helper() { }
        @Nested class Inner { @Test void inner() { } }
        @ParameterizedTest @MethodSource("values") void many(String value) { }
        static Object[] values() { return null; }
        @ParameterizedTest @MethodSource("Elsewhere#given(int)") void given(int i) { }
        @ParameterizedTest @MethodSource void same(int i) { }
        static int[] same() { return null; }
        @MyTest void composed() { }
    }
    class Elsewhere { static Object[] given(int i) { return null; } static Object[] other() { return null; } }
    @Test @interface MyTest { }
    class Alone { @org.junit.Test public void four() { } @Test2 void none() { } }
    @interface Test2 { }
    class Three extends junit.framework.TestCase {
        public void testIt() { } protected void setUp() { } public void testArgument(int i) { } public void other() { }
        public static junit.framework.Test suite() { return null; }
    }
    @org.testng.annotations.Test class Ng {
        public void one() { } private void two() { } public static void main(String[] a) { }
    }
"""


@pytest.mark.slow
def test_tests_of_junit_and_testng() -> None:
    found = entries(TESTS, "tests")
    assert found == {
        *(("JUnit 5", f"Base.{method}()") for method in ("before", "inherited")),
        *(("JUnit 5", f"Jupiter.{method}") for method in ("test()", "many(String)", "values()", "same(int)", "same()")),
        ("JUnit 5", "Jupiter.composed()"),
        ("JUnit 5", "Jupiter.given(int)"),
        ("JUnit 5", "Elsewhere.given(int)"),
        ("JUnit 5", "Jupiter$Inner.inner()"),
        ("JUnit 4", "Alone.four()"),
        *(("JUnit 3", f"Three.{method}()") for method in ("testIt", "setUp", "suite")),
        ("TestNG", "Ng.one()"),
        ("TestNG", "Ng.main(String[])"),
    }
    results = analyse("pointsto", Project.of({"M.java": TESTS}), "tests")
    assert ("Jupiter.step()",) in results.rows("Reachable")
    assert entries(TESTS, "main") == {("main", "Ng.main(String[])")}
    assert not entries(TESTS, "frameworks")


SPRING = """
    import org.springframework.stereotype.*; import org.springframework.beans.factory.annotation.Autowired;
    import org.springframework.context.annotation.*; import org.springframework.web.bind.annotation.*;
    interface Store { String find(); }
    @Repository class Files implements Store { public String find() { return "files"; } }
    class Unused implements Store { public String find() { return "unused"; } }
    interface Api { @GetMapping("/") String get(); }
    @RestController class Web implements Api {
        @Autowired private Store store;
        private final Clock clock;
        Store never;
        Web(Clock clock) { this.clock = clock; }
        public String get() { return clock.now() + store.find(); }     // calls Ticks.now, Files.find
        public String other() { return never.find(); }
        @PostMapping String post() { return never.find(); }             // calls nothing
    }
    interface Clock { String now(); }
    class Ticks implements Clock { public String now() { return ""; } }
    class Stopped implements Clock { public String now() { return ""; } }
    @Configuration class Config { @Bean Clock clock() { return new Ticks(); } Clock none() { return new Stopped(); } }
"""


def test_components_are_made_and_injected() -> None:
    results = assert_calls(SPRING, "frameworks")
    assert kinds(results) == {("Spring", "Web.get()"), ("Spring", "Web.post()"), ("Spring", "Config.clock()")}
    reached = {row[0] for row in results.rows("Reachable")}
    assert {"Web.<init>(Clock)", "Files.<init>()", "Config.<init>()"} <= reached
    assert not {"Unused.<init>()", "Unused.find()", "Web.other()", "Stopped.now()"} & reached


@pytest.mark.slow
def test_containers_inject_where_patterns_name_methods() -> None:
    results = assert_calls(SPRING.replace("calls Ticks.now, Files.find", "calls Files.find"), "Web.get,<Web: *other()>")
    assert kinds(results) == {("Web.get", "Web.get()"), ("<Web: *other()>", "Web.other()")}
    reached = {row[0] for row in results.rows("Reachable")}
    assert {"Web.<init>(Clock)", "Files.find()"} <= reached and "Config.clock()" not in reached


COMMANDS = """
    import java.util.concurrent.Callable;
    import picocli.CommandLine; import picocli.CommandLine.Command; import picocli.CommandLine.Option;
    @Command(name = "tool", subcommands = Add.class, versionProvider = Version.class) class Tool implements Runnable {
        @CommandLine.Mixin Shared shared;
        public void run() { shared.open(); }                           // calls Shared.open
        @Command void list() { }
        void helper() { }
    }
    @CommandLine.Command class Add implements Callable<Integer> {
        @CommandLine.ParentCommand Tool tool;
        public Integer call() { tool.helper(); return 0; }             // calls Tool.helper
        @Option(names = "-f") void setFile(String file) { }
    }
    class Shared { void open() { } }
    class Version implements CommandLine.IVersionProvider { public String[] getVersion() { return null; } }
"""


def test_command_lines_make_commands_and_set_their_options() -> None:
    results = assert_calls(COMMANDS, "frameworks")
    assert kinds(results) == {
        ("picocli", method) for method in ("Tool.run()", "Tool.list()", "Add.call()", "Add.setFile(String)")
    }
    assert {"Add.<init>()", "Version.getVersion()"} <= {row[0] for row in results.rows("Reachable")}


SOUGHT = """
    import java.lang.annotation.*;
    import org.junit.runners.model.*;
    @Retention(RetentionPolicy.RUNTIME) @interface BeforeServer { }
    @Retention(RetentionPolicy.RUNTIME) @interface Plugin { }
    @Retention(RetentionPolicy.RUNTIME) @interface Other { }
    class Runner {
        void run(TestClass test, org.reflections.Reflections scanner) throws Throwable {
            for (FrameworkMethod m : test.getAnnotatedMethods(BeforeServer.class)) { m.invokeExplosively(null); }
            scanner.getTypesAnnotatedWith(Plugin.class);
            test.getAnnotation(Other.class);
        }
    }
    class Case { @BeforeServer public static void start() { } @Other void never() { } }
    @Plugin class Found { } @Other class Lost { }
"""


def test_what_has_an_annotation_of_the_project_that_a_library_looks_for() -> None:
    results = analyse("pointsto", Project.of({"M.java": SOUGHT}), "frameworks")
    assert kinds(results) == {("own annotations", "Case.start()")}
    reached = {row[0] for row in results.rows("Reachable")}
    assert "Found.<init>()" in reached and "Lost.<init>()" not in reached


COMMAND_OF_JSON = """
    import com.fasterxml.jackson.annotation.*;
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) abstract class Order { abstract void run(); }
    @JsonTypeName("open") class Open extends Order { void run() { } }
    class M {
        public static void main(String[] a) throws Exception {
            Order order = new com.fasterxml.jackson.databind.ObjectMapper().readValue(a[0], Order.class);
            order.run();                                               // calls Open.run
        }
    }
"""


def test_subtypes_that_a_text_names_are_made() -> None:
    assert_calls(COMMAND_OF_JSON, "main,frameworks")


JAKARTA = """
    import jakarta.ws.rs.*; import jakarta.inject.Inject; import jakarta.enterprise.event.Observes;
    @Path("/items") class Items {
        @Inject Service service;
        @GET public String all() { return service.all(); }              // calls Service.all
        @Path("{id}") public Item one(@PathParam("id") String id) { return new Item(); }
        public void helper() { }
    }
    class Item { @GET public String text() { return ""; } }
    @jakarta.enterprise.context.ApplicationScoped class Service {
        String all() { return ""; }
        @jakarta.annotation.PostConstruct private void start() { }
        void on(@Observes String event) { }
    }
    class Hello extends jakarta.servlet.http.HttpServlet {
        protected void doGet(jakarta.servlet.http.HttpServletRequest q, jakarta.servlet.http.HttpServletResponse r) { }
        void own() { }
    }
    class Old implements javax.servlet.Filter { public void destroy() { } void own() { } }
    abstract class Never extends jakarta.servlet.http.HttpServlet { protected void doPost() { } }
    class M { void m() { new jakarta.servlet.http.HttpServlet() { protected void doPut() { } }; } }
"""


def test_servlets_jax_rs_and_cdi() -> None:
    results = assert_calls(JAKARTA, "frameworks")
    request = "doGet(jakarta.servlet.http.HttpServletRequest,jakarta.servlet.http.HttpServletResponse)"
    assert {(kind, method.partition("(")[0]) for kind, method in kinds(results)} == {
        ("JAX-RS", "Items.all"),
        ("JAX-RS", "Items.one"),
        ("JAX-RS", "Item.text"),
        ("CDI", "Service.start"),
        ("CDI", "Service.on"),
        ("servlets", "Hello.doGet"),
        ("servlets", "Old.destroy"),
    }, request


ON_DEMAND = """
    import com.acme.*; import javax.servlet.*; import javax.servlet.http.*; import org.junit.*;
    class A extends HttpServlet { public void doGet() { } @Test void t() { } }
    class B extends Other { public void doGet() { } }
    class C implements Filter { public void doFilter() { } }
    interface Filter { }
"""


@pytest.mark.slow
def test_packages_imported_on_demand_are_those_of_the_rows() -> None:
    assert entries(ON_DEMAND) == {("servlets", "A.doGet()")}
    assert entries(ON_DEMAND, "tests") == {("JUnit 4", "A.t()")}


RMI = """
    interface Files extends java.rmi.Remote { byte[] read(String name) throws java.rmi.RemoteException; }
    abstract class Base implements Files {
        public byte[] read(String name) { return find(name); }
        abstract byte[] find(String name);
    }
    class Served extends Base implements Named { byte[] find(String name) { return null; } public void own() { } }
    interface Named { }
    class Local implements Named { public byte[] read(String name) { return null; } }
"""


@pytest.mark.slow
def test_methods_of_remote_interfaces_are_called_from_other_machines() -> None:
    assert entries(RMI) == {("RMI", "Base.read(String)")}


ANT = "class Copy extends org.apache.tools.ant.Task { public void execute() { } public void own() { } }"


@pytest.mark.slow
def test_tasks_of_ant_are_entry_points_outside_of_ant() -> None:
    assert entries(ANT) == {("Ant", "Copy.execute()")}
    task = "package org.apache.tools.ant; public class Task { public void execute() { } }"
    project = Project.of({"Copy.java": ANT, "Task.java": task})
    assert not kinds(analyse("pointsto", project, "frameworks"))


# ---- policies


def counted(results: Results) -> Iterator[tuple[str, int]]:
    yield from sorted(results.rows("EntryKinds"))


@pytest.mark.slow
def test_each_entry_point_is_counted_by_why_it_is_one() -> None:
    source = """
        public class M {
            public static void main(String[] args) { }
            @org.junit.Test public void test() { }
            public void open() { }
            private void hidden() { }
        }
    """
    project = Project.of({"M.java": source})
    counts = {
        policy: dict(counted(analyse("pointsto", project, policy))) for policy in ("main", "tests", "public", "all")
    }
    assert counts == {
        "main": {"main": 1},
        "tests": {"JUnit 4": 2},
        "public": {"main": 1, "JUnit 4": 2, "public": 1},
        "all": {"main": 1, "JUnit 4": 2, "public": 1, "other": 1},
    }
