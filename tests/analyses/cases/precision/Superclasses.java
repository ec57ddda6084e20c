package superclasses;

// Fields of a superclass that methods of the superclass write: objects are told apart by the object that they are called
// on (Milanova, Rountev and Ryder, TOSEM 2005: inheritance). Constructors run on the object made and no other.
class A { }
class B { }
class Base {
    Object kept;
    Base(Object o) { kept = o; }
    void set(Object o) { kept = o; }
    Object get() { return kept; }
}
class One extends Base {
    One(Object o) { super(o); }
}
class Two extends Base {
    Two() { super(new B()); }
    void set(Object o) { super.set(o); }
    Object get() { return super.get(); }
}

class Superclasses {
    public static void main(String[] args) {
        Base one = new One(new A()), two = new Two();
        Object a = one.get();               // a = {A@24}
        Object b = two.get();               // b = {B@17, B@27} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        two.set(new B());
        Base three = new Base(new A()), four = new Base(new B());
        Object c = three.get();             // c = {A@28}
        Object d = four.get();              // d = {B@28}
        Object e = three.kept;              // e = {A@28}
    }
}
