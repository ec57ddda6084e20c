package tests;

// What a test lets through in the branch that it guards: Doop and Tai-e use no conditions. So only casts that stand in
// such a branch tell objects apart there.
class A { }
class B extends A { }
class C extends A { }

class Tests {
    static A any(int n) { return n == 0 ? new A() : n == 1 ? new B() : new C(); }

    public static void main(String[] args) {
        A x = any(args.length);
        if (x instanceof B) {
            A is = x;                       // is = {B@10}; Doop {A@10, B@10, C@10}
            B cast = (B) x;                 // cast = {B@10}
        } else {
            A not = x;                      // not = {A@10, C@10}; Doop {A@10, B@10, C@10}
        }
        if (!(x instanceof C)) {
            A other = x;                    // other = {A@10, B@10}; Doop {A@10, B@10, C@10}
        }
        A y = any(args.length);
        if (!(y instanceof B)) {
            return;
        }
        A rest = y;                         // rest = {B@10}; Doop {A@10, B@10, C@10}
    }

    static class Same {
        public static void main(String[] args) {
            A one = new B();
            A any = any(args.length);
            if (any == one) {
                A same = any;               // same = {}; Doop {A@10, B@10, C@10}
            }
            if (any.getClass() == B.class) {
                A just = any;               // just = {B@10}; Doop {A@10, B@10, C@10}
            }
            if (any.getClass() != A.class) {
                return;
            }
            A rest = any;                   // rest = {A@10}; Doop {A@10, B@10, C@10}
        }
    }

    static class Ways {
        public static void main(String[] args) {
            A x = any(args.length);
            A some = any(args.length);
            if (x instanceof B && args.length > 1) {
                A and = x;                  // and = {B@10}; Doop {A@10, B@10, C@10}
            }
            if (x instanceof B || x instanceof C) {
                A or = x;                   // or = {B@10, C@10} by none; Doop {A@10, B@10, C@10}
            }
            A chosen = x instanceof C ? x : null; // chosen = {C@10}; Doop {A@10, B@10, C@10}
            while (!(some instanceof C)) {
                A inLoop = some;            // inLoop = {A@10, B@10}; Doop {A@10, B@10, C@10}
                some = any(args.length);
                A anew = some;              // anew = {A@10, B@10, C@10}
            }
            A behind = some;                // behind = {C@10}; Doop {A@10, B@10, C@10}
            switch (x) {
                case B b -> { A inCase = x; }       // inCase = {B@10}; Doop {A@10, B@10, C@10}
                case C c -> { A next = x; }         // next = {C@10}; Doop {A@10, B@10, C@10}
                default -> { A last = x; }          // last = {A@10}; Doop {A@10, B@10, C@10}
            }
        }
    }

    enum Kind {
        ONE { Object made() { return new A(); } }, TWO { Object made() { return new B(); } };

        abstract Object made();

        static Object of(Kind kind) {
            if (kind == ONE) {
                Object first = kind.made(); // first = {A@73}; Doop {A@73, B@73}
                return first;
            }
            return kind.made();
        }

        public static void main(String[] args) {
            Object all = of(Kind.valueOf(args[0])); // all = {A@73, B@73}
        }
    }
}
