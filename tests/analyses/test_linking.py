"""The targets of calls in annotated Java files, and what is used without being declared."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Line, Project, Results, analyse, case_project


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project("linking")


@pytest.fixture(scope="module")
def results(project: Project) -> Results:
    return analyse("linking", project)


def expected(project: Project) -> dict[Line, list[str]]:
    return {line: found[1].split("; ") for line, found in project.comments(r"-> (.*)")}


@pytest.mark.parametrize(
    "name",
    [
        "Overloads.java",
        "Names.java",
        "Generics.java",
        "Phantoms.java",
        "Access.java",
        "Targets.java",
        "Branches.java",
        "Imports.java",
        "Imported.java",
    ],
)
def test_targets(name: str, project: Project, results: Results) -> None:
    targets = results.targets()
    wrong = {
        line[1]: (targets.get(line, []), want)
        for line, want in expected(project).items()
        if line[0] == name and targets.get(line, []) != want
    }
    assert not wrong


def test_every_call_of_the_cases_is_annotated(project: Project, results: Results) -> None:
    assert {line for line in results.targets()} == set(expected(project))


def test_phantoms(results: Results) -> None:
    classes = {row[0] for row in results.rows("PhantomClass")}
    assert {
        "com.unknown.Widget",
        "com.unknown.gui.Button",
        "com.unknown.gui.Layout",
        "java.lang.String",
        "java.util.Map$Entry",
    } <= classes
    assert "com.unknown.gui" not in classes
    assert not any(name.startswith(("overloads.", "names.", "generics.", "phantoms.")) for name in classes)
    methods = {row[0] for row in results.rows("PhantomMethod")}
    assert "<com.unknown.Widget: ? draw(int,java.lang.String)>" in methods
    assert "<java.util.List: java.lang.Object get(int)>" in methods


def test_names_of_fields(results: Results) -> None:
    names = dict(results.rows("FieldName"))
    assert names["names.Names.entry:field"] == "<names.Names: java.util.Map$Entry entry>"
    assert names["names.Color.RED:field"] == "<names.Color: names.Color RED>"
    assert names["generics.Node.value:field"] == "<generics.Node: java.lang.Comparable value>"


UNDECIDED = """
import lib.Server;
import lib.Url;
class M {
    M(String s) { this(Server.find(s)); }           // runs <init>(lib.Url)
    M(Url u) { }
    void at(String s) { }
    void at(java.net.URL u) { }
    void at(Url u) { }
    void on(String s, int k) { }
    void on(String s, long k) { }
    void on(Url u, long k) { }
    void mine(String s) { }
    private void mine(Url u) { }
    static void own(Url u) { }
    void own(String s) { }
    void many(String s, Object... rest) { }
    void many(Url u) { }
    void plain(Url u) { }
    static Object given;
    public static void main(String[] args) {
        M m = new M("x");                           // runs <init>(java.lang.String)
        Server s = new Server();
        m.at(s.url());                              // runs at(java.lang.String), at(java.net.URL), at(lib.Url)
        m.at(s.url().next());                       // runs at(java.lang.String), at(java.net.URL), at(lib.Url)
        m.at(Url.parse("x"));                       // runs at(lib.Url)
        m.at(Url.HOME);                             // runs at(lib.Url)
        m.at(Url.name());                           // runs at(java.lang.String), at(java.net.URL), at(lib.Url)
        m.at(Server.get());                         // runs at(java.lang.String), at(java.net.URL), at(lib.Url)
        m.at("x");                                  // runs at(java.lang.String)
        Url u = s.url();
        m.at(u);                                    // runs at(lib.Url)
        m.at((Url) s.url());                        // runs at(lib.Url)
        m.on(s.url(), 1);                           // runs on(java.lang.String,int), on(lib.Url,long)
        m.mine(s.url());                            // runs mine(java.lang.String), mine(lib.Url)
        m.own(s.url());                             // runs own(java.lang.String), own(lib.Url)
        m.many(s.url());                            // runs many(lib.Url)
        m.many(s.url(), 1);                         // runs many(java.lang.String,java.lang.Object[])
        m.plain(s.url());                           // runs plain(lib.Url)
        new M(s.url());                             // runs <init>(java.lang.String), <init>(lib.Url)
        M below = new Below();
        below.at(s.url());                          // runs at(java.lang.String), at(java.net.URL), at(lib.Url)
    }
}
class Below extends M {
    Below() { super("x"); }                         // runs <init>(java.lang.String)
    @Override void at(Url u) { }
}
"""


AGREED = """
import lib.Url;
class M {
    byte get(String key, byte other) { return other; }
    short get(String key, short other) { return other; }
    String get(String key, String other) { return other; }
    A make(int n) { return null; }
    A make(Object o) { return null; }
    static void take(byte b) { }
    static void take(Object o) { }
    void f(Url url, M m, StringBuilder made, java.util.List<A> all) {
        take(m.get("a", url.port()));         // names take(byte), take(java.lang.Object)
        m.make(url.port()).own();             // names own()
        take(m.get("a", (byte) 1));           // names take(byte)
        all.remove(url.port());               // names remove(int), remove(java.lang.Object)
        made.append(url.port()).length();     // names append(char), append(java.lang.String), length()
    }
}
class A { void own() { } }
"""


def test_what_a_call_gives_is_known_where_all_overloads_agree_that_an_unknown_argument_may_suit() -> None:
    project = Project.of({"M.java": AGREED})
    results = analyse("linking", project)
    names = dict(results.rows("MethodName"))
    called: dict[int, set[str]] = {}
    for invocation, method in results.rows("linking.StaticTarget"):
        name = names.get(method, method).rpartition(" ")[2].removesuffix(">")
        called.setdefault(project.places[invocation][1], set()).add(name)
    for (_, line), found in project.comments(r"names (.*)"):
        assert set(found[1].split(", ")) <= called[line], line


def test_an_argument_of_unknown_type_leaves_all_overloads_that_it_may_suit() -> None:
    project = Project.of({"M.java": UNDECIDED})
    results = analyse("pointsto", project)
    callees = results.callees()
    own = {name for _, name in results.rows("MethodName")}
    wanted = {line: set(found[1].split(", ")) for line, found in project.comments(r"runs (.*)")}
    got = {
        line: {name.rpartition(" ")[2].removesuffix(">") for name in callees.get(line, set()) & own} for line in wanted
    }
    assert got == wanted
    line = {text.partition("//")[0].strip(): number for number, text in enumerate(project.texts["M.java"], 1)}
    assert "<Below: void at(lib.Url)>" in callees["M.java", line["below.at(s.url());"]]
    targets = set(results.targets()["M.java", line['m.at(Url.parse("x"));']])
    assert targets == {"<lib.Url: ? parse(java.lang.String)>", "<M: void at(lib.Url)>"}
    calls = [invocation for invocation, _ in results.rows("MethodInvocation_Method")]
    assert len(calls) == len(set(calls))


INHERITED = """
import java.util.*;
interface Lit { boolean lit(); default int dim() { return 1; } }
interface Deep extends Lit { boolean lit(); int hue(); }
class Lamp { public boolean lit() { return true; } }
class Desk extends Lamp implements Deep { public int hue() { return lit() ? 1 : dim(); } }
abstract class Bulb implements Lit { }
abstract class Neon extends Bulb implements Deep { }
class M {
    void all(Desk desk, Neon neon, List<String> list, LinkedList<String> linked) {
        desk.lit();                 // -> <Lamp: boolean lit()>
        neon.lit();                 // -> <Deep: boolean lit()>
        list.isEmpty();             // -> <java.util.List: boolean isEmpty()>
        linked.isEmpty();           // -> <java.util.AbstractCollection: boolean isEmpty()>
        linked.containsAll(list);   // -> <java.util.AbstractCollection: boolean containsAll(java.util.Collection)>
        linked.stream();            // -> <java.util.Collection: java.util.stream.Stream stream()>
        linked.equals(list);        // -> <java.util.AbstractList: boolean equals(java.lang.Object)>
        list.equals(linked);        // -> <java.util.List: boolean equals(java.lang.Object)>
    }
}
"""


def test_what_a_class_inherits_comes_before_what_its_interfaces_declare() -> None:
    project = Project.of({"M.java": INHERITED})
    targets = analyse("linking", project).targets()
    found = {line: targets.get(line) for line in expected(project)}
    assert found == expected(project)


CAPITALS = """
import com.json.*;
class Plain {
    Object read(String s) { return JSON.parse(s); }        // -> <com.json.JSON: ? parse(java.lang.String)>
    Object kind(String s) { return JSON.Kind.of(s); }      // -> <com.json.JSON$Kind: ? of(java.lang.String)>
}
class Named {
    static final Object LOG = null;
    void log() { LOG.hashCode(); }                         // -> <java.lang.Object: int hashCode()>
}
class Heir extends lib.Unknown {
    Object read(String s) { return XML.parse(s); }         // -> <?: ? parse(java.lang.String)>
}
"""


def test_a_name_in_capitals_is_a_type_where_it_can_be_no_value() -> None:
    project = Project.of({"M.java": CAPITALS})
    targets = analyse("linking", project).targets()
    assert {line: targets.get(line) for line in expected(project)} == expected(project)


MEMBERS = """
import lib.Mapper;
class Run extends Mapper<String> {
    void setup(Mapper<String>.Context c) { }
    void run(Context c) {
        new Worker(c, 1);           // -> <Worker: void <init>(lib.Mapper$Context,int)>
        new Worker(c);              // -> <Worker: void <init>(lib.Mapper$Context)>
        help(c);                    // -> <Run: void help(lib.Mapper$Context)>
        Help.take(c);               // -> <Help: void take(lib.Mapper$Context)>
        Help.keep(c);               // -> <Help: void keep(Help$Kept)>
        c.write(1);                 // -> <lib.Mapper$Context: ? write(int)>
    }
    void help(Context c) { }
}
class Help {
    static void take(Run.Context c) { }
    static void take(String s) { }
    static void keep(Help.Kept kept) { }
}
class Worker {
    Worker(Run.Context c, int n) { }
    Worker(Mapper.Context c) { }
}
"""


def test_member_types_that_only_an_unknown_superclass_can_declare_are_its_members() -> None:
    project = Project.of({"M.java": MEMBERS})
    targets = analyse("linking", project).targets()
    assert {line: targets.get(line) for line in expected(project)} == expected(project)
