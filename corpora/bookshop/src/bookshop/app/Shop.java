package bookshop.app;

import bookshop.catalogue.Catalogue;
import bookshop.catalogue.Genre;
import bookshop.collections.ArraySequence;
import bookshop.collections.Sequence;
import bookshop.events.EventBus;
import bookshop.orders.Basket;
import bookshop.orders.Checkout;
import bookshop.orders.Customer;
import bookshop.orders.Order;
import bookshop.orders.Payment;
import bookshop.plugins.PluginRegistry;
import bookshop.pricing.Discount;
import bookshop.pricing.SeasonalDiscount;
import bookshop.stock.ReorderPolicy;
import bookshop.stock.Warehouse;

/** The shop as a whole. */
public class Shop {
    private final EventBus events = new EventBus();
    private final Catalogue catalogue = new Catalogue();
    private final Warehouse warehouse = new Warehouse(events, new ReorderPolicy.ByDemand(new ReorderPolicy.FillUp(2, 5)));
    private final Sequence<Order> orders = new ArraySequence<>();
    private final SeasonalDiscount season = new SeasonalDiscount(5, new int[] {6, 7, 12}, 3, 5, 10, 12);
    private final Checkout counter;
    private final Checkout postal;
    private final PluginRegistry plugins;

    public Shop(String... plugins) {
        Discount discount = Discount.best(
            season,
            Discount.onGenre(Genre.COOKERY, 8),
            Discount.byFormula("if copies > 2 and weight > 400 then 2 * 3 + copies else 0"));
        this.counter = new Checkout.Counter(warehouse, events, discount);
        this.postal = new Checkout.Postal(warehouse, events, discount.butAtLeast(90), 3);
        this.plugins = new PluginRegistry().install(this, plugins);
    }

    public EventBus events() {
        return events;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    public Warehouse warehouse() {
        return warehouse;
    }

    public Sequence<Order> orders() {
        return orders;
    }

    public PluginRegistry plugins() {
        return plugins;
    }

    public void setMonth(int month) {
        season.setMonth(month);
    }

    public Order sell(Customer customer, Basket basket, Payment payment) {
        return keep(counter.process(customer, basket, payment));
    }

    public Order send(Customer customer, Basket basket, Payment payment) {
        return keep(postal.process(customer, basket, payment));
    }

    private Order keep(Order order) {
        orders.add(order);
        return order;
    }
}
