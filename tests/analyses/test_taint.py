"""Taint: what must be found in the samples of `cases/taint`, by rule, and what must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.analyses import library_models
from tests.analyses.annotated import ANALYSES, Project, Results, analyse, case_project
from tests.marks import sampled

RULES = r"found ([\w-]+(?:, [\w-]+)*)"


def found(results: Results) -> set[tuple[tuple[str, int], str]]:
    """The places and kinds of what is found."""
    places = results.project.places
    return {(places[sink][:2], kind) for sink, kind, _, _ in results.rows("TaintedSink")}


def expected(project: Project) -> set[tuple[tuple[str, int], str]]:
    """The places and kinds that comments say."""
    return {(line, rule) for line, comment in project.comments(RULES) for rule in comment[1].split(", ")}


@pytest.mark.parametrize("context", sampled(["ci", "selective", "2-obj+heap"], slow=["ci", "selective"]))
def test_lines_that_say_so_are_found_and_no_others(context: str) -> None:
    project = case_project("taint")
    results = analyse("taint", project, "auto", context=context)
    assert len(expected(project)) > 40
    assert found(results) == expected(project)


GRADED = r"found ([\w-]+: \w+(?:, [\w-]+: \w+)*)"
LEVELS = ("note", "warning", "error")


def graded(results: Results) -> dict[tuple[tuple[str, int], str], str]:
    """The places and kinds of what is found, with the gravest level of each."""
    places, levels = results.project.places, {}
    for rule in sorted({kind for _, kind, _, _ in results.rows("TaintedSink")}):
        for sink, _, _, level, *_ in results.rows(rule.title().replace("-", "")):
            found = places[sink][:2], rule
            levels[found] = max(level, levels.get(found, level), key=LEVELS.index)
    return levels


@pytest.mark.slow
def test_what_is_found_is_as_grave_as_lines_say() -> None:
    project = case_project("grades")
    wanted = {
        (line, rule): level
        for line, comment in project.comments(GRADED)
        for rule, _, level in (one.partition(": ") for one in comment[1].split(", "))
    }
    assert len(wanted) > 10
    assert graded(analyse("taint", project, "auto")) == wanted


@pytest.mark.slow
def test_where_there_are_too_many_ways_one_of_the_gravest_sources_is_told(tmp_path: Path) -> None:
    """The same sinks are found, as grave as with all sources, each with a source that gets there."""
    program = tmp_path / "many.dl"
    program.write_text(".include <taint.dl>\ntaint.ManyWays().\n")
    project, grades = case_project("taint"), case_project("grades")
    results = analyse(str(program), project, "auto")
    assert found(results) == expected(project)
    check_ways(results)
    all_, told = analyse("taint", project, "auto").rows("TaintedSink"), results.rows("TaintedSink")
    assert set(told) < set(all_)
    assert graded(analyse(str(program), grades, "auto")) == graded(analyse("taint", grades, "auto"))


@pytest.mark.slow
def test_every_finding_has_a_way_from_its_source() -> None:
    check_ways(analyse("taint", case_project("taint"), "auto"))


def check_ways(results: Results) -> None:
    successors: dict[str, set[str]] = {}
    for source, target, _, _ in results.rows("TaintStep"):
        successors.setdefault(source, set()).add(target)
    for sink, _, source, _ in results.rows("TaintedSink"):
        assert source != sink
        seen, open_ = {source}, [source]
        while open_:
            new = successors.get(open_.pop(), set()) - seen
            seen |= new
            open_ += new
        assert sink in seen


def test_rows_of_ours_name_what_is_there() -> None:
    read = library_models.read(library_models.files([ANALYSES / "java" / "taint"]))
    assert read.left_out == []
    assert {len(read.rows[name]) > 0 for name in ("SourceModel", "SinkModel", "BarrierModel", "TaintModel")} == {True}


OWN = """
class Store {
    static String read() { return ""; }
    static void keep(String text) { }
    static String checked(String text) { return text; }
}
class M {
    public static void main(String[] args) {
        String text = Store.read();
        Store.keep(text);                       // found odd-sink
        Store.keep(Store.checked(text));
        Store.keep("constant");
    }
}
"""
ROWS = """
extensions:
  - addsTo: {pack: my/pack, extensible: sourceModel}
    data:
      - ["", "Store", False, "read", "()", "", "ReturnValue", "remote", "manual"]
  - addsTo: {pack: my/pack, extensible: sinkModel}
    data:
      - ["", "Store", False, "keep", "(String)", "", "Argument[0]", "odd-sink", "manual"]
  - addsTo: {pack: my/pack, extensible: barrierModel}
    data:
      - ["", "Store", False, "checked", "", "", "ReturnValue", "odd-sink", "manual"]
