"""Names that builders, formats and methods of String put together, and those that classes and annotations give."""

from __future__ import annotations

import pytest

from ladder.analyses import java_texts
from tests.analyses.annotated import Results, assert_calls, unsound

CLASSES = """
    package p;
    import java.text.MessageFormat;
    import java.util.Locale;
    class Reader { public void go() { } }
    class Writer { public void go() { } }
    class WriterFactory { public void go() { } }
    class Other { public void go() { } }
    class M {
        static Object make(String name) throws Exception { return Class.forName(name).newInstance(); }
        static String name(String begin, String end) { return begin.concat(end); }
        static void add(StringBuilder builder, String text) { builder.append(text); }
        public static void main(String[] args) throws Exception {
            String unknown = args[0];
%s
            new Other().go();                                           // calls Other.go
        }
    }
"""
EVERY = {"M", "Reader", "Writer", "WriterFactory"}


def made(statements: str) -> tuple[Results, set[str]]:
    results = assert_calls(CLASSES % statements)
    names = {method for (method,) in results.rows("Reachable") if "<init>" in method}
    return results, {name.partition(".<init>")[0].removeprefix("p.") for name in names} - {"Other"}


@pytest.mark.parametrize(
    ("statements", "classes"),
    [
        ('make(new StringBuilder("p.Rea").append(unknown).append("er").toString());', {"Reader"}),
        (
            "make(new StringBuilder(16).append('p').append(\".W\").append(unknown).append('r').toString());",
            {"Reader", "Writer"},
        ),
        ('StringBuffer b = new StringBuffer("p."); b.append(unknown); b.append("tory"); make(b.toString());', EVERY),
        (
            'StringBuilder b = new StringBuilder("p.W"); add(b, unknown); make("" + b.append("er"));',
            {"Writer", "WriterFactory"},
        ),
        ('StringBuilder b = new StringBuilder("xp.Reader"); b.deleteCharAt(0); make(b.toString());', set()),
        ('make(name("p.Rea", "der"));', {"Reader"}),
        ('make(String.join(".", "p", "Writer"));', {"Writer"}),
        ('make(String.format("p.%sr", unknown));', {"Reader", "Writer"}),
        ('make(String.format(Locale.ROOT, "%s.Writer%s", "p", unknown));', EVERY),
        ('make(MessageFormat.format("p.{0}er", unknown));', {"Reader", "Writer"}),
        ("make(\"p/Reader\".replace('/', '.'));", {"Reader"}),
        ('make("p/Reader.class".replace(".class", "").replaceAll("/", ".").trim());', {"Reader"}),
        ("make((\"p/\" + unknown + \"r\").replace('/', '.'));", {"Reader", "Writer"}),
        ('make("p." + "reader".substring(0, 1).toUpperCase() + "reader".substring(1));', {"Reader"}),
        ('make(Reader.class.getPackageName() + ".Wri" + unknown);', EVERY),
        ('make(Writer.class.getName() + "Factory");', {"WriterFactory"}),
        ('make(unknown.replace("a", "b"));', set()),
    ],
)
@pytest.mark.slow
def test_classes_by_texts_that_calls_make(statements: str, classes: set[str]) -> None:
    assert made(statements)[1] == classes


@pytest.mark.slow
def test_builders_that_other_variables_hold_begin_and_end_with_any_part() -> None:
    results, classes = made("""
            StringBuilder builder = new StringBuilder();
            if (args.length > 1) builder.append("p.Wri");
            if (args.length > 2) builder.append(unknown);
            builder.append("Factory");
            make(builder.toString());
            make(String.format("p.%s%s", unknown, "der"));              // calls M.make
            make(unknown.replace('/', '.'));                            // is forName
    """)
    assert classes == {"Writer", "WriterFactory", "Reader"}
    assert "forName" in {kind for _, kind in unsound(results)}


