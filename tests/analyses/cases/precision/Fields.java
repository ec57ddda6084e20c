package fields;

// Fields are told apart by object and by name (field-sensitive); so are access paths of several fields.
class A { Object f; Object g; A next; }
class B extends A { Object f; }
class C { }

class Fields {
    static A shared = new A();
    static Object other = new C();

    public static void main(String[] args) {
        A one = new A(), two = new A();
        one.f = new A();
        one.g = new C();
        two.f = new B();
        Object a = one.f;                   // a = {A@14}
        Object b = one.g;                   // b = {C@15}
        Object c = two.f;                   // c = {B@16}
        Object d = two.g;                   // d = {} by none; Doop {C@28}

        one.next = two;
        two.next = new A();
        one.next.next.f = new C();
        Object e = two.next.f;              // e = {C@24}
        Object h = one.next.f;              // h = {B@16}
        A alias = one.next;
        alias.g = new C();
        Object i = two.g;                   // i = {C@28}
    }
}

class Hidden {
    public static void main(String[] args) {
        B b = new B();
        b.f = new C();
        A a = b;
        a.f = new A();
        Object own = b.f;                   // own = {C@36}
        Object inherited = a.f;             // inherited = {A@38}
        Object again = ((A) b).f;           // again = {A@38}
    }
}

class Static {
    public static void main(String[] args) {
        Object s = Fields.shared;           // s = {A@9}
        Fields.shared.f = new B();
        Object t = Fields.shared.f;         // t = {B@48}
        Object o = Fields.other;            // o = {C@10}
    }
}
