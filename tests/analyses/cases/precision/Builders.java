package builders;

// Builders: methods return the object they are called on; what is built has what was given to this builder.
class A { }
class B { }
class Car { final Object wheel, engine; Car(Object wheel, Object engine) { this.wheel = wheel; this.engine = engine; } }
class Builder {
    private Object wheel, engine;
    Builder wheel(Object o) { wheel = o; return this; }
    Builder engine(Object o) { engine = o; return this; }
    Car build() { return new Car(wheel, engine); }
}

class Builders {
    public static void main(String[] args) {
        Car one = new Builder().wheel(new A()).engine(new B()).build();
        Car two = new Builder().wheel(new B()).engine(new A()).build();
        Object a = one.wheel;               // a = {A@16} by 2-obj+heap
        Object b = one.engine;              // b = {B@16} by 2-obj+heap
        Object c = two.wheel;               // c = {B@17} by 2-obj+heap
        Object d = two.engine;              // d = {A@17} by 2-obj+heap
    }
}
