"""Classes of the project that extend containers of the library: what they hold is told apart, and what the library
calls of them is called."""

from __future__ import annotations

from tests.analyses.annotated import assert_calls

SHAPES = """
    import java.util.*;
    import java.util.concurrent.*;
    interface Shape { default void draw() { } }
    class Circle implements Shape { public void draw() { } }
    class Square implements Shape { public void draw() { } }
    class Log { static void note() { } static void other() { } }
"""
OPEN = 'System.getProperties().put("any", new Square());'


def test_what_they_hold_is_told_apart() -> None:
    """Whether they override nothing, what the library does not call, or what gets and gives nothing."""
    assert_calls(f"""{SHAPES}
        class Plain extends ArrayList<Shape> {{ Shape first() {{ return get(0); }} }}
        class Counting extends ArrayList<Shape> {{
            int added;
            public boolean add(Shape s) {{ added++; return super.add(s); }}
            public int size() {{ Log.note(); return super.size(); }}    // calls Log.note
        }}
        class Recent<V> extends LinkedHashMap<String, V> {{
            Recent() {{ super(9, 0.7f, true); }}
            protected boolean removeEldestEntry(Map.Entry<String, V> e) {{
                Log.other();                                            // calls Log.other
                return size() > 9;
            }}
            public V put(String k, V v) {{ return super.put(k, v); }}
        }}
        class Copied extends HashMap<String, Shape> {{ Copied(Map<String, Shape> of) {{ super(of); }} }}
        class M {{ public static void main(String[] args) {{
            {OPEN}
            Plain plain = new Plain();
            plain.add(new Circle());
            plain.first().draw();                                       // calls Plain.first, Circle.draw
            for (Shape s : plain) s.draw();                             // calls Circle.draw
            plain.stream().forEach(s -> s.draw());                      // calls Circle.draw
            Counting counting = new Counting();
            counting.add(new Circle());                                 // calls Counting.add
            counting.get(0).draw();                                     // calls Circle.draw
            Recent<Shape> recent = new Recent<>();
            recent.put("k", new Circle());                              // calls Recent.put
            recent.get("k").draw();                                     // calls Circle.draw
            List<Shape> filled = new ArrayList<>() {{{{ add(new Circle()); }}}};
            filled.get(0).draw();                                       // calls Circle.draw
            new Copied(Map.of("k", new Circle())).get("k").draw();      // calls Circle.draw
        }} }}
    """)


def test_methods_that_the_library_calls_with_what_they_hold() -> None:
    assert_calls(f"""{SHAPES}
        class Recent extends LinkedHashMap<String, Shape> {{
            protected boolean removeEldestEntry(Map.Entry<String, Shape> e) {{
                e.getValue().draw(); // calls Circle.draw, Square.draw, Shape.draw
                return false;
            }}
        }}
        class Seen extends HashSet<Shape> {{
            Seen(Collection<Shape> of) {{ super(of); }}
            public boolean add(Shape s) {{ s.draw(); return true; }} // calls Circle.draw, Square.draw, Shape.draw
        }}
        class Own extends TreeMap<String, Shape> {{
            public Shape put(String k, Shape s) {{ s.draw(); return s; }} // calls Circle.draw, Square.draw, Shape.draw
        }}
        class Kept extends ArrayList<Shape> {{
            public Iterator<Shape> iterator() {{ return Arrays.<Shape>asList(new Square()).iterator(); }}
            void all() {{ for (Shape s : this) s.draw(); }} // calls Kept.iterator, Circle.draw, Square.draw, Shape.draw
        }}
        class M {{ public static void main(String[] args) {{
            new Recent().put("k", new Circle());
            new Seen(List.of(new Circle())).size();
            new Own().putAll(Map.of("k", new Circle()));
            new Kept().all();                                           // calls Kept.all
        }} }}
    """)


def test_objects_that_escape_otherwise() -> None:
    """By an argument of a call of which nothing is known, as one of the library's, and by a method without rows."""
    assert_calls(f"""{SHAPES}
        class Plain extends ArrayList<Shape> {{ void draw() {{ Log.note(); }} }}
        class M {{ public static void main(String[] args) {{
            {OPEN}
            Plain plain = new Plain();
            plain.add(new Circle());
            plain.get(0).draw();                                        // calls Circle.draw, Square.draw
            unknown.Registry.keep(plain);
            ((Plain) unknown.Registry.find()).draw();                   // calls Plain.draw
        }} }}
    """)
