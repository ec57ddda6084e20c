package bookshop.collections;

import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** An ordered, growing collection; the shop's own counterpart of a list. */
public interface Sequence<E> extends Iterable<E> {
    int size();

    /** The element at a position counted from 0. */
    E get(int index);

    /** Adds an element at the end; answers the sequence itself, so that calls can be chained. */
    Sequence<E> add(E element);

    /** Takes out the first element equal to the given one; whether there was one. */
    boolean remove(Object element);

    @SafeVarargs
    static <T> Sequence<T> of(T... elements) {
        Sequence<T> result = new ArraySequence<>(elements.length);
        for (T element : elements) {
            result.add(element);
        }
        return result;
    }

    static <T> Sequence<T> copyOf(Iterable<? extends T> elements) {
        return new ArraySequence<T>().addAll(elements);
    }

    /** The largest element; the sequence must not be empty. */
    static <T extends Comparable<? super T>> T max(Sequence<? extends T> elements) {
        return elements.<T>map(element -> element).reduce((a, b) -> a.compareTo(b) >= 0 ? a : b);
    }

    static int sum(Sequence<Integer> numbers) {
        int total = 0;
        for (int number : numbers) {
            total += number;
        }
        return total;
    }

    default Sequence<E> addAll(Iterable<? extends E> elements) {
        for (E element : elements) {
            add(element);
        }
        return this;
    }

    default boolean isEmpty() {
        return size() == 0;
    }

    default E first() {
        if (isEmpty()) {
            throw new NoSuchElementException("an empty sequence has no first element");
        }
        return get(0);
    }

    default E last() {
        if (isEmpty()) {
            throw new NoSuchElementException("an empty sequence has no last element");
        }
        return get(size() - 1);
    }

    default boolean contains(Object wanted) {
        return indexOf(wanted) >= 0;
    }

    default int indexOf(Object wanted) {
        int index = 0;
        for (E element : this) {
            if (wanted == null ? element == null : wanted.equals(element)) {
                return index;
            }
            index++;
        }
        return -1;
    }

    default <R> Sequence<R> map(Function<? super E, ? extends R> function) {
        Sequence<R> result = new ArraySequence<>(size());
        for (E element : this) {
            result.add(function.apply(element));
        }
        return result;
    }

    default Sequence<E> where(Predicate<? super E> condition) {
        Sequence<E> result = new ArraySequence<>();
        for (E element : this) {
            if (condition.test(element)) {
                result.add(element);
            }
        }
        return result;
    }

    default <A> A fold(A start, Fold<A, ? super E> step) {
        A result = start;
        for (E element : this) {
            result = step.apply(result, element);
        }
        return result;
    }

    default E reduce(BinaryOperator<E> join) {
        E result = null;
        boolean started = false;
        for (E element : this) {
            result = started ? join.apply(result, element) : element;
            started = true;
        }
        if (!started) {
            throw new NoSuchElementException("nothing to reduce");
        }
        return result;
    }

    default Option<E> find(Predicate<? super E> condition) {
        for (E element : this) {
            if (condition.test(element)) {
                return Option.some(element);
            }
        }
        return Option.none();
    }

    default Sequence<E> sorted(Comparator<? super E> order) {
        return Sorting.mergeSort(this, order);
    }

    default E[] toArray(IntFunction<E[]> maker) {
        E[] result = maker.apply(size());
        int next = 0;
        for (E element : this) {
            result[next++] = element;
        }
        return result;
    }

    default String join(String separator) {
        StringBuilder text = new StringBuilder();
        String between = "";
        for (E element : this) {
            text.append(between).append(element);
            between = separator;
        }
        return text.toString();
    }

    /** One step of a fold: what was gathered so far and the next element give what is gathered then. */
    @FunctionalInterface
    interface Fold<A, E> {
        A apply(A gathered, E element);
    }
}
