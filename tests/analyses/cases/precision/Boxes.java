package boxes;

// Containers: what is put into one object comes out of it alone, if methods are told apart by the object they are called
// on (Milanova, Rountev and Ryder, TOSEM 2005: encapsulation).
class A { }
class B { }
class Box<T> {
    private T content;
    Box() { }
    Box(T t) { set(t); }
    void set(T t) { content = t; }
    T get() { return content; }
    T swap(T t) { T old = content; content = t; return old; }
}

class Boxes {
    public static void main(String[] args) {
        Box<Object> one = new Box<>(), two = new Box<>();
        one.set(new A());
        two.set(new B());
        Object a = one.get();               // a = {A@19}
        Object b = two.get();               // b = {B@20}
        Box<Object> three = new Box<>(new A()), four = new Box<>(new B());
        Object c = three.get();             // c = {A@23} by none; Doop {A@23, A@26}
        Object d = four.get();              // d = {B@23} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
        Object e = three.swap(new A());     // e = {A@23} by none; Doop {A@23, A@26}
        Object f = four.get();              // f = {B@23} by 1-call, 1-obj, 2-call, 2-obj+heap, selective
    }
}
