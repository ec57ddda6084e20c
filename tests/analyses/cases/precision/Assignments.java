package assignments;

// Variables that are assigned several times: a use sees the assignments that reach it (local variables are split by
// their definitions, as Soot does for Doop and Tai-e). Where paths meet, both are seen.
class A { Object f; }
class B { }

class Assignments {
    public static void main(String[] args) {
        Object x = new A();
        Object first = x;                   // first = {A@10}
        x = new B();
        Object second = x;                  // second = {B@12}

        Object y = new A();
        if (args.length > 0) {
            y = new B();
            Object inside = y;              // inside = {B@17} by none; Doop {A@15, B@17}
        }
        Object after = y;                   // after = {A@15, B@17}

        Object z = new A();
        while (args.length > 0) {
            Object before = z;              // before = {A@22, B@25}
            z = new B();
            Object behind = z;              // behind = {B@25} by none; Doop {A@22, B@25}
        }

        Object s;
        switch (args.length) {
            case 0: s = new A(); break;
            case 1: s = new B();
            default: s = new Object();
        }
        Object chosen = s;                  // chosen = {A@31, Object@33}

        parameter(new A());
        Object c = args.length > 1 ? new A() : new B();
        Object conditional = c;             // conditional = {A@38, B@38}
    }

    static void parameter(Object p) {
        Object given = p;                   // given = {A@37}
        p = new B();
        Object own = p;                     // own = {B@44}
    }
}
