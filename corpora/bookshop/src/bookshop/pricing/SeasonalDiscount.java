package bookshop.pricing;

/** A quantity discount that is larger in some months. */
public class SeasonalDiscount extends QuantityDiscount {
    private final boolean[] months = new boolean[12];
    private final int extra;
    private int month = 1;

    public SeasonalDiscount(int extra, int[] season, int... steps) {
        super(steps);
        this.extra = extra;
        for (int each : season) {
            months[each - 1] = true;
        }
    }

    /** Says which month it is, 1 to 12. */
    public void setMonth(int month) {
        this.month = month;
    }

    @Override
    protected int percentFor(int wanted) {
        int percent = super.percentFor(wanted);
        if (months[month - 1]) {
            percent += extra;
        }
        return Math.min(percent, 100);
    }
}
