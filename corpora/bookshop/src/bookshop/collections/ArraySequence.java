package bookshop.collections;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** A sequence in an array that doubles when it is full. */
public class ArraySequence<E> extends AbstractSequence<E> {
    private static final int SMALLEST = 8;

    private Object[] elements;
    private int size;

    public ArraySequence() {
        this(SMALLEST);
    }

    public ArraySequence(int capacity) {
        this.elements = new Object[Math.max(SMALLEST, capacity)];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    @SuppressWarnings("unchecked")
    public E get(int index) {
        return (E) elements[checked(index)];
    }

    /** Replaces an element; answers the old one. */
    public E set(int index, E element) {
        E old = get(index);
        elements[index] = element;
        return old;
    }

    @Override
    public ArraySequence<E> add(E element) {
        if (size == elements.length) {
            Object[] larger = new Object[2 * size];
            System.arraycopy(elements, 0, larger, 0, size);
            elements = larger;
        }
        elements[size++] = element;
        return this;
    }

    @Override
    public boolean remove(Object element) {
        int index = indexOf(element);
        if (index < 0) {
            return false;
        }
        removeAt(index);
        return true;
    }

    public E removeAt(int index) {
        E removed = get(index);
        for (int i = index; i < size - 1; i++) {
            elements[i] = elements[i + 1];
        }
        elements[--size] = null;
        return removed;
    }

    @Override
    public Iterator<E> iterator() {
        return new Iterator<E>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public E next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }
        };
    }
}
