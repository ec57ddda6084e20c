"""Uses of files: several of one file in a method are one finding, the gravest."""

from __future__ import annotations

from collections import defaultdict

from tests.analyses.annotated import Project, analyse

SOURCE = """
import java.io.*;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

class Uses extends HttpServlet {
    private File kept;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        File file = new File("/files", name);
        if (file.exists() && !file.isDirectory() && file.length() > 0) {
            file.getParentFile().mkdirs();
            new FileInputStream(file).close();                      // told: error, 4 more
        }
        File other = new File("/others", name);
        other.delete();                                             // told: error
        looks(name);
        paths(java.nio.file.Path.of(name));
        kept = new File(name);
        uses();
        new FileReader(name).close();                               // told: error
        new FileWriter(name).close();                               // told: error
    }

    void looks(String name) {
        if (new File(name).exists() && new File(name).canRead()) {  // told: warning, 1 more
            System.out.println("there");
        }
    }

    void paths(java.nio.file.Path path) {
        if (path.toFile().exists()) {
            path.toFile().delete();                                 // told: error, 1 more
        }
    }

    void uses() throws IOException {
        if (kept.exists()) {
            kept.delete();                                          // told: error, 1 more
        }
    }
}
"""


TOLD = r"told: (\w+)(?:, (\d) more)?"


def test_uses_of_one_file_are_one_finding_of_the_gravest() -> None:
    project = Project.of({"Uses.java": SOURCE})
    levels, further = {}, defaultdict(set)
    for sink, _, _, level, other in analyse("taint", project, "auto").rows("PathInjection"):
        line = project.places[sink][1]
        levels[line] = level
        further[line] |= {other} - {""}
    wanted = {line[1]: (told[1], int(told[2] or 0)) for line, told in project.comments(TOLD)}
    assert {line: (level, len(further[line])) for line, level in levels.items()} == wanted


BRANCHES = """
import java.net.URL;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

class Branches extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        URL url = new URL(request.getParameter("to"));
        switch (request.getMethod()) {
            case "GET":
                url.openConnection();                               // told: 1 more
                break;
            default:
                url.openStream();
        }
        URL other = new URL(request.getParameter("from"));
        other.openStream();                                         // told: 0 more
    }
}
"""


def test_one_value_at_several_calls_is_one_finding() -> None:
    project = Project.of({"Branches.java": BRANCHES})
    further = defaultdict(set)
    for sink, _, _, _, other in analyse("taint", project, "auto").rows("RequestForgery"):
        further[project.places[sink][1]] |= {other} - {""}
    wanted = {line[1]: int(told[1]) for line, told in project.comments(r"told: (\d) more")}
    assert {line: len(others) for line, others in further.items()} == wanted


COMMANDS = """
import java.sql.Statement;
import javax.servlet.http.*;
interface Command<T> { T execute(String given); }
class Executor { static <T> T run(Command<T> command, String given) { return command.execute(given); } }
class Asked implements Command<String> {
    HttpServletRequest request;
    public String execute(String given) { return request.getParameter("q"); }
}
class Same implements Command<String> { public String execute(String given) { return given; } }
class Page extends HttpServlet {
    Statement statement;
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
        Asked asked = new Asked();
        asked.request = request;
        Executor.run(asked, "");
        statement.executeQuery(Executor.run(new C0(), ""));
        statement.executeUpdate(Executor.run(new Same(), request.getParameter("x")));
        OTHERS
    }
}
"""


def test_what_any_of_dozens_of_commands_returns_says_little_of_one_call() -> None:
    for count, found in ((3, {"executeQuery", "executeUpdate"}), (60, {"executeUpdate"})):
        classes = "".join(
            f'class C{n} implements Command<String> {{ public String execute(String given) {{ return "{n}"; }} }}\n'
            for n in range(count)
        )
        others = " ".join(f'Executor.run(new C{n}(), "");' for n in range(count))
        project = Project.of({"Page.java": COMMANDS.replace("OTHERS", others) + classes})
        sinks = {sink for sink, *_ in analyse("taint", project, "auto").rows("SqlInjection")}
        assert {sink.rsplit("/", 1)[-1].split(" ")[-1].split(":")[0] for sink in sinks} == found, sinks
