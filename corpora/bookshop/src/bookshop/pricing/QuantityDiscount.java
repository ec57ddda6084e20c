package bookshop.pricing;

import bookshop.collections.Sorting;

/** More copies, more off: steps of numbers of copies with their per cents. */
public class QuantityDiscount implements Discount {
    private final int[] copies;
    private final int[] percents;

    /** Steps come as pairs: from so many copies on, so many per cent; ascending. */
    public QuantityDiscount(int... steps) {
        if (steps.length % 2 != 0) {
            throw new IllegalArgumentException("steps come in pairs");
        }
        copies = new int[steps.length / 2];
        percents = new int[steps.length / 2];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = steps[2 * i];
            percents[i] = steps[2 * i + 1];
            if (i > 0 && copies[i] <= copies[i - 1]) {
                throw new IllegalArgumentException("steps ascend");
            }
        }
    }

    @Override
    public Money apply(Quote quote) {
        return quote.price().percent(100 - percentFor(quote.copies()));
    }

    protected int percentFor(int wanted) {
        int found = Sorting.binarySearch(copies, wanted);
        int step = found >= 0 ? found : -found - 2;
        return step < 0 ? 0 : percents[step];
    }
}
