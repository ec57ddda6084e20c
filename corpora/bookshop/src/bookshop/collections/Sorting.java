package bookshop.collections;

import java.util.Comparator;

/** Sorting and searching. */
public final class Sorting {
    private static final int SMALL = 6;

    private Sorting() {
    }

    /** A new sequence of the same elements, sorted; equal elements keep their order. */
    public static <T> Sequence<T> mergeSort(Sequence<T> elements, Comparator<? super T> order) {
        Object[] sorted = new Object[elements.size()];
        int next = 0;
        for (T element : elements) {
            sorted[next++] = element;
        }
        sort(sorted, new Object[sorted.length], 0, sorted.length, order);
        Sequence<T> result = new ArraySequence<>(sorted.length);
        for (Object element : sorted) {
            result.add(Sorting.<T>cast(element));
        }
        return result;
    }

    /** Index of a key in a sorted array, or -(place to insert it) - 1. */
    public static int binarySearch(int[] sorted, int key) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < key) {
                low = middle + 1;
            } else if (sorted[middle] > key) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -low - 1;
    }

    private static <T> void sort(Object[] items, Object[] spare, int from, int to, Comparator<? super T> order) {
        if (to - from <= SMALL) {
            insertionSort(items, from, to, order);
            return;
        }
        int middle = from + (to - from) / 2;
        sort(items, spare, from, middle, order);
        sort(items, spare, middle, to, order);
        merge(items, spare, from, middle, to, order);
    }

    private static <T> void insertionSort(Object[] items, int from, int to, Comparator<? super T> order) {
        for (int i = from + 1; i < to; i++) {
            Object moving = items[i];
            int hole = i;
            while (hole > from && order.compare(Sorting.<T>cast(items[hole - 1]), Sorting.<T>cast(moving)) > 0) {
                items[hole] = items[hole - 1];
                hole--;
            }
            items[hole] = moving;
        }
    }

    private static <T> void merge(Object[] items, Object[] spare, int from, int middle, int to, Comparator<? super T> order) {
        System.arraycopy(items, from, spare, from, to - from);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right >= to
                || left < middle && order.compare(Sorting.<T>cast(spare[left]), Sorting.<T>cast(spare[right])) <= 0;
            items[i] = takeLeft ? spare[left++] : spare[right++];
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object element) {
        return (T) element;
    }
}
