package bookshop.pricing;

import bookshop.catalogue.Genre;
import bookshop.collections.HashIndex;
import bookshop.collections.Index;

/** Lowers a price, or not. */
@FunctionalInterface
public interface Discount {
    Discount NONE = Quote::price;

    Money apply(Quote quote);

    /** This one first, another one on what it leaves. */
    default Discount then(Discount other) {
        return quote -> other.apply(quote.at(apply(quote)));
    }

    /** This one, but never below a share of the full price. */
    default Discount butAtLeast(int percent) {
        Discount outer = this;
        return new Discount() {
            @Override
            public Money apply(Quote quote) {
                return outer.apply(quote).atLeast(quote.price().percent(percent));
            }

            @Override
            public String toString() {
                return outer + ", at least " + percent + " %";
            }
        };
    }

    static Discount best(Discount... discounts) {
        return quote -> {
            Money lowest = quote.price();
            for (Discount discount : discounts) {
                Money offer = discount.apply(quote);
                if (offer.compareTo(lowest) < 0) {
                    lowest = offer;
                }
            }
            return lowest;
        };
    }

    static Discount onGenre(Genre genre, int percent) {
        return quote -> quote.title().genre() == genre ? quote.price().percent(100 - percent) : quote.price();
    }

    /** Fewer per cent to pay, as a formula over `copies`, `cents` and `weight` says. */
    static Discount byFormula(String text) {
        Formula formula = FormulaSimplifier.simplify(FormulaParser.parse(text));
        return new Discount() {
            @Override
            public Money apply(Quote quote) {
                Index<String, Integer> variables = new HashIndex<>();
                variables.put("copies", quote.copies());
                variables.put("cents", (int) quote.price().cents());
                variables.put("weight", quote.title().weight());
                int percent = Math.max(0, Math.min(100, formula.evaluate(variables)));
                return quote.price().percent(100 - percent);
            }

            @Override
            public String toString() {
                return formula + " %";
            }
        };
    }
}
