"""Fields, method handles, Unsafe, names that are put together, and methods whose names are not known."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls
from tests.marks import slow_after

SHAPES = """
    import java.lang.invoke.*;
    import java.lang.reflect.*;
    import java.util.concurrent.atomic.*;
    interface Shape { void draw(); }
    class Round implements Shape { public void draw() { } }
    class Square implements Shape { public void draw() { } }
    class Never implements Shape { public void draw() { } }
    class Box { volatile Shape shape; Shape other; static Shape common; }
"""


@pytest.mark.slow
def test_fields_by_name() -> None:
    assert_calls(
        SHAPES
        + """
    class M { public static void main(String[] args) throws Throwable {
        Box box = new Box();
        box.other = new Square();
        Field field = Box.class.getDeclaredField("shape");
        field.set(box, new Round());
        box.shape.draw();                                                   // calls Round.draw
        ((Shape) field.get(box)).draw();                                    // calls Round.draw
        box.other.draw();                                                   // calls Square.draw
        Box.class.getField("common").set(null, new Square());
        Box.common.draw();                                                  // calls Square.draw
    } }
    """
    )


def test_handles_that_the_library_is_given() -> None:
    """It calls them later: in functions that the program lets it make, and at call sites."""
    assert_calls(
        SHAPES
        + """
    class M {
        static void drawn(Shape shape, int times) {
            shape.draw();                                                   // calls Round.draw, Square.draw
        }
        static Object made() { return new Square(); }
        public static void main(String[] args) throws Throwable {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodType type = MethodType.methodType(void.class, int.class);
            MethodHandle drawn =
                lookup.findStatic(M.class, "drawn", MethodType.methodType(void.class, Shape.class, int.class));
            CallSite site = LambdaMetafactory.metafactory(                  // calls M.drawn
                lookup, "accept", MethodType.methodType(java.util.function.IntConsumer.class, Shape.class), type, drawn,
                type);
            ((java.util.function.IntConsumer) site.getTarget().invokeExact((Shape) new Round())).accept(1);
            CallSite constant = new ConstantCallSite(                       // calls M.made
                lookup.findStatic(M.class, "made", MethodType.methodType(Object.class)));
            ((Shape) constant.dynamicInvoker().invoke()).draw();            // calls M.made, Round.draw, Square.draw
        }
    }
    """
    )


def test_variable_handles_updaters_and_getters() -> None:
    assert_calls(
        SHAPES
        + """
    class M { public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Box box = new Box();
        VarHandle handle = lookup.findVarHandle(Box.class, "other", Shape.class);
        handle.set(box, new Square());
        box.other.draw();                                                   // calls Square.draw
        AtomicReferenceFieldUpdater<Box, Shape> updater =
            AtomicReferenceFieldUpdater.newUpdater(Box.class, Shape.class, "shape");
        updater.compareAndSet(box, null, new Round());
        box.shape.draw();                                                   // calls Round.draw
        Shape read = updater.get(box);
        read.draw();                                                        // calls Round.draw
    } }
    """
    )


@pytest.mark.slow
def test_unsafe_writes_fields_that_are_looked_up() -> None:
    assert_calls(
        SHAPES
        + """
    class M { public static void main(String[] args) throws Exception {
        Field theUnsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) theUnsafe.get(null);
        Box box = new Box();
        unsafe.putObject(box, unsafe.objectFieldOffset(Box.class.getDeclaredField("shape")), new Round());
        box.shape.draw();                                                   // calls Round.draw
        box.other.draw();                                                   // calls nothing
    } }
    """
    )


@pytest.mark.slow
def test_method_handles() -> None:
    results = assert_calls(
        """
    import java.lang.invoke.*;
    class Above { void go() { } void stop() { } static void run() { } }
    class Below extends Above { void go() { } Below() { made(); } void made() { } }
    class M { public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType none = MethodType.methodType(void.class);
        lookup.findVirtual(Above.class, "go", none).invoke(new Below());                    // calls Below.go
        lookup.findSpecial(Above.class, "go", none, Below.class).invoke(new Below());       // calls Above.go
        lookup.findStatic(Above.class, "run", none).asType(none).invokeExact();             // calls Above.run
        lookup.findVirtual(Above.class, "stop", none).bindTo(new Below()).invoke();         // calls Above.stop
        lookup.findConstructor(Below.class, none).invoke();
    } }
    """
    )
    assert "Below.made()" in {row[0] for row in results.rows("Reachable")}


NAMED = """
    package p;
    class Reader { public void go() { } }
    class Writer { public void go() { } }
    class WriterFactory { public void go() { } }
    class M {
        static Object make(String name) throws Exception { return Class.forName(name).newInstance(); }
        public static void main(String[] args) throws Exception {
            Object made = make(%s);
            java.lang.reflect.Method go = made.getClass().getMethod("go");
            ((Reader) made).go();                                           // calls Reader.go
        }
    }
