package bookshop.collections;

import java.util.function.Supplier;

/** Values by key; the shop's own counterpart of a map. */
public interface Index<K, V> extends Iterable<Index.Entry<K, V>> {
    int size();

    /** The value of a key, or null. */
    V get(K key);

    /** Gives a key a value; answers the old value, or null. */
    V put(K key, V value);

    /** Takes a key out; answers its value, or null. */
    V remove(K key);

    default boolean containsKey(K key) {
        return get(key) != null;
    }

    default Option<V> lookup(K key) {
        return Option.ofNullable(get(key));
    }

    default V getOrElse(K key, V other) {
        V value = get(key);
        return value != null ? value : other;
    }

    /** The value of a key, made and kept if there is none. */
    default V getOrMake(K key, Supplier<? extends V> maker) {
        V value = get(key);
        if (value == null) {
            value = maker.get();
            put(key, value);
        }
        return value;
    }

    default Sequence<K> keys() {
        Sequence<K> result = new ArraySequence<>(size());
        for (Entry<K, V> entry : this) {
            result.add(entry.key());
        }
        return result;
    }

    default Sequence<V> values() {
        Sequence<V> result = new ArraySequence<>(size());
        forEach(entry -> result.add(entry.value()));
        return result;
    }

    /** A key with its value. */
    interface Entry<K, V> {
        K key();

        V value();
    }
}
