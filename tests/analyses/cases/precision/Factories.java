package factories;

// Factories: objects of a factory method are one for each object that it is called on; those of a static factory are one
// altogether, unless calls are told apart. Doop and Tai-e give static methods the context of their caller.
class A { }
class B { }
class Box { Object content; void set(Object o) { content = o; } Object get() { return content; } }
class Factory { Box make() { return new Box(); } }

class Factories {
    static Box make() { return new Box(); }

    public static void main(String[] args) {
        Factory red = new Factory(), blue = new Factory();
        Box one = red.make(), two = blue.make();
        one.set(new A());
        two.set(new B());
        Object a = one.get();               // a = {A@16} by none; Doop {A@16, A@26, B@27}
        Object b = two.get();               // b = {B@17} by 2-obj+heap
        Box three = make(), four = make();
        three.set(new A());
        four.set(new B());
        Object c = three.get();             // c = {A@21} by selective; Doop {A@21, B@22}
        Object d = four.get();              // d = {B@22} by selective; Doop {A@21, B@22}
        Box five = red.make(), six = red.make();
        five.set(new A());
        six.set(new B());
        Object e = five.get();              // e = {A@26} by none; Doop {A@16, A@26, B@27}
        Object f = six.get();               // f = {B@27} by none; Doop {A@16, A@26, B@27}
    }
}
