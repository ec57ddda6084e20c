package nulls;

// Null is no object, unless it is asked for. What is assigned null and then an object is that object.
class A { Object f; }
class B { }

class Null {
    static Object none() { return null; }

    public static void main(String[] args) {
        Object n = null;
        Object a = n;                       // a = {} by none; Doop {A@13}
        if (args.length > 0) n = new A();
        Object b = n;                       // b = {A@13}
        Object c = none();                  // c = {}
        A d = new A();
        d.f = null;
        Object e = d.f;                     // e = {}
        if (n != null) {
            Object some = n;                // some = {A@13}
        }
    }
}
