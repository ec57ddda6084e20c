package bookshop.plugins;

import bookshop.app.Shop;
import bookshop.catalogue.Title;
import bookshop.collections.HashIndex;
import bookshop.collections.Heap;
import bookshop.collections.Index;
import bookshop.orders.OrderEvent;
import bookshop.orders.OrderLine;

/** Counts what sells. */
public class Bestsellers implements Plugin {
    private static final int SHOWN = 3;

    private final Index<Title, Counter> counters = new HashIndex<>();

    @Override
    public void install(Shop shop) {
        shop.events().subscribe(OrderEvent.Shipped.class, event -> {
            for (OrderLine line : event.order().lines()) {
                counters.getOrMake(line.title(), Counter::new).count += line.copies();
            }
        });
    }

    @Override
    public String summary() {
        Heap<Index.Entry<Title, Counter>> heap = new Heap<>(
            (a, b) -> a.value().count != b.value().count
                ? b.value().count - a.value().count
                : a.key().isbn().compareTo(b.key().isbn()));
        counters.forEach(heap::push);
        StringBuilder text = new StringBuilder();
        for (int place = 1; place <= SHOWN && !heap.isEmpty(); place++) {
            Index.Entry<Title, Counter> entry = heap.pop();
            text.append(place > 1 ? "; " : "").append(place).append(". ").append(entry.key().name())
                .append(" (").append(entry.value().count).append(')');
        }
        return text.toString();
    }

    private static final class Counter {
        private int count;
    }
}
