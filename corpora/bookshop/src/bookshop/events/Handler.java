package bookshop.events;

/** Does something about events of a type. */
@FunctionalInterface
public interface Handler<T extends Event> {
    void handle(T event);

    default Handler<T> andThen(Handler<? super T> next) {
        return event -> {
            handle(event);
            next.handle(event);
        };
    }
}
