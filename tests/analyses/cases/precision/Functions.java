package functions;

import java.util.function.Function;
import java.util.function.Supplier;

// Lambdas and method references: objects that run code of the place where they are made, with its variables.
class A { }
class B { }
class Box {
    Object content;
    Box(Object content) { this.content = content; }
    Object get() { return content; }
    Supplier<Object> later() { return () -> content; }
    Supplier<Object> reference() { return this::get; }
    Supplier<Object> kept() { Object now = content; return () -> now; }
}

class Functions {
    static Object same(Object o) { return o; }

    public static void main(String[] args) {
        Object captured = new A();
        Supplier<Object> supply = () -> captured;
        Supplier<Object> make = B::new;
        Object a = supply.get();            // a = {A@22}
        Object b = make.get();              // b = {reference@24/object}
        Box one = new Box(new A()), two = new Box(new B());
        Supplier<Object> first = one::get, second = two::get;
        Object c = first.get();             // c = {A@27} by 1-obj, 2-obj+heap, selective
        Object d = second.get();            // d = {B@27} by 1-obj, 2-obj+heap, selective
        Object e = one.later().get();       // e = {A@27} by 2-obj+heap, selective
        Object f = two.later().get();       // f = {B@27} by 2-obj+heap, selective
        Object g = one.kept().get();        // g = {A@27} by 2-obj+heap, selective
        Object h = two.kept().get();        // h = {B@27} by 2-obj+heap, selective
        Object i = one.reference().get();   // i = {A@27} by 2-obj+heap, selective
        Object j = two.reference().get();   // j = {B@27} by 2-obj+heap, selective
        Function<Object, Object> id = o -> o;
        Object k = id.apply(new A());       // k = {A@38} by 1-call, 2-call; Doop {A@38, B@39}
        Object l = id.apply(new B());       // l = {B@39} by 1-call, 2-call; Doop {A@38, B@39}
        Function<Object, Object> ref = Functions::same;
        Object m = ref.apply(new A());      // m = {A@41}
    }
}
