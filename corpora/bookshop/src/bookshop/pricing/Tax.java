package bookshop.pricing;

import bookshop.catalogue.AudioBook;
import bookshop.catalogue.ElectronicBook;
import bookshop.catalogue.PrintedBook;
import bookshop.catalogue.Title;
import bookshop.catalogue.TitleVisitor;

/** How many per cent of tax a title carries. */
public final class Tax implements TitleVisitor<Integer> {
    private static final int[] RATES = new int[3];
    private static final int REDUCED = 0;
    private static final int STANDARD = 1;
    private static final int DIGITAL = 2;
    private static final Tax INSTANCE = new Tax();

    static {
        RATES[REDUCED] = 7;
        RATES[STANDARD] = 19;
        RATES[DIGITAL] = RATES[REDUCED] + 2;
    }

    private Tax() {
    }

    public static Money on(Title title, Money price) {
        return price.percent(title.accept(INSTANCE));
    }

    @Override
    public Integer printed(PrintedBook book) {
        return RATES[REDUCED];
    }

    @Override
    public Integer audio(AudioBook book) {
        return RATES[STANDARD];
    }

    @Override
    public Integer electronic(ElectronicBook book) {
        return RATES[DIGITAL];
    }
}
