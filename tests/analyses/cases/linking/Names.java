package names;

import static java.lang.Math.max;
import static names.Constants.*;

import java.util.Map;

class Constants {
    static final Constants ONE = new Constants();   // -> <names.Constants: void <init>()>
    Constants next;
    static Constants make() { return ONE; }
    Constants self() { return this; }
    static class Nested { void n() { } }
}

class Base {
    protected Base field;
    void inherited() { }
    static void shared() { }
    class Inner { void inner() { } }
}

class Names extends Base {
    Constants Constants = null;
    Map.Entry<String, Inner> entry;

    void hidden(Names names) {
        inherited();                    // -> <names.Base: void inherited()>
        field.inherited();              // -> <names.Base: void inherited()>
        names.field.inherited();        // -> <names.Base: void inherited()>
        names.Constants.ONE.self();     // -> <names.Constants: names.Constants self()>
        Constants.next.self();          // -> <names.Constants: names.Constants self()>
        new Inner().inner();            // -> <names.Base$Inner: void <init>()>; <names.Base$Inner: void inner()>
        max(1, 2L);                     // -> <java.lang.Math: long max(long,long)>
        make();                         // -> <names.Constants: names.Constants make()>
        ONE.self();                     // -> <names.Constants: names.Constants self()>
        Names.shared();                 // -> <names.Base: void shared()>
        super.inherited();              // -> <names.Base: void inherited()>
        java.util.Collections.emptyList().size();   // -> <java.util.Collections: java.util.List emptyList()>; <java.util.List: int size()>
        entry.getValue().inner();       // -> <java.util.Map$Entry: java.lang.Object getValue()>; <names.Base$Inner: void inner()>
        new names.Constants.Nested().n();   // -> <names.Constants$Nested: void <init>()>; <names.Constants$Nested: void n()>
        System.out.println(1);          // -> <java.io.PrintStream: void println(int)>
    }

    <T extends Base, U extends T> void selected(Object o) {
        if (o instanceof U.Inner) {     // a member of the bound of the bound
            U.Inner inner = (U.Inner) o;
            inner.inner();              // -> <names.Base$Inner: void inner()>
        }
    }

    class Shadow extends Base {
        void inherited() { }
        void run() {
            inherited();                // -> <names.Names$Shadow: void inherited()>
            hidden(null);               // -> <names.Names: void hidden(names.Names)>
            Names.this.inherited();     // -> <names.Base: void inherited()>
            Names.super.inherited();    // -> <names.Base: void inherited()>
            new Object() {              // -> <names.Names$Shadow$1: void <init>()>
                void again() {
                    run();              // -> <names.Names$Shadow: void run()>
                    toString();         // -> <java.lang.Object: java.lang.String toString()>
                    again();            // -> <names.Names$Shadow$1: void again()>
                }
            };
        }
    }

    void local() {
        names.Names.shared();           // -> <names.Base: void shared()>
        java.util.UUID id =
            java.util.UUID.fromString("");   // -> <java.util.UUID: java.util.UUID fromString(java.lang.String)>
        id.version();                   // -> <java.util.UUID: int version()>
        class Base {
            void inherited() { }
        }
        Base base = new Base();         // -> <names.Names$1Base: void <init>()>
        base.inherited();               // -> <names.Names$1Base: void inherited()>
    }
}

enum Color {
    RED, GREEN { int code() { return 2; } };
    int code() { return 1; }
    static Color parse(String s) {
        values();                       // -> <names.Color: names.Color[] values()>
        GREEN.code();                   // -> <names.Color: int code()>
        RED.ordinal();                  // -> <java.lang.Enum: int ordinal()>
        return valueOf(s);              // -> <names.Color: names.Color valueOf(java.lang.String)>
    }
}

record Point(int x, Base base) {
    static Point of() {
        Point p = new Point(1, null);   // -> <names.Point: void <init>(int,names.Base)>
        p.base().inherited();           // -> <names.Point: names.Base base()>; <names.Base: void inherited()>
        return p;
    }
}

/** The header of a type does not see its members. */
class Part {
    int base() { return 1; }
}

interface Sized<T> {
    T size();
}

class Whole<T> extends Part implements Sized<T> {
    static class Part { int other() { return 2; } }
    static class Sized { }

    public T size() { return null; }

    int all(Part part) {
        part.other();                   // -> <names.Whole$Part: int other()>
        return base();                  // -> <names.Part: int base()>
    }

    static class Half extends Part {
        static class Part { }

        int half() {
            return other();             // -> <names.Whole$Part: int other()>
        }
    }

    static void sizes(names.Sized<String> sized) {
        sizes(new Whole<String>());     // -> <names.Whole: void sizes(names.Sized)>; <names.Whole: void <init>()>
        new Whole<String>().size();     // -> <names.Whole: void <init>()>; <names.Whole: java.lang.Object size()>
    }
}
