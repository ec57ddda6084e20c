package outer;

// Inner classes hold their enclosing object, local and anonymous classes also variables: both are told apart by object.
class A { }
class B { }
interface Getter { Object get(); }

class Holder {
    Object value;
    Holder(Object value) { this.value = value; }

    class Inner implements Getter {
        public Object get() { return value; }
        Holder outer() { return Holder.this; }
    }

    Inner inner() { return new Inner(); }

    Getter local() {
        Object seen = value;
        class Local implements Getter {
            public Object get() { return seen; }
        }
        return new Local();
    }

    static Getter of(Object given) {
        return new Getter() {
            public Object get() { return given; }
        };
    }

    Getter anonymous() {
        return new Getter() {
            public Object get() { return value; }
        };
    }
}

class Outer {
    public static void main(String[] args) {
        Holder one = new Holder(new A()), two = new Holder(new B());
        Holder.Inner first = one.new Inner(), second = two.new Inner();
        Object a = first.get();             // a = {A@42} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object b = second.get();            // b = {B@42} by 1-call, 1-obj, 2-call, 2-obj+heap
        Holder o = first.outer();           // o = {Holder@42}
        Object c = one.inner().get();       // c = {A@42} by 2-obj+heap
        Object d = two.inner().get();       // d = {B@42} by 2-obj+heap
        Object e = one.local().get();       // e = {A@42} by 2-obj+heap
        Object f = two.local().get();       // f = {B@42} by 2-obj+heap
        Object g = one.anonymous().get();   // g = {A@42} by 2-obj+heap
        Object h = two.anonymous().get();   // h = {B@42} by 2-obj+heap
        Object i = Holder.of(new A()).get(); // i = {A@53} by none; Doop {A@53, B@54}
        Object j = Holder.of(new B()).get(); // j = {B@54} by none; Doop {A@53, B@54}
    }
}
