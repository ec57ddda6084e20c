"""What containers hold that are not told apart: nothing is added to what is unmodifiable, and what is taken from one
is of the type that the program says."""

from __future__ import annotations

import re

import pytest

from tests.analyses.annotated import Project, analyse
from tests.marks import slow_but

CLASSES = """
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;
    class A { }
    class B { }
    class M {
        static void fill(Collection<Object> c) { c.add(new B()); }
        public static void main(String[] args) {
            %s
        }
    }
"""
UNMODIFIABLE = {
    "a set": """Collection c = Set.of(new A()); fill(c); fill(new HashSet<>());
            Object o = c.iterator().next(); // o = {A}""",
    "a list": "List c = List.of(new A()); fill(c); fill(new ArrayList<>()); Object o = c.get(0); // o = {A}",
    "of one": "List c = Collections.singletonList(new A()); fill(c); Object o = c.get(0); // o = {A}",
    "of a stream": "List c = Stream.of(new A()).toList(); fill(c); Object o = c.get(0); // o = {A}",
    "a map": """Map<Object, Object> c = args.length > 0 ? Map.of("a", new A()) : new HashMap<>(); c.put("b", new B());
            Map<Object, Object> only = Map.of("a", new A()); Map<Object, Object> d = args.length > 0 ? only : c;
            d.put("b", new B());
            Object o = only.get("a"); // o = {A}""",
    "what is shown of another": """List<Object> inner = new ArrayList<>(); inner.add(new A());
            List c = Collections.unmodifiableList(inner); fill(c); Object o = c.get(0); // o = {A}""",
    "what is added behind it": """List<Object> inner = new ArrayList<>(); List c = Collections.unmodifiableList(inner);
            fill(inner); Object o = c.get(0); // o = {B}""",
    "a view": """Map<Object, Object> m = new HashMap<>(); Collection c = m.values(); fill(c); m.put("a", new A());
            Object o = c.iterator().next(); // o = {A}""",
    "a modifiable one": """Collection c = new HashSet(); c.add(new A()); fill(c); Object o = c.iterator().next();
            // o = {A, B}""",
    "of fixed size": "List c = Arrays.asList(new A()); c.set(0, new B()); Object o = c.get(0); // o = {A, B}",
}
TYPED = {
    "copied": """List raw = mixed(); List<A> a = raw; List<Object> b = new ArrayList<>(a); Object o = b.get(0);
            // o = {A}""",
    "all of it": """List raw = mixed(); List<A> a = raw; List b = new ArrayList(); b.addAll(a);
            Object o = b.get(0); // o = {A}""",
    "of a subtype": """List raw = mixed(); List<? extends A> a = raw; Object[] b = a.toArray(); Object o = b[0];
            // o = {A}""",
    "raw": "List raw = mixed(); List<Object> b = new ArrayList<>(raw); Object o = b.get(0); // o = {A, B}",
    "of lists": """List raw = mixed(); List<List<A>> a = new ArrayList<>(); a.add(raw);
            Object o = a.get(0).get(0); // o = {A}""",
    "a map's": """Map raw = new HashMap(); raw.put("a", new A()); raw.put("b", new B()); Map<String, A> a = raw;
            Map<String, Object> b = new HashMap<>(a); Object o = b.get("a"); // o = {A}""",
    "a class of the program with arguments of its own": """Bag<String> bag = new Bag<>(); bag.add(new A());
            Object o = bag.get(0);
            // o = {A}""",
    "in a loop": "List raw = mixed(); for (A o : (List<A>) raw) { } // o = {A}",
    "in a loop over what is raw": "List raw = mixed(); for (Object o : raw) { } // o = {A, B}",
    "cast": "List raw = mixed(); A o = (A) raw.get(0); // o = {A}",
    "by a function": """Function raw = x -> args.length > 0 ? new A() : new B(); Function<String, A> f = raw;
            A o = f.apply("a"); // o = {A}""",
    "by a reference": "Supplier raw = M::either; Supplier<A> f = raw; A o = f.get(); // o = {A}",
    "by a raw function": "Supplier f = M::either; Object o = f.get(); // o = {A, B}",
}


def assert_classes(text: str) -> None:
    """The variable holds objects of the classes that the comment `// o = {…}` says."""
    (comment,) = re.findall(r"// o = \{(.*)\}", text)
    held = analyse("pointsto", Project.of({"M.java": text})).objects()["M.main(String[])/o"]
    assert {name.partition("@")[0] for name in held} == set(comment.split(", "))


@pytest.mark.parametrize("name", slow_but(["a set"], UNMODIFIABLE))
def test_nothing_is_added_to_what_is_unmodifiable(name: str) -> None:
    assert_classes(CLASSES % UNMODIFIABLE[name])


@pytest.mark.parametrize("name", slow_but(["copied"], TYPED))
def test_what_is_taken_is_of_the_type_that_the_program_says(name: str) -> None:
    mixed = """static List mixed() { List c = new ArrayList(); c.add(new A()); c.add(new B()); return c; }
        static Object either() { return new Random().nextBoolean() ? new A() : new B(); }
        static void fill("""
    text = CLASSES.replace("static void fill(", mixed) % TYPED[name] + "class Bag<T> extends ArrayList<A> { }"
    assert_classes(text)
