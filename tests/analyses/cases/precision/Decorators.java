package decorators;

// Decorators: one object around another of the same interface.
class A { }
class B { }
interface Source { Object read(); }
class Plain implements Source {
    private final Object value;
    Plain(Object value) { this.value = value; }
    public Object read() { return value; }
}
class Buffered implements Source {
    private final Source inner;
    Buffered(Source inner) { this.inner = inner; }
    public Object read() { return inner.read(); }
}

class Decorators {
    public static void main(String[] args) {
        Source one = new Buffered(new Plain(new A())), two = new Buffered(new Plain(new B()));
        Object a = one.read();              // a = {A@20} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object b = two.read();              // b = {B@20} by 1-call, 1-obj, 2-call, 2-obj+heap
        Source three = new Buffered(new Buffered(new Plain(new A())));
        Object c = three.read();            // c = {A@23} by 1-call, 1-obj, 2-call, 2-obj+heap
    }
}
