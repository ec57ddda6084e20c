package bookshop.plugins;

import bookshop.app.Shop;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.Pair;
import bookshop.collections.Sequence;
import bookshop.events.Handler;
import bookshop.orders.Customer;
import bookshop.orders.OrderEvent;

/** Gives customers points for what they buy. */
public class Loyalty implements Plugin {
    private final Index<Customer, Integer> points = new HashIndex<>();
    private final int pointsPerOrder;

    public Loyalty(int pointsPerOrder) {
        this.pointsPerOrder = pointsPerOrder;
    }

    @Override
    public void install(Shop shop) {
        Handler<OrderEvent.Shipped> forOrder = event -> add(event.order().customer(), pointsPerOrder);
        Handler<OrderEvent> forMoney = event -> add(event.order().customer(), (int) (event.order().net().cents() / 100));
        shop.events().subscribe(OrderEvent.Shipped.class, forOrder.andThen(forMoney));
    }

    private void add(Customer customer, int more) {
        points.put(customer, points(customer) + more);
    }

    public int points(Customer customer) {
        return points.getOrElse(customer, 0);
    }

    @Override
    public String summary() {
        Sequence<Pair<String, Integer>> ranking = Sequence.copyOf(points).<Pair<String, Integer>>map(
            entry -> Pair.of(entry.key().name(), entry.value()));
        return ranking.sorted(Pair.<String, Integer>bySecond().reversed())
            .map(pair -> pair.first() + " " + pair.second())
            .join(", ");
    }
}
