package generics;

// Type variables: casts that javac adds where results are used let through what is of the type.
class A { }
class B { }
class Cell<T> { T value; T get() { return value; } }
class Any {
    static Cell cell = new Cell();
    static void fill() { cell.value = new A(); Object o = cell; ((Cell<Object>) o).value = new B(); }
}
class Generics {
    public static void main(String[] args) {
        Any.fill();
        Cell<A> as = Any.cell;
        A a = as.get();                     // a = {A@9}
        Cell<B> bs = Any.cell;
        B b = bs.value;                     // b = {B@9}
        Cell<Object> os = Any.cell;
        Object o = os.get();                // o = {A@9, B@9}
    }
}
