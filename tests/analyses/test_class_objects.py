"""Classes that `getClass` and its like give, arrays made by reflection, and names and classes that annotations say."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls, unsound


@pytest.mark.slow
def test_classes_of_objects() -> None:
    results = assert_calls("""
        class Above { Above copy() throws Exception {
                return getClass().getDeclaredConstructor().newInstance();
            } void go() { } }
        class Below extends Above { void go() { } }
        class Never extends Above { void go() { } }
        class Part { Part() { made(); } Part(int i) { made(); } void made() { } }
        class M { public static void main(String[] args) throws Exception {
            Above one = new Below();
            one.copy().go(); // calls Above.copy, Below.go
            Class<?> above = one.getClass().getSuperclass();
            ((Above) above.newInstance()).go(); // calls Above.go, Below.go
            one.getClass().getMethod("go").invoke(one); // calls Below.go
            Object part = Part.class.getDeclaredConstructors()[0].newInstance(1);
        } }
    """)
    reached = {row[0] for row in results.rows("Reachable")}
    assert {"Part.<init>()", "Part.<init>(int)", "Part.made()"} <= reached


def test_values_of_annotations() -> None:
    assert_calls("""
        import java.lang.annotation.*;
        enum Kind { A { void go() { } }, B { void go() { } }; abstract void go(); }
        interface Job { void go(); }
        class One implements Job { public void go() { } }
        class Two implements Job { public void go() { } }
        class Three implements Job { public void go() { } }
        class Never implements Job { public void go() { } }
        @Retention(RetentionPolicy.RUNTIME) @interface Uses {
            String name(); Class<? extends Job>[] classes() default { Two.class }; Class<?> one() default Three.class;
            String[] more() default { }; Kind kind() default Kind.A; String method() default "run";
        }
        @interface Other { String name() default "Never"; }
        @Uses(name = "One", more = "Two") @Other class Bean { public void run() { } public void stop() { } }
        class M { public static void main(String[] args) throws Exception {
            Uses uses = Bean.class.getAnnotation(Uses.class);
            ((Job) Class.forName(uses.name()).newInstance()).go(); // calls One.go
            for (Class<? extends Job> each : uses.classes()) each.newInstance().go(); // calls Two.go
            for (String each : uses.more()) ((Job) Class.forName(each).newInstance()).go(); // calls Two.go
            ((Job) uses.one().newInstance()).go(); // calls Three.go
            uses.kind().go(); // calls 1.go, 2.go
            Bean.class.getMethod(uses.method()).invoke(new Bean()); // calls Bean.run
        } }
    """)


def test_arrays() -> None:
    assert_calls("""
        import java.lang.reflect.Array;
        class A { void go() { } }
        class B extends A { void go() { } }
        class M { public static void main(String[] args) {
            Object made = Array.newInstance(A.class, 2);
            Array.set(made, 0, new B());
            ((A) Array.get(made, 0)).go(); // calls B.go
            A[] array = (A[]) made;
            array[0].go(); // calls B.go
            A[] own = new A[1];
            Array.set(own, 0, new A());
            own[0].go(); // calls A.go
        } }
    """)


def test_class_loaders_of_the_project_are_asked_for_classes() -> None:
    results = assert_calls("""
        interface Job { void go(); }
        class One implements Job { public void go() { } }
        class Two implements Job { public void go() { } }
        class Never implements Job { public void go() { } }
        class Own extends ClassLoader {
            byte[] bytes(String name) { return new byte[0]; }
            protected Class<?> findClass(String name) {
                byte[] bytes = bytes(name); // calls Own.bytes
                return defineClass(name, bytes, 0, bytes.length);               // is loader
            }
        }
        class Mapping extends java.net.URLClassLoader {
            Mapping() { super(new java.net.URL[0]); }
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                return super.loadClass(other(name));
            }
            String other(String name) { return "Two"; }
        }
        class M { public static void main(String[] args) throws Exception {
            ((Job) new Own().loadClass("One").newInstance()).go(); // calls One.go, Own.findClass, Two.go
            Object mapped = Class.forName(args[0], true, new Mapping()).newInstance(); // calls Mapping.loadClass
            ((Job) mapped).go(); // calls One.go, Two.go
        } }
    """)
    assert {kind for _, kind in unsound(results)} == {"loader", "forName"}


def test_handles_of_members_that_reflection_found() -> None:
    assert_calls("""
        import java.lang.invoke.*;
        class A { A() { made(); } void made() { } void go() { } B part; }
        class B { void go() { } }
        class M { public static void main(String[] args) throws Throwable {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            A a = (A) lookup.unreflectConstructor(A.class.getDeclaredConstructor()).invoke();
            lookup.unreflect(A.class.getDeclaredMethod("go")).invoke(a); // calls A.go
            lookup.unreflectSetter(A.class.getDeclaredField("part")).invoke(a, new B());
            a.part.go(); // calls B.go
            VarHandle part = lookup.unreflectVarHandle(A.class.getDeclaredField("part"));
            ((B) part.get(a)).go(); // calls B.go
        } }
    """)


@pytest.mark.slow
def test_member_classes_and_permitted_subclasses() -> None:
    assert_calls("""
        class M {
            interface Job { void run(); }
            static class One implements Job { public void run() { } }
            static class Two implements Job { public void run() { } }
            sealed interface Shape permits Round, Square { void draw(); }
            record Round() implements Shape { public void draw() { } }
            record Square() implements Shape { public void draw() { } }
            static void members() throws Exception {
                for (Class<?> c : M.class.getDeclaredClasses())
                    ((Job) c.getDeclaredConstructor().newInstance()).run();      // calls One.run, Two.run
            }
            static void subclasses() throws Exception {
                for (Class<?> c : Shape.class.getPermittedSubclasses())
                    ((Shape) c.getDeclaredConstructor().newInstance()).draw();   // calls Round.draw, Square.draw
            }
            public static void main(String[] args) throws Exception { members(); subclasses(); }
        }
        class Elsewhere implements M.Job { public void run() { } }
        """)


@pytest.mark.slow
def test_bundles_of_resources_that_are_classes() -> None:
    assert_calls("""
        import java.util.*;
        class Words extends ListResourceBundle {
            protected Object[][] getContents() { return rows(); }                // calls Words.rows
            Object[][] rows() { return null; }
        }
        class Never extends ListResourceBundle {
            protected Object[][] getContents() { return rows(); }                // calls nothing
            Object[][] rows() { return null; }
        }
        class M {
            public static void main(String[] args) {
                ResourceBundle.getBundle("Words").getString("k");
                "Never".length();
            }
        }
        """)


def test_values_of_classes_are_computed_of_the_class_that_is_given() -> None:
    assert_calls("""
        class A { public A() { made(); } void made() { } }                // calls A.made
        class B { public B() { made(); } void made() { } }                // calls nothing
        class Maker {
            final Class<?> of;
            Maker(Class<?> of) { this.of = of; }
            Object make() throws Exception {
                return of.getDeclaredConstructor().newInstance();
            }
        }
        class Makers extends ClassValue<Maker> {
            protected Maker computeValue(Class<?> type) { return new Maker(type); }
        }
        class M {
            static final Makers MAKERS = new Makers();
            public static void main(String[] args) throws Exception {
                Object never = B.class;
                MAKERS.get(A.class).make();                             // calls Makers.computeValue, Maker.make
            }
        }
    """)


def test_accessors_of_properties_are_those_of_the_object() -> None:
    assert_calls("""
        import java.beans.*;
        class Point {
            public int getX() { return 0; }
            public boolean isFar() { return true; }
            public void setX(int x) { }
            public void move() { }
            int getHidden() { return 0; }
        }
        class Other { public int getX() { return 0; } }
        class M { public static void main(String[] args) throws Exception {
            Point point = new Point();
            Object other = new Other();
            for (PropertyDescriptor each : Introspector.getBeanInfo(Point.class).getPropertyDescriptors()) {
                each.getReadMethod().invoke(point);                     // calls Point.getX, Point.isFar
                each.getWriteMethod().invoke(point, 1);                 // calls Point.setX
            }
        } }
    """)
