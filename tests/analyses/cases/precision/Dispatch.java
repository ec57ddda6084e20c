package dispatch;

// The method that runs is that of the object's class: interfaces, superclasses, abstract and default methods. `this` is
// an object whose class has the method.
interface Shape { Object make(); default Object again() { return make(); } }
class A { }
class B { }
class Circle implements Shape { public Object make() { return new A(); } }
class Square implements Shape { public Object make() { return new B(); } }
abstract class Base {
    Object kept;
    Object run() { return step(); }
    abstract Object step();
    Base self() { return this; }
}
class One extends Base { Object step() { kept = new A(); return kept; } }
class Two extends Base { Object step() { kept = new B(); return kept; } }

class Dispatch {
    public static void main(String[] args) {
        Shape circle = new Circle(), square = new Square();
        Object a = circle.make();           // a = {A@8}
        Object b = square.make();           // b = {B@9}
        Shape either = args.length > 0 ? circle : square;
        Object c = either.make();           // c = {A@8, B@9}
        Object d = circle.again();          // d = {A@8} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object e = square.again();          // e = {B@9} by 1-call, 1-obj, 2-call, 2-obj+heap
        Base one = new One(), two = new Two();
        Object f = one.run();               // f = {A@16} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object g = two.run();               // g = {B@17} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object h = one.kept;                // h = {A@16}
        Base i = one.self();                // i = {One@28}
        Base j = two.self();                // j = {Two@28}
    }
}
