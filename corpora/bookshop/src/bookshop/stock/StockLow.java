package bookshop.stock;

import bookshop.catalogue.Title;
import bookshop.events.Event;

/** Few copies of a title are left. */
public record StockLow(Title title, int left) implements Event {
    static final int THRESHOLD = 2;

    @Override
    public String describe() {
        return left == 0 ? "the last " + title.name() + " is gone" : left + " of " + title.name() + " left";
    }
}
