package bookshop.collections;

import java.util.Comparator;
import java.util.NoSuchElementException;

/** A queue that gives out its smallest element first. */
public class Heap<E> {
    private final Comparator<? super E> order;
    private final ArraySequence<E> elements = new ArraySequence<>();

    public Heap(Comparator<? super E> order) {
        this.order = order;
    }

    public boolean isEmpty() {
        return elements.isEmpty();
    }

    public int size() {
        return elements.size();
    }

    public void push(E element) {
        elements.add(element);
        int child = elements.size() - 1;
        while (child > 0 && less(child, (child - 1) / 2)) {
            swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    }

    public E pop() {
        if (isEmpty()) {
            throw new NoSuchElementException("the heap is empty");
        }
        swap(0, elements.size() - 1);
        E smallest = elements.removeAt(elements.size() - 1);
        int parent = 0;
        int child;
        while ((child = smallerChild(parent)) >= 0 && less(child, parent)) {
            swap(child, parent);
            parent = child;
        }
        return smallest;
    }

    private int smallerChild(int parent) {
        int left = 2 * parent + 1;
        if (left >= elements.size()) {
            return -1;
        }
        int right = left + 1;
        return right < elements.size() && less(right, left) ? right : left;
    }

    private boolean less(int a, int b) {
        return order.compare(elements.get(a), elements.get(b)) < 0;
    }

    private void swap(int a, int b) {
        elements.set(b, elements.set(a, elements.get(b)));
    }
}
