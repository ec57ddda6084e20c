"""What the virtual machine and the library call without being told: serialization callbacks, proxies, interfaces of
lambdas, constants of enums, methods that inherited ones call."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls


def _reachable(source: str) -> set[str]:
    return {row[0] for row in assert_calls(source).rows("Reachable")}


def test_writing_objects() -> None:
    reachable = _reachable("""
    import java.io.*;
    class Part implements Serializable { private Object writeReplace() { return this; } }
    class Whole implements Serializable {
        Object part = new Part();
        private void writeObject(ObjectOutputStream out) throws IOException { mark(); }
        private void readObject(ObjectInputStream in) { }
        void mark() { }
    }
    class Plain { private void writeObject(ObjectOutputStream out) { } }
    class M { public static void main(String[] args) throws Exception {
        Object plain = new Plain();
        new ObjectOutputStream(null).writeObject(new Whole());      // calls nothing
    } }
    """)
    assert {"Whole.mark()", "Part.writeReplace()"} <= reachable
    assert not any("Plain.writeObject" in method or "readObject" in method for method in reachable)


def test_reading_objects() -> None:
    reachable = _reachable("""
    import java.io.*;
    class Base { Base() { based(); } void based() { } }
    class Kept extends Base implements Serializable {
        Kept() { kept(); } void kept() { }
        private Object readResolve() { return this; }
        void use() { }
    }
    class External implements Externalizable {
        public External() { made(); } void made() { }
        public void readExternal(ObjectInput in) { } public void writeExternal(ObjectOutput out) { }
    }
    class M { public static void main(String[] args) throws Exception {
        Kept kept = (Kept) new ObjectInputStream(null).readObject();
        kept.use();                                                 // calls Kept.use
    } }
    """)
    assert {"Base.based()", "Kept.readResolve()", "External.made()"} <= reachable
    assert any(method.startswith("External.readExternal") for method in reachable)
    assert "Kept.kept()" not in reachable


@pytest.mark.slow
def test_proxies() -> None:
    reachable = _reachable("""
    import java.lang.reflect.*;
    interface Shape { Object draw(Object o); void other(); }
    class Round implements Shape { public Object draw(Object o) { return o; } public void other() { } }
    class Counting implements InvocationHandler {
        final Object target;
        Counting(Object target) { this.target = target; }
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            return method.invoke(target, args);                     // calls Round.draw
        }
    }
    class M {
        static void quiet() { }
        public static void main(String[] args) {
            Class<?>[] types = {Shape.class};
            Object proxy = Proxy.newProxyInstance(null, types, new Counting(new Round()));
            ((Shape) proxy).draw(null);                             // calls Counting.invoke
            InvocationHandler h = (p, m, a) -> { quiet(); return null; };
            Runnable run = (Runnable) Proxy.newProxyInstance(null, types, h);
            run.run();
        }
    }
    """)
    assert "M.quiet()" in reachable


@pytest.mark.slow
def test_lambdas_initialise_their_interfaces() -> None:
    reachable = _reachable("""
    interface Way { Object START = M.start(); void go(); default void twice() { go(); go(); } }
    interface Plain { Object NEVER = M.never(); void go(); }
    class M {
        static Object start() { return null; }
        static Object never() { return null; }
        static void way() { }
        public static void main(String[] args) {
            Way way = () -> way();
            Plain plain = () -> { };
            way.go();                                               // calls M.main/lambda: way()
        }
    }
    """)
    assert "M.start()" in reachable and "M.never()" not in reachable


@pytest.mark.slow
def test_the_library_asks_for_constants() -> None:
    enums = """
    enum Colour { RED; }
    class M { public static void main(String[] args) {
        Object red = Colour.RED;
        Object all = %s;                                            // calls nothing
    } }
    """
    assert "Colour.values()" in _reachable(enums % "java.util.EnumSet.allOf(Colour.class)")
    assert "Colour.values()" not in _reachable(enums % "Colour.class.getName()")


def test_what_inherited_methods_call() -> None:
    reachable = _reachable("""
    import java.util.*;
    class Letters implements Iterable<String> {
        public Iterator<String> iterator() { return new Iterator<String>() {
            public boolean hasNext() { return seen(); }
            public String next() { return ""; }
        }; }
        static boolean seen() { return false; }
    }
    class Quiet implements Iterable<String> { public Iterator<String> iterator() { M.never(); return null; } }
    class M {
        static Iterator<String> letters() { return null; }
        static void never() { }
        public static void main(String[] args) {
            Iterable<String> quiet = new Quiet();
            quiet.hashCode();                                       // calls nothing
            new Letters().forEach(s -> s.length());
            Iterable<String> made = () -> letters();
            made.forEach(s -> s.length());
        }
    }
    """)
    assert {"Letters.seen()", "M.letters()"} <= reachable
    assert "M.never()" not in reachable


def test_methods_of_object_that_records_do_not_write() -> None:
    reachable = _reachable("""
    class Part {
        public int hashCode() { return hash(); } int hash() { return 1; }
        public String toString() { return text(); } String text() { return ""; }
        void run() { }
    }
    class Silent { public int hashCode() { return quiet(); } int quiet() { return 1; } }
    record Whole(Part part) { }
    record Own(Silent part) { public int hashCode() { return 2; } }
    class M { public static void main(String[] args) {
        new Whole(new Part()).hashCode();                           // calls Whole.hashCode
        new Own(new Silent()).hashCode();                           // calls Own.hashCode
    } }
    """)
    assert "Part.hash()" in reachable
    assert not {"Part.text()", "Part.run()", "Silent.quiet()"} & reachable


def test_record_patterns_call_accessors() -> None:
    results = assert_calls("""
    class Part { Part copy() { return new Copy(); } void hit() { } }
    class Copy extends Part { void hit() { } }
    record Plain(Part part) { }
    record Copied(Part part, Part same) { public Part part() { return part.copy(); } }
    class M {
        static void look(Object o) {
            if (o instanceof Plain(Part p))                         // calls Plain.part
                p.hit();                                            // calls Part.hit
            if (o instanceof Copied(var p, var q)) {                // calls Copied.part, Copied.same
                p.hit();                                            // calls Copy.hit
                q.hit();                                            // calls Part.hit
            }
        }
        public static void main(String[] args) {
            look(new Plain(new Part()));                            // calls M.look
            look(new Copied(new Part(), new Part()));               // calls M.look
        }
    }
    """)
    assert "Part.copy()" in {row[0] for row in results.rows("Reachable")}


def test_reading_functions() -> None:
    assert_calls("""
    import java.io.*;
    class M {
        interface Task extends Serializable { String run(String s); default void twice() { run(run("")); } }
        interface Other extends Serializable { String run(String s); }
        static Object read() throws Exception { return new ObjectInputStream(null).readObject(); }
        public static void main(String[] args) throws Exception {
            Task task = s -> s;
            Other unwritten = s -> s;
            new ObjectOutputStream(null).writeObject(task);
            Task found = (Task) read();                 // calls M.read
            found.run("");                              // calls M.main/lambda: task(s)
            found.twice();                              // calls Task.twice
            Other other = (Other) read();               // calls M.read
            other.run("");                              // calls nothing
        }
    }
    """)


def test_constants_of_an_enum_whose_class_is_asked_for_them() -> None:
    """A class literal does not initialise the enum; asking for its constants does, and gives them."""
    assert_calls("""
        interface Note { String text(); }
        enum Asked implements Note { ONE; public String text() { return ""; } }
        enum Other implements Note { TWO; public String text() { return ""; } }
        class M {
            static <E extends Enum<E> & Note> void each(Class<E> of) {
                for (E constant : of.getEnumConstants()) constant.text(); // calls Asked.text
            }
            public static void main(String[] args) { each(Asked.class); } // calls M.each
        }
    """)


def test_a_server_of_managed_beans_calls_what_their_interfaces_say() -> None:
    assert_calls("""
        import java.lang.management.*;
        import javax.management.*;
        interface TillMBean { int getCount(); void reset(); }
        interface Other { void other(); }
        class Log { static void count() { } static void reset() { } static void other() { } static void never() { } }
        class Till implements TillMBean, Other {
            public int getCount() { Log.count(); return 1; }                            // calls Log.count
            public void reset() { Log.reset(); }                                        // calls Log.reset
            public void other() { Log.other(); }                                        // calls nothing
        }
        class Hidden implements TillMBean {
            public int getCount() { Log.never(); return 1; }                            // calls nothing
            public void reset() { }
        }
        class M { public static void main(String[] args) throws Exception {
            Hidden hidden = new Hidden();
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Till(), null);
        } }
    """)


def test_inherited_methods_that_return_what_another_method_does() -> None:
    assert_calls("""
        import java.util.*;
        import java.util.concurrent.*;
        class Shape { void draw() { } }
        class Iter implements ListIterator<Shape> {
            public boolean hasNext() { return true; }
            public Shape next() { return new Shape(); }
            public boolean hasPrevious() { return false; }
            public Shape previous() { return null; }
            public int nextIndex() { return 0; }
            public int previousIndex() { return 0; }
            public void remove() { }
            public void set(Shape s) { }
            public void add(Shape s) { }
        }
        class Row extends AbstractSequentialList<Shape> {
            public ListIterator<Shape> listIterator(int at) { return new Iter(); }
            public int size() { return 1; }
        }
        class Own extends Row {
            public Iterator<Shape> iterator() { return Collections.emptyIterator(); }
        }
        class Task<T> extends FutureTask<T> {
            Task(Callable<T> of) { super(of); }
            public T get() { return null; }
        }
        class Pool extends ThreadPoolExecutor {
            Pool() { super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); }
            protected <T> RunnableFuture<T> newTaskFor(Callable<T> of) { return new Task<>(of); }
        }
        class M { public static void main(String[] args) throws Exception {
            for (Shape s : new Row()) s.draw();                            // calls Iter.hasNext, Iter.next, Shape.draw
            List<Shape> list = new Row();
            list.listIterator().next().draw();                             // calls Iter.next, Shape.draw
            for (Shape s : new Own()) s.draw();                            // calls Own.iterator
            ExecutorService pool = new Pool();
            pool.submit(() -> "done").get();                               // calls Task.get
        } }
    """)
