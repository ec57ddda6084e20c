package bookshop.orders;

import bookshop.catalogue.Title;
import bookshop.collections.LinkedSequence;
import bookshop.collections.Option;
import bookshop.collections.Sequence;
import bookshop.pricing.Discount;
import bookshop.pricing.Money;
import bookshop.pricing.Quote;

/** What a customer is about to order. */
public class Basket {
    private final Sequence<Line> lines = new LinkedSequence<>();

    public Basket put(Title title) {
        return put(title, 1);
    }

    public Basket put(Title title, int copies) {
        Option<Line> present = lines.find(line -> line.title == title);
        if (present.isPresent()) {
            present.get().copies += copies;
        } else {
            lines.add(new Line(title, copies));
        }
        return this;
    }

    public Basket putAll(Title... titles) {
        for (Title title : titles) {
            put(title);
        }
        return this;
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    public void clear() {
        while (!lines.isEmpty()) {
            lines.remove(lines.last());
        }
    }

    public Sequence<OrderLine> priced(Discount discount) {
        return lines.map(line -> line.priced(discount));
    }

    public Money total() {
        return Money.sum(lines.map(Line::fullPrice));
    }

    private static final class Line {
        private final Title title;
        private int copies;

        Line(Title title, int copies) {
            this.title = title;
            this.copies = copies;
        }

        Money fullPrice() {
            return title.price().times(copies);
        }

        OrderLine priced(Discount discount) {
            Money price = discount.apply(new Quote(title, copies, fullPrice()));
            return new OrderLine(title, copies, price);
        }
    }
}
