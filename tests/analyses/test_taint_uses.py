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
