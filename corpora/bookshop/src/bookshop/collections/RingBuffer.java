package bookshop.collections;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Remembers the last few elements only. */
public class RingBuffer<E> implements Iterable<E> {
    private final E[] slots;
    private int next;
    private int size;

    @SuppressWarnings("unchecked")
    public RingBuffer(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        this.slots = (E[]) new Object[capacity];
    }

    public void add(E element) {
        slots[next] = element;
        next = (next + 1) % slots.length;
        if (size < slots.length) {
            size++;
        }
    }

    public int size() {
        return size;
    }

    @Override
    public Iterator<E> iterator() {
        final int start = (next - size + slots.length) % slots.length;

        class OldestFirst implements Iterator<E> {
            private int taken;

            @Override
            public boolean hasNext() {
                return taken < size;
            }

            @Override
            public E next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return slots[(start + taken++) % slots.length];
            }
        }

        return new OldestFirst();
    }
}