@pytest.mark.slow
def test_changes_in_loops_have_an_end() -> None:
    _, classes = made("""
            String name = "p.Reader";
            for (String arg : args) name = (name.replace('a', 'e') + name).replace('e', 'a').toLowerCase().concat(name);
            for (String arg : args) name = name.replace("a", "aa").replace("aa", "aaa");
            make(name);
    """)
    assert classes == {"Reader"}


@pytest.mark.parametrize(
    ("method", "format_", "literals"),
    [
        ("<java.lang.String: java.lang.String format(", "a%sb%5.2fc%%%nd", ["a", "b", "c%\nd"]),
        ("<java.lang.String: java.lang.String format(", "plain", ["plain"]),
        (
            "<java.text.MessageFormat: java.lang.String format(",
            "a{0}'{1}'b{2,choice,1#x{3}|2#y}c''d",
            ["a", "{1}b", "c'd"],
        ),
        ("<java.text.MessageFormat: java.lang.String format(", "a{0", ["a"]),
    ],
)
def test_texts_around_the_values_of_formats(method: str, format_: str, literals: list[str]) -> None:
    assert java_texts.format_begin(method, format_) == literals[0]
    assert java_texts.format_end(method, format_) == literals[-1]


@pytest.mark.parametrize(
    ("format_", "first", "last"),
    [
        ("%s.%s", 0, 1),
        ("%2$s%1$s", 1, 0),
        ("%s%n", 0, -1),
        ("%5s%.2s", -1, -1),
        ("%d%s%<s", -1, -1),
        ("%%%s", -1, 0),
        ("", -1, -1),
    ],
)
def test_arguments_at_the_ends_of_formats(format_: str, first: int, last: int) -> None:
    method = "<java.lang.String: java.lang.String format("
    assert (java_texts.format_first(method, format_), java_texts.format_last(method, format_)) == (first, last)


@pytest.mark.parametrize(
    ("method", "arguments", "text"),
    [
        ("replace(char,char)", ("/", "."), "a.b"),
        ("replaceAll(java.lang.String,java.lang.String)", ("/", "."), "a.b"),
        ("replaceAll(java.lang.String,java.lang.String)", (".", "x"), ""),
        ("replaceAll(java.lang.String,java.lang.String)", (r"\/", r"\$"), "a$b"),
        ("replaceAll(java.lang.String,java.lang.String)", ("/", "$1"), ""),
        ("replaceAll(java.lang.String,java.lang.String)", (r"\w", "x"), ""),
        ("substring(int)", ("1", ""), "/b"),
        ("substring(int,int)", ("0", "1"), "a"),
        ("substring(int)", ("-1", ""), ""),
        ("toUpperCase()", ("", ""), "A/B"),
        ("split(java.lang.String)", ("/", ""), ""),
    ],
)
def test_changes_of_texts(method: str, arguments: tuple[str, str], text: str) -> None:
    assert java_texts.changed(f"<java.lang.String: java.lang.String {method}>", "a/b", *arguments) == text


@pytest.mark.parametrize(
    ("method", "name"),
    [("getName", "p.A$B"), ("getCanonicalName", "p.A.B"), ("getSimpleName", "B"), ("getPackageName", "p")],
)
def test_names_of_classes(method: str, name: str) -> None:
    assert java_texts.class_name(method, "p.A$B") == name


@pytest.mark.parametrize(
    ("pattern", "group", "part"),
    [
        (r'"/items/(\\d+)/(.*)"', "1", r'"\\d+"'),
        (r'"a\\((?:x|y)[(](?<id>\\w+(-\\w+)?)"', '"id"', r'"\\w+(-\\w+)?"'),
        (r'"a\\((?:x|y)[(](?<id>\\w+(-\\w+)?)"', "2", r'"-\\w+"'),
        ('"a(b)c"', "0", '"a(b)c"'),
        ('"a(b)c"', "2", None),
        ('"a(b"', "1", None),
        ('")a(b)"', "1", '"b"'),
    ],
)
def test_groups_of_patterns(pattern: str, group: str, part: str | None) -> None:
    assert list(java_texts.group_of(pattern, group)) == ([] if part is None else [part])
