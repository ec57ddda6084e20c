package bookshop.events;

import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.LinkedSequence;
import bookshop.collections.Sequence;

/**
 * Brings events to handlers that subscribed to their type or one of its supertypes.
 *
 * <p>Events published while one is delivered wait for their turn, so that all handlers see the same order.
 */
public class EventBus {
    private final Index<Class<?>, Sequence<Subscription<?>>> subscriptions = new HashIndex<>();
    private final LinkedSequence<Event> waiting = new LinkedSequence<>();
    private boolean delivering;
    private int delivered;

    public <T extends Event> Subscription<T> subscribe(Class<T> type, Handler<? super T> handler) {
        Subscription<T> subscription = new Subscription<>(type, handler);
        subscriptions.getOrMake(type, LinkedSequence::new).add(subscription);
        return subscription;
    }

    public void publish(Event event) {
        waiting.add(event);
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            while (!waiting.isEmpty()) {
                deliver(waiting.removeFirst());
            }
        } finally {
            delivering = false;
        }
    }

    /** How often a handler was called. */
    public int delivered() {
        return delivered;
    }

    private void deliver(Event event) {
        for (Index.Entry<Class<?>, Sequence<Subscription<?>>> entry : subscriptions) {
            if (entry.key().isInstance(event)) {
                for (Subscription<?> subscription : entry.value()) {
                    subscription.offer(event);
                    delivered++;
                }
            }
        }
    }

    /** A handler's registration; closing it ends it. */
    public final class Subscription<T extends Event> implements AutoCloseable {
        private final Class<T> type;
        private final Handler<? super T> handler;

        private Subscription(Class<T> type, Handler<? super T> handler) {
            this.type = type;
            this.handler = handler;
        }

        private void offer(Event event) {
            handler.handle(type.cast(event));
        }

        @Override
        public void close() {
            subscriptions.getOrMake(type, LinkedSequence::new).remove(this);
        }
    }
}
