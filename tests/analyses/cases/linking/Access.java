package access;

import java.util.EnumSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;

class Access {
    static class Module {
        String name() { return "m"; }
    }

    private void only(String s) { }
    void only(Object o) { }

    static <T> void sink(T t) { }

    void own(Module module, com.acme.Failure failure) {
        module.name();                  // -> <access.Access$Module: java.lang.String name()>
        only("x");                      // -> <access.Access: void only(java.lang.String)>
        new Second().fail("x", failure);        // -> <access.Second: void <init>()>; <access.Second: void fail(java.lang.String,java.lang.Throwable)>
    }
}

interface Stated {
    static void stated() { }
    default void given() { }
}

class Second implements Stated {
    void fail(String message, Access where) { }
    void fail(String message, Throwable cause) { }
    static void twice(String s) { }
    void twice() { }

    void other(Access access, Module module, EnumSet<Color> colors) {
        access.only("x");               // -> <access.Access: void only(java.lang.Object)>
        module.getName();               // -> <java.lang.Module: java.lang.String getName()>
        given();                        // -> <access.Stated: void given()>
        Stated.stated();                // -> <access.Stated: void stated()>
        EnumSet.of(Color.A, Color.B, Color.A, Color.A, Color.B, Color.A);       // -> <java.util.EnumSet: java.util.EnumSet of(java.lang.Enum,java.lang.Enum[])>
        Stream.of("a").forEach(Second::twice);  // -> <java.util.stream.Stream: java.util.stream.Stream of(java.lang.Object)>; <java.util.stream.Stream: void forEach(java.util.function.Consumer)>; <access.Second: void twice(java.lang.String)>
        Stream.of(this).forEach(Second::twice); // -> <java.util.stream.Stream: java.util.stream.Stream of(java.lang.Object)>; <java.util.stream.Stream: void forEach(java.util.function.Consumer)>; <access.Second: void twice()>
        IntFunction<String> text = Integer::toString;   // -> <java.lang.Integer: java.lang.String toString(int)>
    }
}

enum Color { A, B }
