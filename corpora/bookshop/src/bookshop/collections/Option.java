package bookshop.collections;

import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;

/** A value or nothing. */
public sealed interface Option<T> permits Option.Some, Option.None {
    static <T> Option<T> some(T value) {
        return new Some<>(value);
    }

    @SuppressWarnings("unchecked")
    static <T> Option<T> none() {
        return (Option<T>) None.NOTHING;
    }

    static <T> Option<T> ofNullable(T value) {
        return value == null ? none() : some(value);
    }

    boolean isPresent();

    T get();

    default T orElse(T other) {
        return isPresent() ? get() : other;
    }

    default <X extends Exception> T orThrow(Supplier<? extends X> exception) throws X {
        if (!isPresent()) {
            throw exception.get();
        }
        return get();
    }

    default <R> Option<R> map(Function<? super T, ? extends R> function) {
        return isPresent() ? some(function.apply(get())) : none();
    }

    /** Holds a value. */
    record Some<T>(T value) implements Option<T> {
        @Override
        public boolean isPresent() {
            return true;
        }

        @Override
        public T get() {
            return value;
        }
    }

    /** Holds nothing. */
    record None<T>() implements Option<T> {
        static final None<Object> NOTHING = new None<>();

        @Override
        public boolean isPresent() {
            return false;
        }

        @Override
        public T get() {
            throw new NoSuchElementException("nothing there");
        }
    }
}
