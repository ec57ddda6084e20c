package bookshop.orders;

import bookshop.collections.ArraySequence;
import bookshop.collections.Sequence;
import bookshop.pricing.Money;

/** Packs copies into parcels that are not too heavy, heaviest copy first, each into the first parcel with room. */
final class Parcels {
    private static final int HEAVIEST = 2_000;
    private static final int[] LIMITS = {100, 500, 1_000, HEAVIEST};
    private static final int[] CENTS = {150, 290, 410, 690};

    private final Sequence<int[]> weights = new ArraySequence<>();

    Parcels(Sequence<OrderLine> lines) {
        for (OrderLine line : lines.sorted((a, b) -> b.title().weight() - a.title().weight())) {
            for (int copy = 0; copy < line.copies() && line.weight() > 0; copy++) {
                pack(line.title().weight());
            }
        }
    }

    int count() {
        return weights.size();
    }

    Money postage() {
        long cents = 0;
        for (int[] weight : weights) {
            int step = 0;
            while (step < LIMITS.length - 1 && weight[0] > LIMITS[step]) {
                step++;
            }
            cents += CENTS[step];
        }
        return Money.cents(cents);
    }

    private void pack(int grams) {
        for (int[] weight : weights) {
            if (weight[0] + grams <= HEAVIEST) {
                weight[0] += grams;
                return;
            }
        }
        weights.add(new int[] {grams});
    }
}
