package bookshop.collections;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** A doubly linked sequence: cheap at both ends and while iterating. */
public class LinkedSequence<E> extends AbstractSequence<E> {
    private final Node<E> ring = new Node<>(null);   // its next is the first node, its previous the last
    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public E get(int index) {
        Node<E> node = ring.next;
        for (int i = checked(index); i > 0; i--) {
            node = node.next;
        }
        return node.element;
    }

    @Override
    public LinkedSequence<E> add(E element) {
        insertBefore(ring, element);
        return this;
    }

    public LinkedSequence<E> addFirst(E element) {
        insertBefore(ring.next, element);
        return this;
    }

    public E removeFirst() {
        E element = first();
        unlink(ring.next);
        return element;
    }

    @Override
    public boolean remove(Object element) {
        for (Iterator<E> all = iterator(); all.hasNext();) {
            E candidate = all.next();
            if (candidate == element || candidate != null && candidate.equals(element)) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    @Override
    public Iterator<E> iterator() {
        return new Walk();
    }

    /** The elements from the last to the first. */
    public Iterable<E> backwards() {
        return () -> new Walk() {
            @Override
            Node<E> follow(Node<E> node) {
                return node.previous;
            }
        };
    }

    private void insertBefore(Node<E> place, E element) {
        Node<E> node = new Node<>(element);
        node.next = place;
        node.previous = place.previous;
        place.previous.next = node;
        place.previous = node;
        size++;
    }

    private void unlink(Node<E> node) {
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
    }

    private static final class Node<T> {
        final T element;
        Node<T> next = this;
        Node<T> previous = this;

        Node(T element) {
            this.element = element;
        }
    }

    private class Walk implements Iterator<E> {
        private Node<E> current = ring;

        Node<E> follow(Node<E> node) {
            return node.next;
        }

        @Override
        public boolean hasNext() {
            return follow(current) != ring;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            current = follow(current);
            return current.element;
        }

        @Override
        public void remove() {
            if (current == ring) {
                throw new IllegalStateException("next() comes first");
            }
            unlink(current);
        }
    }
}
