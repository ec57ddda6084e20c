"""What reflection passes on: classes, members and proxies; type arguments, values of fields, names in longer texts."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls


@pytest.mark.slow
def test_classes_and_members_that_reflection_passes() -> None:
    assert_calls(
        """
    import java.lang.reflect.*;
    import java.util.*;
    class M {
        static class Runner {
            final Class<?> type;
            Runner(Class<?> type) { this.type = type; }
            Object make() throws Exception { return type.getDeclaredConstructor().newInstance(); }
        }
        static class One { One() { made(); } void made() { } }                          // calls One.made
        static class Two { Two() { made(); } void made() { } }
        static class Calls { static void run(Method m, Object o) throws Exception { m.invoke(o); } }  // calls One.made
        public static void main(String[] args) throws Exception {
            for (Class<?> c : List.of(One.class))
                ((Runner) Runner.class.getDeclaredConstructors()[0].newInstance(c)).make();     // calls Runner.make
            Two.class.getName();
            Method m = One.class.getDeclaredMethod("made");
        Calls.class.getDeclaredMethod("run", Method.class, Object.class).invoke(null, m, new One());  // calls Calls.run
        }
    }
    """
    )


@pytest.mark.slow
def test_methods_that_are_looked_for_by_a_name_that_is_given() -> None:
    assert_calls(
        """
    import java.lang.reflect.*;
    class M {
        static class Base { void save() { } void drop() { } }
        static class Bean extends Base { void load() { } void stop() { } }
        static class Commands { static void open() { } static void close() { } }
        static void call(Object o, String name) throws Exception {
            for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
                for (Method m : c.getDeclaredMethods())
                    if (m.getName().equals(name)) m.invoke(o);              // calls Bean.load, Base.save
        }
        static void all() throws Exception {
            for (Method m : Commands.class.getDeclaredMethods()) m.invoke(null);  // calls Commands.open, Commands.close
        }
        public static void main(String[] args) throws Exception {
            call(new Bean(), "load");
            call(new Bean(), "save");
            System.out.println("drop");
            all();
        }
    }
    """
    )


@pytest.mark.slow
def test_type_arguments_of_supertypes() -> None:
    assert_calls(
        """
    import java.lang.reflect.*;
    class M {
        static class User { User() { made(); } void made() { } }            // calls User.made
        static class Order { Order() { made(); } void made() { } }          // calls Order.made
        static class Other { Other() { made(); } void made() { } }
        static abstract class Dao<T> {
            final Class<T> type;
            @SuppressWarnings("unchecked") Dao() {
                type = (Class<T>) ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0];
            }
            T make() throws Exception { return type.getDeclaredConstructor().newInstance(); }
        }
        static class Users extends Dao<User> { }
        interface Codec<T> { }
        static class Orders implements Codec<Order> { }
        static class Others implements Codec<Other> { }
        static Object of(Class<?> c) throws Exception {
            Type t = ((ParameterizedType) c.getGenericInterfaces()[0]).getActualTypeArguments()[0];
            return ((Class<?>) t).newInstance();
        }
        public static void main(String[] args) throws Exception {
            new Users().make();                                             // calls Dao.make
            of(Orders.class);                                               // calls M.of
        }
    }
    """
    )


@pytest.mark.slow
def test_what_is_stored_in_fields_that_are_not_known() -> None:
    assert_calls(
        """
    import java.lang.reflect.*;
    class M {
        interface Clock { int now(); default int later() { return now() + 1; } }       // calls Handler.invoke
        interface Store { void put(); }
        static class Memory implements Store { public void put() { } }
        static class Nothing implements Store { public void put() { } }
        static class Handler implements InvocationHandler {
            public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
                if (m.isDefault()) return InvocationHandler.invokeDefault(proxy, m, args);      // calls Clock.later
                return own();                                                   // calls Handler.own
            }
            Object own() { return 1; }
        }
        static class Service {
            private Clock clock;
            private Store store;
            int go() {
                store.put();                                                    // calls Memory.put
                return clock.later();                                           // calls Handler.invoke
            }
        }
        public static void main(String[] args) throws Exception {
            Service s = new Service();
            new Nothing().put();
            Object clock = Proxy.newProxyInstance(null, new Class<?>[] {Clock.class}, new Handler());
        for (Field f : Service.class.getDeclaredFields()) f.set(s, f.getType() == Clock.class ? clock : new Memory());
            s.go();                                                             // calls Service.go
        }
    }
    """
    )


@pytest.mark.slow
def test_fields_that_are_read_by_their_annotations() -> None:
    assert_calls(
        """
    import java.lang.annotation.*;
    import java.lang.reflect.*;
    class M {
        @Retention(RetentionPolicy.RUNTIME) @interface Rule { }
        static class Task { void run() { } }
        static class First extends Task { void run() { } }
        static class Second extends Task { void run() { } }
        static class Suite {
            @Rule Task first = new First();
            Task second = new Second();
        }
        public static void main(String[] args) throws Exception {
            Suite s = new Suite();
            for (Field f : Suite.class.getDeclaredFields())
                if (f.isAnnotationPresent(Rule.class)) ((Task) f.get(s)).run();     // calls First.run, Task.run
        }
    }
    """
    )


@pytest.mark.slow
def test_names_in_texts_that_the_program_takes_apart() -> None:
    sources = {
        "M.java": """
    import java.io.StringReader;
    import java.util.*;
    class M {
        static class First { First() { made(); } void made() { } }              // calls First.made
        static class Second { Second() { made(); } void made() { } }            // calls Second.made
        static class Third { Third() { made(); } void made() { } }              // calls nothing
        public static void main(String[] args) throws Exception {
            Properties p = new Properties();
            p.load(new StringReader("first = M$First\\nsecond=M$Second"));
            for (Object name : p.values()) Class.forName((String) name).newInstance();
            Class.forName(Other.text).getName();
        }
    }
    """,
        "Other.java": """
    class Other { static String text = "third: M$Third"; }
    """,
    }
    assert_calls(sources)
    sources["M.java"] = sources["M.java"].replace("calls nothing", "calls Third.made")
    assert_calls(sources, reflection="resources")


@pytest.mark.slow
def test_bundles_of_locales_and_constants_of_opaque_enums() -> None:
    assert_calls(
        """
    import java.util.*;
    public class M {
        public static class Texts extends ListResourceBundle {
            protected Object[][] getContents() { return own(); }        // calls Texts.own
            Object[][] own() { return null; }
        }
        public static class Texts_de extends Texts {
            protected Object[][] getContents() { return german(); }     // calls Texts_de.german
            Object[][] german() { return null; }
        }
        enum Mode {
            FAST { int level() { return fast(); } },                     // calls Mode.fast
            SLOW { int level() { return slow(); } };                     // calls Mode.slow
            abstract int level();
            static int fast() { return 1; }
            static int slow() { return 2; }
        }
        public static class Bean { void setMode(Mode mode) { mode.level(); } }
        public static void main(String[] args) throws Exception {
            ResourceBundle.getBundle("M$Texts", Locale.GERMAN).getString("a");
        Bean.class.getDeclaredMethod("setMode", Mode.class).invoke(new Bean(), (Object) null);  // calls Bean.setMode
        }
    }
    """
    )


@pytest.mark.slow
def test_handles_that_take_their_arguments_otherwise() -> None:
    assert_calls(
        """
    import java.lang.invoke.*;
    class M {
        static class A { void one(int i) { } void two(int i) { } void three() { } }
        static MethodHandles.Lookup lookup = MethodHandles.lookup();
        static MethodType none = MethodType.methodType(void.class);
        static MethodType one = MethodType.methodType(void.class, int.class);
        public static void main(String[] args) throws Throwable {
            lookup.bind(new A(), "three", none).invoke();                                   // calls A.three
            MethodHandle h = lookup.findVirtual(A.class, "one", one);
            MethodHandles.permuteArguments(h, one, 1, 0).invoke(1, new A());                // calls A.one
            MethodHandle two = lookup.findVirtual(A.class, "two", one).asSpreader(Object[].class, 2);
            two.invoke(new Object[] {new A(), 1});                                          // calls A.two
            CallSite site = new ConstantCallSite(lookup.findVirtual(A.class, "three", none));
            site.dynamicInvoker().invoke(new A());                                          // calls A.three
            site.getTarget().invoke(new A());                                               // calls A.three
        }
    }
    """
    )
