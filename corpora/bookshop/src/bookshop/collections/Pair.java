package bookshop.collections;

import java.util.Comparator;

/** Two values of any types. */
public record Pair<A, B>(A first, B second) {
    public static <A, B> Pair<A, B> of(A first, B second) {
        return new Pair<>(first, second);
    }

    public Pair<B, A> swapped() {
        return new Pair<>(second, first);
    }

    /** Orders pairs by what their second components say. */
    public static <A, B extends Comparable<? super B>> Comparator<Pair<A, B>> bySecond() {
        return (left, right) -> left.second().compareTo(right.second());
    }
}