"""


@pytest.mark.slow
def test_rows_of_the_user_name_methods_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "rows.yml").write_text(ROWS)
    project = Project.of({"M.java": OWN})
    results = analyse("taint", project, "main", tmp_path)
    assert found(results) == expected(project)
    assert {row[1] for row in results.rows("OtherTaint")} == {"odd-sink"}


@pytest.mark.parametrize(
    ("kind", "row", "reason"),
    [
        ("sinkModel", '["java.lang", "Runtime", True, "exce", "", "", "Argument[0]", "k", "m"]', "no method exce"),
        ("sinkModel", '["java.lang", "Runtime", True, "exec", "", "", "Argument[9]", "k", "m"]', "no argument 9"),
        ("barrierModel", '["java.net", "URLEncoder", True, "encode", "", "", "Return", "k", "m"]', "not understood"),
        ("sourceModel", '["a", "B", True, "", "", "Annotated", "ReturnValue", "k", "m"]', "what is annotated is"),
        ("sinkModel", '["a", "B", True, "c", "", "Annotated", "Argument[0]", "k", "m"]', "only the empty text"),
    ],
)
def test_a_row_that_names_nothing_is_told(tmp_path: Path, kind: str, row: str, reason: str) -> None:
    file = tmp_path / "rows.yml"
    file.write_text(f"extensions:\n  - addsTo: {{pack: p, extensible: {kind}}}\n    data:\n      - {row}\n")
    ((_, line, told),) = library_models.read(library_models.files([tmp_path])).left_out
    assert line == 4
    assert reason in told


@pytest.mark.slow
def test_what_a_helper_gives_back_goes_to_the_call_that_gave_it() -> None:
    """Ways that enter a method by one call and leave it by another were told, with sources that never get there."""
    results = analyse(
        "taint",
        Project.of(
            {
                "M.java": """
    class Text {
        static String clean(String text) { return text.trim(); }
        static String twice(String text) { return clean(clean(text)); }
    }
    class M {
        public static void main(String[] args) throws Exception {
            System.out.println(Text.twice(System.getenv("NAME")));
            java.lang.Runtime.getRuntime().exec(Text.twice(args[0]));       // of the command line alone
        }
    }
    """
            }
        ),
        "main",
    )
    ((_, kind, _, what),) = results.rows("TaintedSink")
    assert (kind, what) == ("command-injection", "the command line")
    assert {text for _, _, _, text in results.rows("TaintStep")} == {
        "comes from the command line",
        "read from the array",
        "passed to twice()",
        "passed through clean()",
        "returned by twice()",
        "reaches exec()",
    }


MAPPED = """
import org.apache.ibatis.annotations.Param;
class Query {
    private String order;
    private int size;
    private String column;
    void setOrder(String order) { this.order = order; }
    void setColumn(String column) { this.column = column; }
    static Query of(String order) { Query made = new Query(); made.order = order; return made; }
}
interface Orders {
    void sorted(@Param("order") String by, @Param("id") String id);
    void named(String order, String id);
    void single(String any);
    void placed(String one, String two);
    void whole(Query query);
    void sized(Query query);
    void fixed(String id);
    void part(@Param("query") Query query);
}
class Store { static String read() { return ""; } static Query query() { return null; } }
class M {
    private static Orders orders;
    public static void main(String[] args) {
        String text = Store.read();
        orders.sorted(text, "a");                   // found sql-injection
        orders.sorted("a", text);
        orders.named(text, "a");                    // found sql-injection
        orders.named("a", text);
        orders.single(text);                        // found sql-injection
        orders.placed("a", text);                   // found sql-injection
        orders.placed(text, "a");
        orders.whole(Store.query());                // found sql-injection
        orders.sized(Store.query());
        orders.fixed(text);
        Query query = new Query();
        query.setOrder(text);
        orders.whole(query);                        // found sql-injection
        orders.part(query);                         // found sql-injection
        Query other = new Query();
        other.setColumn(text);
        orders.whole(other);
        orders.part(other);
    }
}
"""
READ = """
extensions:
  - addsTo: {pack: my/pack, extensible: sourceModel}
    data:
      - ["", "Store", False, "read", "()", "", "ReturnValue", "remote", "manual"]
      - ["", "Store", False, "query", "()", "", "ReturnValue", "remote", "manual"]
