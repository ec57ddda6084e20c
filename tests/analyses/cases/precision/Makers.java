package makers;

// Objects of one class that different classes make: types in the place of objects tell these apart, too (POPL 2011).
class A { }
class B { }
class Box { Object content; void set(Object o) { content = o; } Object get() { return content; } }
class Red { Box make() { Box b = new Box(); b.set(new A()); return b; } }
class Blue { Box make() { Box b = new Box(); b.set(new B()); return b; } }

class Makers {
    public static void main(String[] args) {
        Object a = new Red().make().get();  // a = {A@7}
        Object b = new Blue().make().get(); // b = {B@8}
    }
}
