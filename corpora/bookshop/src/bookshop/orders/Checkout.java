package bookshop.orders;

import bookshop.catalogue.Genre;
import bookshop.collections.Sequence;
import bookshop.events.EventBus;
import bookshop.pricing.Discount;
import bookshop.stock.OutOfStockException;
import bookshop.stock.Warehouse;

/** Turns a basket into an order and the order into something the customer holds in hands. */
public abstract class Checkout {
    private final Warehouse warehouse;
    private final EventBus events;
    private final Discount discount;

    protected Checkout(Warehouse warehouse, EventBus events, Discount discount) {
        this.warehouse = warehouse;
        this.events = events;
        this.discount = discount;
    }

    /** The order, shipped, cancelled or refunded; never anything between. */
    public final Order process(Customer customer, Basket basket, Payment payment) {
        Order order = new Order(customer, basket.priced(discount));
        try {
            verify(order);
            for (OrderLine line : order.lines()) {
                order.hold(warehouse.reserve(line.title(), line.copies()));
            }
            prepare(order);
            events.publish(new OrderEvent.Placed(order));
            payment.pay(order);
            order.markPaid();
            order.pack();
            int parcels = deliver(order);
            order.ship();
            events.publish(new OrderEvent.Shipped(order, parcels));
            basket.clear();
        } catch (OutOfStockException | PaymentException error) {
            fail(order, error);
        } catch (IllegalArgumentException error) {
            fail(order, error);
        }
        return order;
    }

    /** Refuses what must not be sold to the customer. */
    protected void verify(Order order) {
        if (order.lines().isEmpty()) {
            throw new IllegalArgumentException("nothing ordered");
        }
        for (OrderLine line : order.lines()) {
            Genre genre = line.title().genre();
            if (order.customer().age() < genre.minimumAge()) {
                String advice = genre.advice();
                throw new IllegalArgumentException(order.customer() + " is too young for " + line.title().name()
                    + (advice.isEmpty() ? "" : "; " + advice));
            }
        }
    }

    protected void prepare(Order order) {
    }

    /** Hands it over; answers the number of parcels. */
    protected abstract int deliver(Order order);

    private void fail(Order order, Exception error) {
        order.cancel();
        events.publish(new OrderEvent.Failed(order, error.getMessage()));
    }

    /** Over the counter. */
    public static class Counter extends Checkout {
        public Counter(Warehouse warehouse, EventBus events, Discount discount) {
            super(warehouse, events, discount);
        }

        @Override
        protected int deliver(Order order) {
            return 0;
        }
    }

    /** By post. */
    public static class Postal extends Checkout {
        private final int mostParcels;

        public Postal(Warehouse warehouse, EventBus events, Discount discount, int mostParcels) {
            super(warehouse, events, discount);
            this.mostParcels = mostParcels;
        }

        @Override
        protected void verify(Order order) {
            super.verify(order);
            int parcels = parcels(order.lines()).count();
            if (parcels > mostParcels) {
                throw new IllegalArgumentException(parcels + " parcels are too many");
            }
        }

        @Override
        protected void prepare(Order order) {
            order.setPostage(parcels(order.lines()).postage());
        }

        @Override
        protected int deliver(Order order) {
            return parcels(order.lines()).count();
        }

        private static Parcels parcels(Sequence<OrderLine> lines) {
            return new Parcels(lines);
        }
    }
}
