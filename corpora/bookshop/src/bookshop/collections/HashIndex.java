package bookshop.collections;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** An index by hash code with chained buckets; iterates in the order of insertion. */
public class HashIndex<K, V> implements Index<K, V> {
    private static final int FIRST_CAPACITY = 16;

    private Slot<K, V>[] buckets = newBuckets(FIRST_CAPACITY);
    private Slot<K, V> oldest;
    private Slot<K, V> newest;
    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public V get(K key) {
        Slot<K, V> slot = find(key);
        return slot == null ? null : slot.value;
    }

    @Override
    public boolean containsKey(K key) {
        return find(key) != null;
    }

    @Override
    public V put(K key, V value) {
        Slot<K, V> slot = find(key);
        if (slot != null) {
            V old = slot.value;
            slot.value = value;
            return old;
        }
        if (size >= buckets.length - buckets.length / 4) {
            grow();
        }
        append(new Slot<>(key, value));
        return null;
    }

    @Override
    public V remove(K key) {
        Slot<K, V> slot = find(key);
        if (slot == null) {
            return null;
        }
        dropFromBucket(slot);
        if (slot.older == null) {
            oldest = slot.newer;
        } else {
            slot.older.newer = slot.newer;
        }
        if (slot.newer == null) {
            newest = slot.older;
        } else {
            slot.newer.older = slot.older;
        }
        size--;
        return slot.value;
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
        return new InsertionOrder();
    }

    private Slot<K, V> find(K key) {
        Slot<K, V> slot = buckets[bucketOf(key)];
        while (slot != null && !slot.key.equals(key)) {
            slot = slot.chain;
        }
        return slot;
    }

    private int bucketOf(Object key) {
        int hash = key.hashCode();
        hash ^= hash >>> 16;
        return hash & (buckets.length - 1);
    }

    private void append(Slot<K, V> slot) {
        addToBucket(slot);
        slot.older = newest;
        if (newest == null) {
            oldest = slot;
        } else {
            newest.newer = slot;
        }
        newest = slot;
        size++;
    }

    private void addToBucket(Slot<K, V> slot) {
        int bucket = bucketOf(slot.key);
        slot.chain = buckets[bucket];
        buckets[bucket] = slot;
    }

    private void dropFromBucket(Slot<K, V> gone) {
        int bucket = bucketOf(gone.key);
        if (buckets[bucket] == gone) {
            buckets[bucket] = gone.chain;
            return;
        }
        Slot<K, V> before = buckets[bucket];
        while (before.chain != gone) {
            before = before.chain;
        }
        before.chain = gone.chain;
    }

    private void grow() {
        buckets = newBuckets(2 * buckets.length);
        for (Slot<K, V> slot = oldest; slot != null; slot = slot.newer) {
            addToBucket(slot);
        }
    }

    @SuppressWarnings("unchecked")
    private static <A, B> Slot<A, B>[] newBuckets(int capacity) {
        return (Slot<A, B>[]) new Slot<?, ?>[capacity];
    }

    private static final class Slot<K, V> implements Entry<K, V> {
        private final K key;
        private V value;
        private Slot<K, V> chain;
        private Slot<K, V> older;
        private Slot<K, V> newer;

        Slot(K key, V value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public K key() {
            return key;
        }

        @Override
        public V value() {
            return value;
        }

        @Override
        public String toString() {
            return key + "=" + value;
        }
    }

    private final class InsertionOrder implements Iterator<Entry<K, V>> {
        private Slot<K, V> next = oldest;

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public Entry<K, V> next() {
            if (next == null) {
                throw new NoSuchElementException();
            }
            Slot<K, V> current = next;
            next = current.newer;
            return current;
        }
    }
}
