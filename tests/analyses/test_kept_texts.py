"""String constants are objects of their own where it matters which one a variable holds, and one object elsewhere;
reflection looks up names as long as there are not hundreds of them."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, Results, analyse, assert_calls, unsound

ANY = "opaque java.lang.String"


def _results(source: str) -> Results:
    return analyse("pointsto", Project.of({"M.java": source}), "main", reflection="strings")


def _held(results: Results, variable: str) -> set[str]:
    return {row[0] for row in results.rows("VarPointsTo") if row[2 if len(row) > 3 else 1].endswith(f"/{variable}")}


def _reachable(results: Results) -> set[str]:
    return {row[0] for row in results.rows("Reachable")}


ROUTES = """
    import java.util.*; import java.util.function.*;
    class A { } class B { } class C { } class D { } class E { } class F { } class G { } class H { } class I { }
    class M {
        static final String[] NAMES = {"A", "B"};
        static String field = "C";
        String own = "D";
        static void fill(String[] into) { into[0] = "E"; }
        static String first(String... names) { return names[0]; }
        static Object make(String name) throws Exception { return Class.forName(name).newInstance(); }
        static Object with(UnaryOperator<String> change, String name) throws Exception {
            return make(change.apply(name));
        }
        static String same(String name) { return name; }
        public static void main(String[] args) throws Exception {
            for (String name : NAMES) make(name);
            make(field);
            make(new M().own);
            String[] later = new String[1];
            fill(later);
            make(later[0].trim());
            make(first("F", args[0]));
            with(n -> n, "G");
            with(M::same, "H");
            make(Objects.requireNonNull(args.length > 1 ? "I" : args[1]));
        }
    }
"""


def test_names_are_kept_on_their_way_to_where_they_are_looked_up() -> None:
    reachable = _reachable(_results(ROUTES))
    assert {f"{name}.<init>()" for name in "ABCDEFGHI"} <= reachable


CONTAINERS = """
    import java.util.*; import java.util.function.*;
    class A { } class B { } class C { } class D { } class E { } class F { } class G { } class H { }
    class Not { } class Neither { }
    class M {
        static final Map<String, String> KNOWN = new HashMap<>();
        static { KNOWN.put("a", "A"); KNOWN.put("b", B.class.getName()); }
        static final Map<String, String> UNUSED = new HashMap<>();
        static Object make(String name) throws Exception { return Class.forName(name).newInstance(); }
        static void configure(Properties into) { into.setProperty("c", "C"); }
        static List<String> names() { List<String> names = new ArrayList<>(); names.add("D"); return names; }
        static void quiet(String name) { try { make(name); } catch (Exception e) { } }
        public static void main(String[] args) throws Exception {
            make(KNOWN.get(args[0]));
            Properties properties = new Properties();
            configure(properties);
            make(properties.getProperty(args[1], "E"));
            for (String name : names()) make(name);
            Arrays.asList("F").forEach(name -> quiet(name));
            Iterator<String> iterator = new LinkedHashSet<>(List.of("G")).iterator();
            while (iterator.hasNext()) make(iterator.next());
            make(new ArrayList<>(Map.of("key", "H").values()).get(0));
            UNUSED.put("n", "Not");
            KNOWN.put("Neither", "A");
        }
    }
"""


def test_names_of_classes_are_kept_in_containers() -> None:
    """But not those of containers and of keys that no name is taken from."""
    results = _results(CONTAINERS)
    reachable = _reachable(results)
    assert {f"{name}.<init>()" for name in "ABCDEFGH"} <= reachable
    assert not {"Not.<init>()", "Neither.<init>()"} & reachable
    assert not [row for row in unsound(results) if row[1] == "forName"]


def _many_contained(number: int) -> str:
    classes = "".join(f"class K{n} {{ }}\n" for n in range(number))
    puts = "".join(f'map.put("{n}", "K{n}");\n' for n in range(number))
    return f"""
        import java.util.*;
        class Near {{ }} {classes}
        class M {{
            static Object make(String name) throws Exception {{
                return Class.forName(name).newInstance();       // is forName
            }}
            public static void main(String[] args) throws Exception {{
                Map<String, String> map = new HashMap<>();
                {puts}
                make(map.getOrDefault(args[0], "Near"));
            }}
        }}
    """


@pytest.mark.parametrize(("number", "found"), [(60, True), (600, False)])
def test_a_container_of_hundreds_of_names_is_not_known(number: int, found: bool) -> None:
    results = _results(_many_contained(number))
    reachable = _reachable(results)
    assert "Near.<init>()" in reachable
    assert {f"K{n}.<init>()" in reachable for n in range(number)} == {found}
    assert any(kind == "forName" for _, kind in unsound(results)) is not found


MESSAGES = """
    import java.util.*;
    class M {
        static void log(String message) { }
        static String text(String value) { return value; }
        public static void main(String[] args) {
            log("one"); log("two " + args.length);
            Map<String, Object> map = new HashMap<>();
            String key = text("key");
            map.put(key, map);
            String other = args.length > 0 ? "some" : "any";
            map.get(other);
        }
    }