"""


# how the name of a class is put together → the classes that are reached
PUT_TOGETHER: dict[str, set[str]] = {
    '"p." + args[0] + "er"': {"p.Reader", "p.Writer"},
    "args[0] + args[1]": set(),
    '"p.Rea" + "der"': {"p.Reader"},
    '"p." + "Writer" + args.length': {"p.Writer", "p.WriterFactory"},
    'args[0] + "Factory"': {"p.WriterFactory"},
    "args[0]": set(),
}


@pytest.mark.parametrize("name", slow_after(2, PUT_TOGETHER))
def test_names_that_are_put_together(name: str) -> None:
    results = assert_calls(NAMED % name)
    made = {method.partition(".<init>")[0] for (method,) in results.rows("Reachable") if "<init>" in method}
    assert made == PUT_TOGETHER[name]


@pytest.mark.slow
def test_texts_that_loops_put_together_have_an_end() -> None:
    parts = "".join(f'            case {i}: name = name + "part{i}."; break;\n' for i in range(20))
    assert_calls(f"""
    class One {{ public void go() {{ }} public void stop() {{ }} }}
    class M {{ public static void main(String[] args) throws Exception {{
        String name = "g";
        for (int i = 0; i < args.length; i++) switch (args[i].length()) {{
{parts}        }}
        One.class.getMethod(name + "o").invoke(new One());        // calls One.go
    }} }}
    """)


@pytest.mark.slow
def test_methods_by_names_that_are_put_together() -> None:
    assert_calls("""
    class Bean { public void setOne(String s) { } public void setTwo(String s) { } public void one() { } }
    class M { public static void main(String[] args) throws Exception {
        Bean bean = new Bean();
        Bean.class.getMethod("set" + args[0], String.class).invoke(bean, "");        // calls Bean.setOne, Bean.setTwo
    } }
    """)


CHOSEN = """
    import java.lang.reflect.*;
    class Bean { public void setPart(Part p) { p.use(); } void hidden() { } }
    class Part { public Part() { built(); } void built() { } void use() { } }
    class Other { public void go() { } }
    class M { public static void main(String[] args) throws Exception {
        Object bean = new Bean();
        for (Method method : bean.getClass().getMethods()) {
            if (method.getName().startsWith("set")) {
                Object part = method.getParameterTypes()[0].getConstructor().newInstance();
                method.invoke(bean, part);                                  // calls %s
            }
        }
    } }
