package bookshop.orders;

import bookshop.catalogue.Title;
import bookshop.pricing.Money;
import bookshop.pricing.Tax;

/** So many copies of a title for so much. */
public record OrderLine(Title title, int copies, Money price) {
    public Money tax() {
        return Tax.on(title, price);
    }

    public int weight() {
        return copies * title.weight();
    }

    @Override
    public String toString() {
        return copies + " x " + title.name();
    }
}