"""


def test_other_texts_are_one_object() -> None:
    results = _results(MESSAGES)
    assert _held(results, "message") == {ANY}
    assert _held(results, "key") == {'"key"'}  # the only text that gets to a key
    assert _held(results, "other") == {ANY}  # one of two


def _many(number: int) -> str:
    classes = "".join(f"class K{n} {{ }}\n" for n in range(number))
    calls = "".join(f'make("K{n}");\n' for n in range(number))
    return f"""
        class Near {{ }} {classes}
        class M {{
            static Object make(String name) throws Exception {{
                if (name.isEmpty()) name = "Near";
                return Class.forName(name).newInstance();       // is forName
            }}
            public static void main(String[] args) throws Exception {{
                {calls}
            }}
        }}
    """


@pytest.mark.parametrize(("number", "found"), [(60, True), (600, False)])
def test_a_name_of_hundreds_is_not_known(number: int, found: bool) -> None:
    results = _results(_many(number))
    reachable = _reachable(results)
    assert "Near.<init>()" in reachable
    assert {f"K{n}.<init>()" in reachable for n in range(number)} == {found}
    assert any(kind == "forName" for _, kind in unsound(results)) is not found


CLASSES = """
    class Few { } class FewImpl { } class Cast { } class CastTwin { } class OtherTwin { }
    class Many { Many(int n) { } Many() { } } %s
    class M {
        static Object implementation(Class<?> of) throws Exception {
            return Class.forName(of.getName() + "Impl").newInstance();
        }
        static <T> Object cast(T of) throws Exception {
            Class<T> type = (Class<T>) Cast.class;
            return Class.forName(type.getName() + "Twin").newInstance();
        }
        static Object any(Object of) throws Exception {
            return Class.forName(of.getClass().getName()).newInstance();
        }
        public static void main(String[] args) throws Exception {
            implementation(Few.class);
            cast(args);
            any(new Many(1));
        }
    }
"""


@pytest.mark.parametrize(("others", "found"), [(0, True), (600, False)])
def test_names_of_classes_are_counted_too(others: int, found: bool) -> None:
    """`getClass` of a variable that may hold objects of hundreds of classes gives hundreds of names."""
    reachable = _reachable(_results(CLASSES % "".join(f"class O{n} {{ }}\n" for n in range(others))))
    assert {"FewImpl.<init>()", "CastTwin.<init>()"} <= reachable and "OtherTwin.<init>()" not in reachable
    assert ("Many.<init>()" in reachable) is found


BRIDGES = """
    import java.util.*;
    abstract class Reader<T> { abstract void into(T target); static <T> void run(Reader<T> r, T t) { r.into(t); } }
    class Lists extends Reader<List<Object>> { void into(List<Object> list) { list.add(this); } }
    class Items extends Reader<Item> { void into(Item item) { item.touch(); } }         // calls Item.touch
    class Item { void touch() { } }
    class M {
        public static void main(String[] args) {
            Reader.run(new Lists(), new ArrayList<>());
            Reader.run(new Items(), new Item());
        }
    }
"""


def test_what_overrides_a_generic_method_gets_objects_of_its_own_types() -> None:
    results = assert_calls(BRIDGES)
    assert {held.rpartition("/")[2] for held in _held(results, "list")} == {"new ArrayList"}
    assert {held.rpartition("/")[2] for held in _held(results, "item")} == {"new Item"}
