"""Reflection: what is made and called by names that the program says, and by casts of objects of unknown classes."""

from __future__ import annotations

from tests.analyses.annotated import assert_calls

PROGRAM = """
    import java.lang.reflect.*;
    interface Plugin { void go(); }
    class One implements Plugin { public void go() { } }
    class Two implements Plugin { Two() { made(); } void made() { } public void go() { } }
    class Hidden { private static class Three implements Plugin { public void go() { } } }
    class Other { public void go() { } }
    class Bean { public static void main(String[] a) { } public void stop() { } }
    class Named { static { boot(); } static void boot() { } public void start() { } public void stop() { } }
    class Lazy { static { Bean.main(null); } }
    class M {
        static Object make(String name) throws Exception { return Class.forName(name).newInstance(); }
        static Object make(Class<?> type) throws Exception { return type.getDeclaredConstructor().newInstance(); }
        public static void main(String[] args) throws Exception {
            Object made = make(args[0]);                            // calls M.make
            Object named = Class.forName("Named").newInstance();
            ((Named) named).stop();                                 // calls Named.stop
            Method start = Named.class.getMethod("start");
            start.invoke(named);                                    // calls Named.start
            Method boot = Class.forName("Named").getDeclaredMethod("boot");
            boot.invoke(null);                                      // calls Named.boot
            Method main = Bean.class.getMethod("main", String[].class);
            main.invoke(null, (Object) args);                       // calls Bean.main
            Object bean = make(Bean.class);                         // calls M.make
            ((Bean) bean).stop();                                   // calls Bean.stop
            Plugin plugin = (Plugin) made;
            plugin.go();                                            // calls %s
            Method other = Other.class.getMethod("go");
            other.invoke(made);                                     // calls nothing
        }
    }
"""


def _edges(policy: str, plugins: str) -> set[str]:
    results = assert_calls(PROGRAM % plugins, reflection=policy)
    return {row[0] for row in results.rows("Reachable")}


def test_names_that_the_program_says() -> None:
    reachable = _edges("strings", "nothing")
    assert {"Named.<init>()", "Named.<clinit>()", "Bean.<init>()"} <= reachable
    assert not {"Lazy.<clinit>()", "Two.<init>()", "One.<init>()", "Other.<init>()"} & reachable


def test_casts_of_what_is_made_of_unknown_classes() -> None:
    reachable = _edges("casts", "One.go, Two.go")
    assert {"Two.<init>()", "Two.made()", "Named.<init>()"} <= reachable
    assert not {"Other.<init>()", "Hidden$Three.go()", "Other.go()"} & reachable


def test_without_reflection_only_the_types_of_casts_are_known() -> None:
    program = PROGRAM.replace("// calls Named.start", "// calls nothing").replace(
        "// calls Named.boot", "// calls nothing"
    )
    program = program.replace("// calls Bean.main", "// calls nothing")
    results = assert_calls(program % "nothing", reflection="none")
    assert "Two.<init>()" not in {row[0] for row in results.rows("Reachable")}


def test_a_class_literal_of_unknown_use_changes_nothing_else() -> None:
    assert_calls("""
        class A { void f() { } }
        class M { public static void main(String[] args) throws Exception {
            Class<A> known = A.class;
            A a = known.newInstance(); a.f();           // calls A.f
            Class<?> none = args == null ? String.class : A[].class;
            Object o = none.newInstance(); o.toString();    // calls nothing
        } }
    """)


def test_names_that_the_library_is_given() -> None:
    """It makes objects of classes, and calls methods."""
    assert_calls(
        """
    import java.beans.*;
    import java.security.*;
    class Prov extends Provider {
        Prov() { super("P", "1", "i"); put("MessageDigest.XOR", "Xor"); }
    }
    class Xor extends MessageDigestSpi {
        byte b;
        public Xor() { ready(); }                                         // calls Xor.ready
        void ready() { }
        protected void engineUpdate(byte i) { b ^= mix(i); }                      // calls Xor.mix
        byte mix(byte i) { return i; }
        protected void engineUpdate(byte[] a, int o, int n) { }
        protected byte[] engineDigest() { return done(); }                         // calls Xor.done
        byte[] done() { return null; }
        protected void engineReset() { }
    }
    class Tgt {
        public void act() { acted(); }
        void acted() { }
        public void other() { }
        public String say(String s) { return s; }
    }
    class M {
        public static void main(String[] args) throws Exception {
            MessageDigest md = MessageDigest.getInstance("XOR", new Prov());
            md.update((byte) 1);
            Runnable run = EventHandler.create(Runnable.class, new Tgt(), "act");  // calls Tgt.act
            run.run();
            new Expression(new Tgt(), "say", new Object[] {"e"}).getValue();       // calls Tgt.say
        }
    }
    """
    )


def test_an_unknown_library_makes_objects_of_classes_that_it_is_handed() -> None:
    assert_calls("""
        import lib.*;
        class Words extends Mapper<String> {
            final Part part = new Part();
            public void map(String s) { part.use(); }                                           // calls Part.use
        }
        class Part { void use() { } }
        class Silent extends Mapper<String> { public void map(String s) { new Part().use(); } } // calls nothing
        class Mocked extends Mapper<String> { public void map(String s) { new Part().use(); } } // calls nothing
        class Plain { public void map(String s) { new Part().use(); } }                         // calls nothing
        class M {
            static final Logger LOGGER = LoggerFactory.getLogger(Silent.class);
            public static void main(String[] args) {
                Job job = new Job();
                job.setMapperClass(Words.class);
                job.set(Plain.class);
                Mocker.mock(Mocked.class);
            }
        }
    """)
