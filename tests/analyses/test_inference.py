"""Types that method references and diamonds leave to inference, seen by what calls on the results reach."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls

ITEMS = """
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;
    class Item { int key() { return 1; } Part part() { return new Part(); } void hit() { } }
    class Big extends Item { void big() { } }
    class Part { void hit() { } String text() { return ""; } }
"""


def test_method_references_tell_the_type_arguments_of_collectors() -> None:
    assert_calls(
        ITEMS
        + """
    class M {
        static boolean odd(Item item) { return true; }
        public static void main(String[] args) {
            List<Big> items = List.of(new Big());
            items.stream().collect(Collectors.groupingBy(Item::key)).get(1)
                .get(0).big();                                      // calls Big.big
            items.stream().collect(Collectors.partitioningBy(M::odd)).get(true)
                .get(0).big();                                      // calls Big.big
            items.stream().collect(Collectors.mapping(Item::part, Collectors.toList()))
                .get(0).hit();                                      // calls Part.hit
            items.stream().collect(Collectors.mapping(i -> i.part(), Collectors.toList()))
                .get(0).hit();                                      // calls Part.hit
            items.stream().collect(Collectors.groupingBy(Item::key, Collectors.mapping(Item::part, Collectors.toSet())))
                .get(1).iterator().next().hit();                    // calls Part.hit
        }
    }
    """
    )


def test_plain_references_take_the_type_arguments_of_what_they_get() -> None:
    assert_calls(
        ITEMS
        + """
    class Box<T> { final T held; Box(T held) { this.held = held; } T get() { return held; } }
    class Cell<T> { final T held; Cell(T held) { this.held = held; } T get() { return held; } }
    class Full extends Cell<Part> { Full() { super(new Part()); } }
    class M {
        public static void main(String[] args) {
            List<Item> items = List.of(new Item());
            Stream.of(items).flatMap(List::stream).toList()
                .get(0).hit();                                      // calls Item.hit
            Stream.of(items).flatMap(Collection::stream).map(Item::part).toList()
                .get(0).hit();                                      // calls Part.hit
            Stream.of(new Box<>(new Item())).map(Box::get).toList()
                .get(0).hit();                                      // calls Item.hit
            Stream.of(new Full()).map(Cell::get).toList()
                .get(0).hit();                                      // calls Part.hit
        }
    }
    """
    )


def test_comparators_made_of_references() -> None:
    reachable = {
        row[0]
        for row in assert_calls(
            ITEMS
            + """
    class M {
        public static void main(String[] args) {
            Comparator<Item> order = Comparator.comparing(Item::key)
                .thenComparing(i -> i.part().text());               // calls Item.part, Part.text
            order.compare(new Item(), new Item());
        }
    }
    """
        ).rows("Reachable")
    }
    assert "Part.text()" in reachable and "Part.hit()" not in reachable


@pytest.mark.slow
def test_methods_of_anonymous_classes_with_a_diamond() -> None:
    assert_calls(
        ITEMS
        + """
    interface Visitor<T, R> { R visit(T t, int depth); default R start(T t) {
        return visit(t, 0);                                         // calls 1.visit
    } }
    abstract class Sink<T> {
        abstract void put(T t);
        void put(String s) { }
        void all(List<T> items) {
            for (T item : items) put(item);                         // calls 2.put
        }
    }
    class M {
        public static void main(String[] args) {
            Visitor<Item, Part> visitor = new Visitor<>() {
                public Part visit(Item item, int depth) {
                    return item.part();                             // calls Item.part
                }
            };
            visitor.start(new Item()).hit();                        // calls Part.hit, Visitor.start
            Sink<Item> sink = new Sink<>() { void put(Item item) {
                item.hit();                                         // calls Item.hit
            } };
            sink.all(List.of(new Item()));                          // calls Sink.all
            Comparator<Item> order = new Comparator<>() { public int compare(Item a, Item b) {
                return a.key();                                     // calls Item.key
            } };
            order.compare(new Item(), new Item());                  // calls 3.compare
        }
    }
    """
    )
