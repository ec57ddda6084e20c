package listeners;

// Observers: a subject calls those that were added to it, and no others.
class A { }
class B { }
interface Listener { void on(Object event); }
class Log implements Listener { Object last; public void on(Object event) { last = event; } }
class Subject {
    private Listener first, more;
    void add(Listener l) { if (first == null) first = l; else more = l; }
    void fire(Object event) { first.on(event); if (more != null) more.on(event); }
}

class Listeners {
    public static void main(String[] args) {
        Subject one = new Subject(), two = new Subject();
        Log red = new Log(), blue = new Log(), both = new Log();
        one.add(red);
        two.add(blue);
        one.add(both);
        two.add(both);
        one.fire(new A());
        two.fire(new B());
        Object a = red.last;                // a = {A@22} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object b = blue.last;               // b = {B@23} by 1-call, 1-obj, 2-call, 2-obj+heap
        Object c = both.last;               // c = {A@22, B@23}
    }
}
