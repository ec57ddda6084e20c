package bookshop.reports;

import bookshop.app.Shop;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.collections.Sequence;
import bookshop.orders.Order;
import bookshop.orders.OrderState;
import bookshop.pricing.Money;
import java.io.IOException;
import java.io.StringWriter;

/** What was sold, order by order. */
public class SalesReport extends Report {
    public SalesReport() {
        super("Sales");
    }

    @Override
    protected String body(Shop shop) {
        TextTable table = new TextTable("order", "customer", "state", "net", "tax", "total").right(0, 3, 4, 5);
        Statistics sizes = new Statistics(20);
        for (Order order : shop.orders()) {
            table.row(order.number(), order.customer(), order.state(), order.net(), order.tax(), order.total());
            if (order.state() == OrderState.SHIPPED) {
                sizes.add((int) (order.total().cents() / 100));
            }
        }
        return table + "takings " + takings(shop.orders()) + ", " + sizes.mean() + " per order on average\n" + sizes.bars();
    }

    public static Money takings(Sequence<Order> orders) {
        return Money.sum(orders.where(order -> order.state() == OrderState.SHIPPED).map(Order::total));
    }

    /** Orders by how they ended. */
    public static Index<OrderState, Integer> endings(Sequence<Order> orders) {
        Index<OrderState, Integer> counts = new HashIndex<>();
        for (Order order : orders) {
            counts.put(order.state(), counts.getOrElse(order.state(), 0) + 1);
        }
        return counts;
    }

    /** All lines of all orders as comma-separated text. */
    public static String export(Sequence<Order> orders) {
        StringWriter text = new StringWriter();
        try (CsvWriter csv = new CsvWriter(text, "order", "title", "copies", "price")) {
            for (Order order : orders) {
                order.lines().forEach(line -> {
                    try {
                        csv.write(order.number(), line.title().name(), line.copies(), line.price());
                    } catch (IOException error) {
                        throw new IllegalStateException(error);
                    }
                });
            }
        } catch (IOException error) {
            throw new IllegalStateException("text cannot fail", error);
        }
        return text.toString();
    }
}
