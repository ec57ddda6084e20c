package branches;

import java.util.*;

interface Named {
    String name();
    default void twice(int times) {}
}

class Base {
    void base() {}
    Base self() { return this; }
}

class Left extends Base implements Named {
    public String name() { return ""; }
    Left self() { return this; }
    void left() {}
}

class Right extends Base implements Named {
    public String name() { return ""; }
    Right self() { return this; }
}

class Leaf extends Left {
    Leaf self() { return this; }
}

enum Size implements Named { SMALL, LARGE }

class First extends Exception {
    void told() {}
    public String getMessage() { return ""; }
}

class Second extends Exception {}

class Third extends RuntimeException {}

class One extends First {}

class Two extends First {}

class Branches {
    static final int LIMIT = 3;

    void f(int i) {}
    void f(long i) {}
    void f(char i) {}
    void f(short i) {}
    void f(double i) {}
    void f(Object i) {}
    void f(Integer i) {}
    void f(Character i) {}
    void g(Base b) {}
    void g(Named n) {}
    void g(Object o) {}
    void h(List<?> o) {}
    void h(Collection<?> o) {}
    void h(Object o) {}

    void conditions(boolean c, Left left, Right right, Leaf leaf, Size size, Integer boxed, char x, byte b, short s, int i) {
        (c ? left : right).base();  // -> <branches.Base: void base()>
        (c ? left : right).self();  // -> <branches.Base: branches.Base self()>
        (c ? right : leaf).self();  // -> <branches.Base: branches.Base self()>
        (c ? leaf : left).self();   // -> <branches.Left: branches.Left self()>
        (c ? left : leaf).left();   // -> <branches.Left: void left()>
        (c ? left : right).name();  // -> <branches.Named: java.lang.String name()>
        (c ? left : size).name();   // -> <branches.Named: java.lang.String name()>
        (c ? left : c ? leaf : right).self();  // -> <branches.Base: branches.Base self()>
        (c ? leaf : c ? left : leaf).self();   // -> <branches.Left: branches.Left self()>
        (c ? null : left).left();   // -> <branches.Left: void left()>
        var either = c ? left : right;
        either.self();              // -> <branches.Base: branches.Base self()>
        either.twice(1);            // -> <branches.Named: void twice(int)>
        g(c ? left : size);         // -> <branches.Branches: void g(branches.Named)>
        g(c ? left : "");           // -> <branches.Branches: void g(java.lang.Object)>
    }

    void numbers(boolean c, Integer boxed, char x, byte b, short s, int i, long l, Character y, Object o) {
        f(c ? x : 0);      // -> <branches.Branches: void f(char)>
        f(c ? 70000 : x);  // -> <branches.Branches: void f(int)>
        f(c ? x : i);      // -> <branches.Branches: void f(int)>
        f(c ? b : s);      // -> <branches.Branches: void f(short)>
        f(c ? b : x);      // -> <branches.Branches: void f(int)>
        f(c ? i : l);      // -> <branches.Branches: void f(long)>
        f(c ? boxed : i);  // -> <branches.Branches: void f(int)>
        f(c ? boxed : 1L); // -> <branches.Branches: void f(long)>
        f(c ? boxed : boxed);  // -> <branches.Branches: void f(java.lang.Integer)>
        f(c ? boxed : null);   // -> <branches.Branches: void f(java.lang.Integer)>
        f(c ? null : 'a');     // -> <branches.Branches: void f(java.lang.Character)>
        f(c ? y : 1);          // -> <branches.Branches: void f(char)>
        f(c ? boxed : "");     // -> <branches.Branches: void f(java.lang.Object)>
        f(c ? 1 : o);          // -> <branches.Branches: void f(java.lang.Object)>
        (c ? 1 : "").hashCode();  // -> <java.lang.Object: int hashCode()>
        f(c ? 1 : c ? 2 : 'a');   // -> <branches.Branches: void f(char)>
    }

    void generic(boolean c, List<Left> lefts, List<Right> rights, Set<Left> set, ArrayList<Leaf> leaves, Left[] a, Leaf[] b) {
        (c ? lefts : set)
            .iterator()  // -> <java.util.Collection: java.util.Iterator iterator()>
            .next()      // -> <java.util.Iterator: java.lang.Object next()>
            .left();     // -> <branches.Left: void left()>
        (c ? lefts : rights)
            .get(0)      // -> <java.util.List: java.lang.Object get(int)>
            .base();     // -> <branches.Base: void base()>
        (c ? leaves : lefts)
            .get(0)      // -> <java.util.List: java.lang.Object get(int)>
            .self();     // -> <branches.Left: branches.Left self()>
        (c ? b : a)[0].self();       // -> <branches.Left: branches.Left self()>
        h(c ? lefts : rights);       // -> <branches.Branches: void h(java.util.List)>
        h(c ? lefts : set);          // -> <branches.Branches: void h(java.util.Collection)>
        for (var each : c ? lefts : rights) {
            each.self();             // -> <branches.Base: branches.Base self()>
        }
    }

    void switches(int k, Left left, Right right, Leaf leaf, char x) {
        (switch (k) { case 1 -> left; case 2 -> leaf; default -> right; }).self();  // -> <branches.Base: branches.Base self()>
        (switch (k) { case 1 -> leaf; default -> left; }).self();  // -> <branches.Left: branches.Left self()>
        var number = switch (k) { case 1 -> 1; case 2 -> x; default -> 3; };
        f(number);  // -> <branches.Branches: void f(char)>
        f(switch (k) { case 1 -> 1; case 2 -> 'a'; default -> 3L; });  // -> <branches.Branches: void f(long)>
        var made = switch (k) {
            case 1: yield left;
            default: yield right;
        };
        made.name();                 // -> <branches.Named: java.lang.String name()>
    }

    void thrown() {
        try {
            switches(1, null, null, null, 'a');  // -> <branches.Branches: void switches(int,branches.Left,branches.Right,branches.Leaf,char)>
        } catch (Third | IllegalStateException e) {
            e.getMessage();          // -> <java.lang.Throwable: java.lang.String getMessage()>
        }
    }

    void caught(int k) throws Exception {
        try {
            tell(k);                 // -> <branches.Branches: void tell(int)>
        } catch (One | Two e) {
            e.told();                // -> <branches.First: void told()>
            e.getMessage();          // -> <branches.First: java.lang.String getMessage()>
        } catch (First | Second e) {
            e.getMessage();          // -> <java.lang.Throwable: java.lang.String getMessage()>
            tell(e);                 // -> <branches.Branches: void tell(java.lang.Exception)>
        }
    }

    void tell(int k) throws First, Second {}
    void tell(Exception e) {}
    void tell(First e) {}
    void tell(Object e) {}
}

class Functions {
    void run(Runnable r) { }
    void run(java.util.function.Supplier<String> s) { }

    void branches(boolean first) {
        run(first ? () -> "a" : () -> "b");     // -> <branches.Functions: void run(java.util.function.Supplier)>
        run(first ? () -> { } : () -> { });     // -> <branches.Functions: void run(java.lang.Runnable)>
    }
}