"""


@pytest.mark.slow
def test_statements_in_files_of_mappers_take_arguments_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "rows.yml").write_text(READ)
    project = Project.of({"M.java": MAPPED})
    named = [
        ("sorted", "order"),
        ("named", "order"),
        ("single", "_parameter"),
        ("placed", "param2"),
        ("whole", "order"),
    ]
    project.facts["MappedStatement"] = [("Orders", name, root, "") for name, root in (*named, ("sized", "size"))]
    project.facts["MappedStatement"].append(("Orders", "part", "query", "order"))
    assert found(analyse("taint", project, "main", tmp_path)) == expected(project)


KEYS = {
    "Keys.java": """
import com.auth0.jwt.algorithms.Algorithm;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
class Keys {
    private static final String SECRET = "correct horse"; // found
    private static final String LINES = "-----BEGIN KEY-----" + // found
        "c2VjcmV0" + "-----END KEY-----";
    private static String changed = "battery staple";
    private final String given;
    private String setting = "default value";
    Keys(String given) { this.given = given; }
    void setSetting(String setting) { this.setting = setting; }
    static void change(String key) { changed = key; }
    Object constant() { return Algorithm.HMAC256(SECRET); }
    Object bytes() { return new SecretKeySpec(SECRET.getBytes(), "AES"); }
    Object decoded() { return new SecretKeySpec(Base64.getDecoder().decode("c2VjcmV0"), "AES"); } // found
    Object passed(String key) { return new SecretKeySpec(key.getBytes(), "AES"); }
    Object password() { return new PBEKeySpec(key().toCharArray()); }
    static String key() { return "another key"; } // found
    Object fromConstructor() { return Algorithm.HMAC256(given); }
    Object fromSetting() { return Algorithm.HMAC256(setting); }
    Object fromChanged() { return Algorithm.HMAC256(changed); }
    Object written(String key) throws Exception { return new SecretKeySpec(key.getBytes("UTF-8"), "AES"); }
    Object fromEnvironment() { return new SecretKeySpec(System.getenv("KEY").getBytes(), "AES"); }
    Object joined(String name) { return Algorithm.HMAC256("prefix-" + name); }
    Object token() {
        return io.jsonwebtoken.Jwts.builder().setSubject("me")
            .signWith(io.jsonwebtoken.SignatureAlgorithm.HS512, SECRET);
    }
    Object described(CharSequence named) { return new PBEKeySpec(named.toString().toCharArray()); }
    Object lines() {
        String key = LINES.replace("-----BEGIN KEY-----", "").replaceAll("\\\\s", "");
        return new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key));
    }
    Object empty() { return Algorithm.HMAC256(""); }
    Object hex() { return new SecretKeySpec(parse("AAECAwQF"), "AES"); } // found
    static byte[] parse(String hex) { return Base64.getDecoder().decode(hex); }
    static String orElse(String text, String other) { return text == null ? other : text; }
    Object ofEnvironment() { return Algorithm.HMAC256(orElse(System.getenv("KEY"), "by default")); } // found
    Object configured() { return Algorithm.HMAC256(Setting.TOKEN.value()); }
    Object looked() { return Algorithm.HMAC256(Setting.valueOf(Setting.TOKEN)); }
    static class Named implements CharSequence {
        public int length() { return 0; }
        public char charAt(int index) { return ' '; }
        public CharSequence subSequence(int start, int end) { return this; }
        public String toString() { return "what it is called"; }
    }
    public static void main(String[] args) throws Exception {
        Keys keys = new Keys(args[0]);
        keys.setSetting(args[1]);
        change(args[2]);
        keys.passed("key of main"); // found
        keys.constant(); keys.bytes(); keys.decoded(); keys.password(); keys.fromConstructor();
        keys.fromSetting(); keys.fromChanged(); keys.fromEnvironment(); keys.joined(args[3]);
        keys.written(args[4]); keys.described(new Named());
        keys.empty(); keys.token(); keys.hex(); keys.lines(); keys.ofEnvironment(); keys.configured(); keys.looked();
        parse("CgsMDQ4P"); orElse(args[5], "no colour"); Setting.COLOUR.value();
        new Sites().any(); new Sites().listed(); new Sites().some(null); new Sites().some(null, true);
        new Sites().without(); new Sites().same(null, null); new Sites().known(null, null);
        new Sites().ended(null, null);
    }
}
""",
    "Setting.java": """
