package chains;

// Objects that are handed through methods of other objects: a service that asks another, which asks a third one.
class A { }
class B { }
class Store { Object kept; void put(Object o) { kept = o; } Object get() { return kept; } }
class Service {
    private final Store store;
    Service(Store store) { this.store = store; }
    void save(Object o) { store.put(o); }
    Object load() { return store.get(); }
    Object through(Object o) { return helper(o); }
    private Object helper(Object o) { return o; }
    static Object pass(Object o) { return o; }
    Object bystatic(Object o) { return pass(o); }
}

class Chains {
    public static void main(String[] args) {
        Service one = new Service(new Store()), two = new Service(new Store());
        one.save(new A());
        two.save(new B());
        Object a = one.load();              // a = {A@21} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object b = two.load();              // b = {B@22} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object c = one.through(new A());    // c = {A@25} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object d = two.through(new B());    // d = {B@26} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object e = one.bystatic(new A());   // e = {A@27} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object f = two.bystatic(new B());   // f = {B@28} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
    }
}
