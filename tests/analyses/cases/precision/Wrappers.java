package wrappers;

// Containers of two levels: an object that makes the one that holds the content. It takes a heap with contexts to tell
// inner ones of different outer ones apart (Smaragdakis, Bravenboer and Lhotak, POPL 2011), and three levels a context
// more than two.
class A { }
class B { }
class Box { Object content; void set(Object o) { content = o; } Object get() { return content; } }
class Wrapper {
    private final Box box = new Box();
    void put(Object o) { box.set(o); }
    Object take() { return box.get(); }
}
class Parcel {
    private final Wrapper wrapper = new Wrapper();
    void put(Object o) { wrapper.put(o); }
    Object take() { return wrapper.take(); }
}

class Wrappers {
    public static void main(String[] args) {
        Wrapper one = new Wrapper(), two = new Wrapper();
        one.put(new A());
        two.put(new B());
        Object a = one.take();              // a = {A@23} by 2-obj+heap, selective
        Object b = two.take();              // b = {B@24} by 2-obj+heap, selective
        Parcel three = new Parcel(), four = new Parcel();
        three.put(new A());
        four.put(new B());
        Object c = three.take();            // c = {A@28} by none; Doop {A@28, B@29}
        Object d = four.take();             // d = {B@29} by none; Doop {A@28, B@29}
    }
}
