package strongupdates;

// What a field or an array held before it was assigned anew is seen nowhere in a run. Analyses that keep one set for each
// field of an object, as those of Doop and Tai-e and this one, have it in every load.
class A { Object f; }
class B { }

class StrongUpdates {
    static Object place;

    public static void main(String[] args) {
        A a = new A();
        a.f = new A();
        Object before = a.f;                // before = {A@13} by none; Doop {A@13, B@15}
        a.f = new B();
        Object after = a.f;                 // after = {B@15} by none; Doop {A@13, B@15}

        Object[] array = new Object[1];
        array[0] = new A();
        Object first = array[0];            // first = {A@19} by none; Doop {A@19, B@21}
        array[0] = new B();
        Object second = array[0];           // second = {B@21} by none; Doop {A@19, B@21}

        place = new A();
        Object one = place;                 // one = {A@24} by none; Doop {A@24, B@26}
        place = new B();
        Object two = place;                 // two = {B@26} by none; Doop {A@24, B@26}
    }
}
