package singletons;

// State that is shared on purpose: static fields, enum constants, an object that is made at its first use.
class A { }
class B { }
class Registry {
    private static Registry only;
    private Object entry;
    static Registry get() { if (only == null) only = new Registry(); return only; }
    void put(Object o) { entry = o; }
    Object entry() { return entry; }
}
enum Colour {
    RED(new A()), BLUE(new B());
    final Object value;
    Colour(Object value) { this.value = value; }
    Object value() { return value; }
}

class Singletons {
    public static void main(String[] args) {
        Registry.get().put(new A());
        Object a = Registry.get().entry();  // a = {A@22}
        Object b = Colour.RED.value();      // b = {A@14}
        Object c = Colour.BLUE.value();     // c = {B@14}
        Registry r = Registry.get();        // r = {Registry@9}
    }
}