"""


@pytest.mark.slow
def test_methods_of_which_the_names_are_not_known() -> None:
    results = assert_calls(CHOSEN % "Bean.setPart", reflection="resources")
    assert "Part.built()" in {row[0] for row in results.rows("Reachable")}
    results = assert_calls(CHOSEN % "Bean.setPart", reflection="strings")  # by how its name begins
    assert "Part.built()" not in {row[0] for row in results.rows("Reachable")}
    assert_calls(CHOSEN.replace("startsWith", "endsWith") % "nothing", reflection="strings")


def test_methods_that_are_chosen_by_their_annotations() -> None:
    results = assert_calls("""
        import java.lang.annotation.*;
        import java.lang.reflect.*;
        @Retention(RetentionPolicy.RUNTIME) @interface Option { String value(); }
        @Retention(RetentionPolicy.RUNTIME) @interface Other { }
        class Bean { @Option("a") private void set(String s) { } @Other void not() { } void plain() { } }
        class Common { @Option("b") static void all() { } @Option("c") void elsewhere() { } }
        class M {
            static void call(Method method, Object bean) throws Exception {
                method.invoke(bean, "");                                    // calls Bean.set, Common.all
            }
            public static void main(String[] args) throws Exception {
                Bean bean = new Bean();
                for (Method method : bean.getClass().getDeclaredMethods()) {
                    Option option = method.getAnnotation(Option.class);
                    if (option != null) call(method, bean);                 // calls M.call
                }
            }
        }
    """)
    assert "Common.elsewhere()" not in {row[0] for row in results.rows("Reachable")}


@pytest.mark.slow
def test_handles_made_of_several() -> None:
    assert_calls(
        """
    import java.lang.invoke.*;
    import java.util.function.*;
    class M {
        static boolean small(int x) { return x < 10; }
        static int twice(int x) { return 2 * x; }
        static int plus(int x) { return x + 1; }
        static int never(int x) { return x; }
        static String risky(int x) { return ""; }
        static String saved(Throwable t, int x) { return ""; }
        public static void main(String[] args) throws Throwable {
            MethodHandles.Lookup l = MethodHandles.lookup();
            MethodType t = MethodType.methodType(int.class, int.class);
            MethodHandle small = l.findStatic(M.class, "small", MethodType.methodType(boolean.class, int.class));
            MethodHandle twice = l.findStatic(M.class, "twice", t), plus = l.findStatic(M.class, "plus", t);
            MethodHandle never = l.findStatic(M.class, "never", t);
            MethodHandles.guardWithTest(small, twice, plus).invoke(4);          // calls M.small, M.twice, M.plus
            MethodHandles.filterReturnValue(twice, plus).invoke(4);             // calls M.twice, M.plus
            MethodHandle risky = l.findStatic(M.class, "risky", MethodType.methodType(String.class, int.class));
            MethodType s = MethodType.methodType(String.class, Throwable.class, int.class);
            MethodHandle saved = l.findStatic(M.class, "saved", s);
            MethodHandles.catchException(risky, Exception.class, saved).invoke(2);  // calls M.risky, M.saved
            MethodHandleProxies.asInterfaceInstance(IntUnaryOperator.class, twice).applyAsInt(5);  // calls M.twice
        }
    }
    """
    )


@pytest.mark.slow
def test_methods_chosen_by_how_their_names_begin() -> None:
    assert_calls(
        """
    import java.lang.reflect.*;
    import java.util.*;
    public class M {
        public static class Bean {
            public String getName() { return ""; }
            public void setName(String s) { }
            public void setAge(String s) { }
            public void other() { }
            void getHidden() { }
        }
        record Pair(String left, Bean right) { void more() { } }
        static void read(Object o) throws Exception {
            for (Method m : o.getClass().getMethods())
                if (m.getName().startsWith("get")) m.invoke(o);                 // calls Bean.getName, Bean.setName
        }
        static void write(Object o, String property) throws Exception {
            for (Method m : o.getClass().getMethods())
                if (m.getName().equals("set" + property)) m.invoke(o, "");      // calls Bean.getName, Bean.setName
        }
        static void show(Record r) throws Exception {
            for (RecordComponent c : r.getClass().getRecordComponents())
                c.getAccessor().invoke(r);                                      // calls Pair.left, Pair.right
        }
        public static void main(String[] args) throws Exception {
            read(new Bean());
            write(new Bean(), "Name");
            show(new Pair("", new Bean()));
        }
    }
    """
    )


@pytest.mark.slow
def test_fields_chosen_by_their_annotations() -> None:
    assert_calls(
        """
    import java.lang.annotation.*;
    import java.lang.reflect.*;
    class M {
        @Retention(RetentionPolicy.RUNTIME) @interface Inject { }
        @Retention(RetentionPolicy.RUNTIME) @interface Other { }
        static class Limits { int max() { return 5; } }
        static class Strict extends Limits { int max() { return 1; } }
        static class Service {
            @Inject Limits limits;
            @Other Limits others;
            int go() { return limits.max(); }                               // calls Limits.max, Strict.max
            int stay() { return others.max(); }                             // calls nothing
        }
        static void fill(Object o, Object value) throws Exception {
            for (Field f : o.getClass().getDeclaredFields())
                if (f.isAnnotationPresent(Inject.class)) f.set(o, value);
        }
        public static void main(String[] args) throws Exception {
            Service s = new Service();
            fill(s, new Strict());
            s.go();                                                         // calls Service.go
            s.stay();                                                       // calls Service.stay
        }
    }
    """
    )
