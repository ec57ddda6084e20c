package casts;

// A cast lets through what it may be applied to; so do patterns. What goes on behind a cast is of its type.
class A { }
class B extends A { }
class C extends A { }

class Casts {
    static A any(int n) { return n == 0 ? new A() : n == 1 ? new B() : new C(); }

    public static void main(String[] args) {
        A all = any(args.length);           // all = {A@9, B@9, C@9}
        B b = (B) all;                      // b = {B@9}
        if (all instanceof C c) {
            C bound = c;                    // bound = {C@9}
        }
        Object o = all;
        A a = (A) o;                        // a = {A@9, B@9, C@9}
    }
}
