package iterators;

import java.util.Iterator;

// Iterators that the program defines: an inner class over the elements of the container that made it.
class A { }
class B { }
class Bag<T> implements Iterable<T> {
    private Object[] items = new Object[8];
    private int size;
    void add(T t) { items[size++] = t; }
    public Iterator<T> iterator() { return new Each(); }
    Iterator<T> anonymous() {
        final Object[] all = items;
        return new Iterator<T>() {
            int at;
            public boolean hasNext() { return at < all.length; }
            public T next() { return (T) all[at++]; }
        };
    }

    private class Each implements Iterator<T> {
        int at;
        public boolean hasNext() { return at < size; }
        public T next() { return (T) items[at++]; }
    }
}

class Iterators {
    public static void main(String[] args) {
        Bag<Object> one = new Bag<>(), two = new Bag<>();
        one.add(new A());
        two.add(new B());
        Object a = one.iterator().next();   // a = {A@32} by 2-obj+heap
        Object b = two.iterator().next();   // b = {B@33} by 2-obj+heap
        for (Object o : one) {
            Object c = o;                   // c = {A@32} by 2-obj+heap
        }
        Object d = one.anonymous().next();  // d = {A@32} by 2-obj+heap
        Object e = two.anonymous().next();  // e = {B@33} by 2-obj+heap
    }
}
