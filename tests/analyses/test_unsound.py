"""What the points-to analysis leaves out is told, by the call and a word; what it understands is not."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, analyse, unsound

SOURCE = """
    import java.io.*; import java.lang.invoke.*; import java.lang.reflect.*; import java.util.*;
    interface Job { void run(); }
    class Known implements Job { public String f, g; public Known() { } public void run() { } }
    class Handler implements InvocationHandler { public Object invoke(Object p, Method m, Object[] a) { return null; } }
    class M {
        public static void main(String[] args) throws Exception {
            Class<?> known = Class.forName("Known");
            Object one = known.newInstance();
            known.getMethod("run").invoke(one);
            Class.forName("com.acme.Driver");
            Class<?> unknown = Class.forName(args[0]);      // is forName
            Object two = unknown.newInstance();             // is newInstance
            Method m = unknown.getMethod(args[1]);          // is getMethod
            m.invoke(two);                                  // is invoke
            Class.forName("Kn" + args.length);              // is forName
            Constructor<?> c = unknown.getConstructor();
            c.newInstance();                                // is newInstance
            known.getField("f").get(one);
            known.getField(args[2]).get(one);               // is field
            for (Method each : known.getMethods())
                each.invoke(one);                           // is invoke
            own();                                          // is native
            System.loadLibrary("own");                      // is JNI
            Proxy.newProxyInstance(null, null, null);       // is proxy
            Object proxy = Proxy.newProxyInstance(null, null, new Handler());
            new ObjectInputStream(null).readObject();
            new java.beans.XMLDecoder(null).readObject();   // is beans
            MethodHandles.lookup().findVirtual(null, null, null);   // is handle
            Object run = MethodHandles.lookup().findVirtual(Known.class, "run", null);
            new java.net.URLClassLoader(null);              // is loader
            ServiceLoader.load(Job.class);                  // is service
            Arrays.asList("Known").forEach(Class::forName); // is forName
            new Own().loadClass("Known");
            one.toString();
        }
        static native void own();
        void unreachable(String name) throws Exception { Class.forName(name); }
    }
    class Own extends ClassLoader { public Class<?> loadClass(String name) { return null; } }
"""


def told(project: Project) -> set[tuple[int, str]]:
    return {(line, found[1]) for (_, line), found in project.comments(r"is (\w+)")}


def test_calls_that_are_not_understood() -> None:
    project = Project.of({"M.java": SOURCE})
    results = analyse("pointsto", project)
    assert unsound(results) == told(project)
    kinds = [kind for _, kind in told(project)]
    assert dict(results.rows("UnsoundKinds")) == {kind: kinds.count(kind) for kind in kinds}


CALLS = {
    **{call: f".{call}(" for call in ("forName", "newInstance", "getMethod", "invoke")},
    "field": ".get(",
    "handle": ".findVirtual(",
    "proxy": ".newProxyInstance(",
    "deserialise": "ObjectInputStream(null).readObject(",
}


@pytest.mark.slow
def test_without_reflection_none_of_its_calls_is_understood() -> None:
    project = Project.of({"M.java": SOURCE})
    found = unsound(analyse("pointsto", project, reflection="none"))
    lines = SOURCE.splitlines()
    more = {
        (lines.index(line) + 1, kind)
        for line in lines
        for kind, call in CALLS.items()
        if call in line and "unreachable" not in line
    }
    assert found == told(project) | more


CAST = """
    class A { }
    class M { public static void main(String[] args) throws Exception {
        A a = (A) Class.forName(args[0]).newInstance();
    } }
"""


@pytest.mark.slow
def test_objects_that_casts_tell_are_understood() -> None:
    project = Project.of({"M.java": CAST})
    kinds = {
        policy: {kind for _, kind in unsound(analyse("pointsto", project, reflection=policy))}
        for policy in ("strings", "casts")
    }
    assert kinds == {"strings": {"forName", "newInstance"}, "casts": {"forName"}}
