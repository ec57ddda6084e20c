package bookshop.collections;

import java.util.Iterator;

/** A sequence that tells observers about what is added to and removed from another one. */
public class ObservableSequence<E> extends AbstractSequence<E> {
    private final Sequence<E> elements;
    private final Sequence<Observer<? super E>> observers = new LinkedSequence<>();

    public ObservableSequence(Sequence<E> elements) {
        this.elements = elements;
    }

    public ObservableSequence() {
        this(new ArraySequence<>());
    }

    /** Registers an observer; closing what is answered ends that. */
    public Observation observe(Observer<? super E> observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public E get(int index) {
        return elements.get(index);
    }

    @Override
    public ObservableSequence<E> add(E element) {
        elements.add(element);
        for (Observer<? super E> observer : observers) {
            observer.added(element);
        }
        return this;
    }

    @Override
    public boolean remove(Object element) {
        int index = elements.indexOf(element);
        if (index < 0) {
            return false;
        }
        E removed = elements.get(index);
        elements.remove(removed);
        observers.forEach(observer -> observer.removed(removed));
        return true;
    }

    @Override
    public Iterator<E> iterator() {
        Iterator<E> inner = elements.iterator();
        return new Iterator<>() {
            private E last;

            @Override
            public boolean hasNext() {
                return inner.hasNext();
            }

            @Override
            public E next() {
                last = inner.next();
                return last;
            }

            @Override
            public void remove() {
                inner.remove();
                for (Observer<? super E> observer : observers) {
                    observer.removed(last);
                }
            }
        };
    }

    /** Hears of changes. */
    public interface Observer<T> {
        void added(T element);

        default void removed(T element) {
        }
    }

    /** A registration that can be ended. */
    @FunctionalInterface
    public interface Observation extends AutoCloseable {
        @Override
        void close();
    }
}
