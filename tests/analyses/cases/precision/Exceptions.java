package exceptions;

// A handler catches what is thrown below it and of its type; exceptions are the objects thrown, wherever they are
// caught. Doop keeps the objects apart, Tai-e, by default, and Doop by choice have one for each type.
class Oops extends RuntimeException {
    Object cause;
    Oops(Object cause) { this.cause = cause; }
}
class Worse extends Oops { Worse(Object cause) { super(cause); } }
class Other extends RuntimeException { }
class A { }
class B { }
class Guard {
    private final Object kept;
    Guard(Object kept) { this.kept = kept; }
    void fail() { throw new Oops(kept); }
    Object failed() {
        try {
            throw new Oops(kept);
        } catch (Oops e) {
            return e.cause;
        }
    }
}

class Exceptions {
    static void near() { throw new Oops(new A()); }
    static void worse() { throw new Worse(new B()); }
    static void far() { pass(); }
    static void pass() { near(); }
    static void else_() { throw new Other(); }

    public static void main(String[] args) {
        try {
            throw new Oops(new A());
        } catch (Oops e) {
            Oops here = e;                  // here = {Oops@35}
            Object c1 = e.cause;            // c1 = {A@35}
        }
        try {
            near();
        } catch (Oops e) {
            Oops caught1 = e;               // caught1 = {Oops@27}
            Object c2 = e.cause;            // c2 = {A@27}
        }
        try {
            far();
        } catch (Oops e) {
            Oops caught2 = e;               // caught2 = {Oops@27} by none
            Object c3 = e.cause;            // c3 = {A@27} by none
        }
        try {
            if (args.length > 0) worse(); else else_();
        } catch (Worse e) {
            Oops caught3 = e;               // caught3 = {Worse@28}
            Object c4 = e.cause;            // c4 = {B@28}
        } catch (Oops e) {
            Oops caught4 = e;               // caught4 = {}
        } catch (Other e) {
            Other caught5 = e;             // caught5 = {Other@31}
        }
        Guard one = new Guard(new A()), two = new Guard(new B());
        try {
            one.fail();
        } catch (Oops e) {
            Object c5 = e.cause;            // c5 = {A@62} by 2-obj+heap, selective
        }
        try {
            two.fail();
        } catch (Oops e) {
            Object c6 = e.cause;            // c6 = {B@62} by 2-obj+heap, selective
        }
        Object c7 = one.failed();           // c7 = {A@62} by 2-obj+heap, selective
        Object c8 = two.failed();           // c8 = {B@62} by 2-obj+heap, selective
        try {
            try {
                far();
            } finally {
                Object still = new A();     // still = {A@79}
            }
        } catch (Oops e) {
            throw e;
        }
    }
}
