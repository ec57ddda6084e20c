package recursion;

// Recursion: what goes in comes out; objects of all levels are one object for each allocation.
class A { }
class B { }
class Tree { Tree left; Object value; }

class Recursion {
    static Object down(int n, Object o) { return n == 0 ? o : down(n - 1, o); }
    static Object even(int n, Object o) { return n == 0 ? o : odd(n - 1, o); }
    static Object odd(int n, Object o) { return n == 0 ? new B() : even(n - 1, o); }
    static Tree grow(int n) {
        Tree t = new Tree();
        if (n > 0) t.left = grow(n - 1);
        t.value = new A();
        return t;
    }

    public static void main(String[] args) {
        Object a = down(args.length, new A());  // a = {A@20}
        Object b = even(args.length, new A());  // b = {A@21, B@11}
        Tree t = grow(args.length);             // t = {Tree@13}
        Tree l = t.left.left;                   // l = {Tree@13}
        Object v = l.value;                     // v = {A@15}
    }
}
