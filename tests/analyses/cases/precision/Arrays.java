package arrays;

// An array has one set for all its elements; arrays are told apart, and arrays of arrays by their elements.
class A { }
class B { }

class Arrays {
    public static void main(String[] args) {
        Object[] one = {new A()};
        Object[] two = new Object[2];
        two[0] = new B();
        Object a = one[0];                  // a = {A@9}
        Object b = two[0];                  // b = {B@11}
        Object n = two[1];                  // n = {} by none; Doop {B@11}

        Object[][] grid = new Object[2][2];
        grid[0][0] = new A();
        Object c = grid[0][0];              // c = {A@17} by none; Doop {A@17, B@20}
        Object[] row = grid[args.length];
        row[1] = new B();
        Object d = grid[0][1];              // d = {B@20} by none; Doop {A@17, B@20}

        Object[] copy = one.clone();
        Object e = copy[0];                 // e = {A@9}
        Object[] target = new Object[1];
        System.arraycopy(two, 0, target, 0, 1);
        Object f = target[0];               // f = {B@11}
        for (Object o : one) {
            Object g = o;                   // g = {A@9}
        }
        Object h = first(new A(), new B()); // h = {A@31} by none; Doop {A@31, B@31}
        Object[] objects = new A[1];
        objects[0] = args.length > 0 ? new A() : null;
        Object i = objects[0];              // i = {A@33}
    }

    static Object first(Object... all) { return all[0]; }
}
