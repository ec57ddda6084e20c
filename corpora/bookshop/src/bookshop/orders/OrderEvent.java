package bookshop.orders;

import bookshop.events.Event;

/** Something that happened to an order. */
public sealed interface OrderEvent extends Event {
    Order order();

    /** It came in. */
    record Placed(Order order) implements OrderEvent {
        @Override
        public String describe() {
            return "placed: " + order;
        }
    }

    /** It left the house. */
    record Shipped(Order order, int parcels) implements OrderEvent {
        @Override
        public String describe() {
            return "shipped: order " + order.number() + " in " + parcels + (parcels == 1 ? " parcel" : " parcels");
        }
    }

    /** It came to nothing. */
    record Failed(Order order, String reason) implements OrderEvent {
        @Override
        public String describe() {
            return "failed: order " + order.number() + ", " + reason;
        }
    }
}
