package calls;

// Parameters and results of static methods: calls of one method are told apart by their call alone. A static method has
// the context of its caller in the object-sensitive analyses of Doop and Tai-e, so these mix such calls up.
class A { Object f; }
class B { }

class Calls {
    static Object same(Object o) { return o; }
    static Object twice(Object o) { return same(o); }
    static void put(A to, Object what) { to.f = what; }
    static A make() { return new A(); }
    static Object either(Object one, Object other) { return one.hashCode() > 0 ? one : other; }

    public static void main(String[] args) {
        Object a = same(new A());           // a = {A@16}; Doop {A@16, A@18, B@17, B@19}
        Object b = same(new B());           // b = {B@17}; Doop {A@16, A@18, B@17, B@19}
        Object c = twice(new A());          // c = {A@18} by 1-call, 2-call; Doop {A@16, A@18, B@17, B@19}
        Object d = twice(new B());          // d = {B@19} by 1-call, 2-call; Doop {A@16, A@18, B@17, B@19}
        A one = new A(), two = new A();
        put(one, new A());
        put(two, new B());
        Object e = one.f;                   // e = {A@21} by 1-call, 2-call; Doop {A@21, B@22}
        Object g = two.f;                   // g = {B@22} by 1-call, 2-call; Doop {A@21, B@22}
        A made = make();                    // made = {A@12}
        A again = make();                   // again = {A@12}
        Object h = either(new A(), new B()); // h = {A@27, B@27}
    }
}
