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
            A is = x;                       // is = {B@10} by none; Doop {A@10, B@10, C@10}
            B cast = (B) x;                 // cast = {B@10}
        } else {
            A not = x;                      // not = {A@10, C@10} by none; Doop {A@10, B@10, C@10}
        }
        if (!(x instanceof C)) {
            A not = x;                      // not = {A@10, B@10} by none; Doop {A@10, B@10, C@10}
        }
        A y = any(args.length);
        if (!(y instanceof B)) {
            return;
        }
        A rest = y;                         // rest = {B@10} by none; Doop {A@10, B@10, C@10}
    }

    static class Same {
        public static void main(String[] args) {
            A one = new B();
            A any = any(args.length);
            if (any == one) {
                A same = any;               // same = {} by none; Doop {A@10, B@10, C@10}
            }
            if (any.getClass() == B.class) {
                A same = any;               // same = {B@10} by none; Doop {A@10, B@10, C@10}
            }
        }
    }
}