class Setting {
    static final Setting COLOUR = new Setting("colour", "midnight blue");
    static final Setting TOKEN = new Setting("token", "known to everybody"); // found
    private final String name;
    private final String fallback;
    Setting(String name, String fallback) { this.name = name; this.fallback = fallback; }
    String fallback() { return fallback; }
    String value() { String set = System.getProperty(name); return set == null ? fallback : set; }
    static String valueOf(Setting setting) {
        String set = System.getProperty(setting.name);
        return set == null ? setting.fallback() : set;
    }
}
""",
    "Sites.java": """
import java.util.List;
import javax.servlet.http.*;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
class Sites {
    void any() {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.setAllowCredentials(true);
        configuration.addAllowedOriginPattern("*");                                            // found
    }
    void listed() {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.setAllowCredentials(true);
        configuration.setAllowedOriginPatterns(List.of("*"));                                  // found
    }
    void some(CorsRegistry registry) {
        registry.addMapping("/**").allowedOrigins("https://example.org").allowCredentials(true);
    }
    void some(CorsRegistry registry, boolean credentials) {
        registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);          // found
    }
    void same(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));        // found
        response.setHeader("Access-Control-Allow-Credentials", "true");
    }
    void known(HttpServletRequest request, HttpServletResponse response) {
        String origin = request.getHeader("Origin");
        if (List.of("https://example.org").contains(origin)) {
            response.setHeader("Access-Control-Allow-Origin", origin);
            response.setHeader("Access-Control-Allow-Credentials", "true");
        }
    }
    void ended(HttpServletRequest request, HttpServletResponse response) {
        String origin = request.getHeader("Origin");
        if (!origin.endsWith(".example.org")) return;
        response.setHeader("Access-Control-Allow-Origin", origin);
        response.setHeader("Access-Control-Allow-Credentials", "true");
    }
    void without() {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.addAllowedOrigin("*");
        configuration.setAllowCredentials(false);
    }
}
""",
}


def test_keys_that_are_constants_and_sites_that_are_all_are_found() -> None:
    project = Project.of(KEYS)
    results = analyse("taint", project, "main")
    places = results.project.places
    sinks = [row[0] for name in ("HardCodedCredential", "PermissiveCors") for row in results.rows(name)]
    assert {places[sink][:2] for sink in sinks} == {line for line, _ in project.comments("found")}


HINTS = """
import java.io.File;
import java.util.*;
class Hints {
    private final Map<String, Object> map = new LinkedHashMap<>();
    Hints put(String key, Object value) { map.put(key, value); return this; }
    String text(String key) { Object found = map.get(key); return found == null ? "" : found.toString(); }
}
class M {
    public static void main(String[] args) {
        Hints asked = new Hints().put(name(), args[0]);
        Hints settings = new Hints().put(name(), "data");
        new File(settings.text(name())).delete();
    }
    static String name() { return Long.toString(System.nanoTime()); }
}
"""


QUERIES = """
import java.io.File;
class Query {
    private StringBuilder text;
    Query(String start) { text = new StringBuilder(start); }
    Query with(String part) { text.append(part); return this; }
    @Override public String toString() { return text.toString(); }
}
class M {
    public static void main(String[] args) {
        Query asked = new Query("/data/").with(args[0]);
        Query settings = new Query("/data/").with("a");
        new File(settings.toString()).delete();
    }
}
"""


@pytest.mark.parametrize("source", [HINTS, QUERIES])
@pytest.mark.parametrize(("context", "both"), [("ci", True), ("selective", False)])
def test_what_objects_keep_in_what_is_their_own_is_told_apart_with_contexts(
    source: str, context: str, both: bool
) -> None:
    project = Project.of({"M.java": source})
    kinds = {kind for _, kind in found(analyse("taint", project, "main", context=context))}
    assert kinds == ({"path-injection"} if both else set())


FASTJSON = """
import com.alibaba.fastjson.JSON;
import org.springframework.web.bind.annotation.*;
@RestController
class M {
    @PostMapping("/items")
    void read(@RequestBody String text) {
        JSON.parseObject(text);
    }
}
"""


@pytest.mark.parametrize(
    ("versions", "unsafe"),
    [
        ([], True),
        ([("fastjson", "1.2.47")], True),
        ([("fastjson", "1.2.83")], False),
        ([("fastjson", "2.0.58")], False),
        ([("fastjson", "${f}"), ("${f}", "1.2.83_noneautotype")], False),
        ([("fastjson", "${f}"), ("${f}", "1.2.60")], True),
        ([("fastjson", "1.2.83"), ("fastjson", "1.2.24")], True),
    ],
)
def test_fastjson_of_today_makes_no_objects_of_classes_that_a_document_names(
    versions: list[tuple[str, str]], unsafe: bool
) -> None:
    project = Project.of({"M.java": FASTJSON})
    project.facts["LibraryVersion"] = versions
    assert bool(found(analyse("taint", project, "frameworks"))) == unsafe


XSTREAM = """
import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.security.AnyTypePermission;
import org.springframework.web.bind.annotation.*;
@RestController
class M {
    @PostMapping("/items")
    void read(@RequestBody String text) {
        XStream stream = new XStream();
        /* set up */
        stream.fromXML(text);
    }
}
"""


@pytest.mark.parametrize(
    ("version", "setup", "unsafe"),
    [
        ("1.4.17", "", True),
        ("1.4.20", "", False),
        ("1.4.20", "stream.addPermission(AnyTypePermission.ANY);", True),
    ],
)
def test_xstream_of_today_makes_objects_of_few_classes(version: str, setup: str, unsafe: bool) -> None:
    project = Project.of({"M.java": XSTREAM.replace("/* set up */", setup)})
    project.facts["LibraryVersion"] = [("xstream", version)]
    assert bool(found(analyse("taint", project, "frameworks"))) == unsafe


def test_a_source_that_is_a_parameter_is_called_by_its_name() -> None:
    sources = {what for _, _, _, what in analyse("taint", case_project("taint"), "auto").rows("TaintedSink")}
    assert "the parameter name" in sources
    assert "a parameter" not in sources


def test_a_digest_is_one_of_a_password_if_callers_give_it_one() -> None:
    results = analyse(
        "taint",
        Project.of(
            {
                "M.java": """
                import java.security.MessageDigest;
                class M {
                    static byte[] ofText(String text) throws Exception {
                        return MessageDigest.getInstance("MD5").digest(text.getBytes());
                    }
                    static byte[] ofFile(byte[] file) throws Exception {
                        return MessageDigest.getInstance("MD5").digest(file);
                    }
                    static String getPassword() { return "x"; }
                    public static void main(String[] args) throws Exception {
                        ofText(getPassword());
                        ofFile(args[0].getBytes());
                    }
                }
                """
            }
        ),
        "main",
    )
    levels = {call.partition("M.")[2].partition("(")[0]: level for call, _, level, _ in results.rows("WeakHash")}
    assert levels == {"ofText": "warning", "ofFile": "note"}
