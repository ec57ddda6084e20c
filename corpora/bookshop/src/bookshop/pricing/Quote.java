package bookshop.pricing;

import bookshop.catalogue.Title;

/** What is asked of a discount: so many copies of a title, at what they cost before it. */
public record Quote(Title title, int copies, Money price) {
    public Quote {
        if (copies <= 0) {
            throw new IllegalArgumentException("copies: " + copies);
        }
    }

    public Quote(Title title) {
        this(title, 1, title.price());
    }

    public Quote at(Money other) {
        return new Quote(title, copies, other);
    }

    public Money perCopy() {
        return price.split(copies)[copies - 1];
    }
}
