package bookshop.app;

import bookshop.catalogue.Catalogue;
import bookshop.catalogue.CatalogueException;
import bookshop.catalogue.CatalogueReader;
import java.io.StringReader;

/** A small stock of made-up titles and a day of made-up business. */
final class SampleData {
    static final String TITLES = """
        # form | name | author | genre | price | pages, minutes or format
        paper | The Ladder | Ada Stone | novel | 12.90 | 312
        bound | The Ladder Revisited | Ada Stone | novel | 24.00 | 355
        audio | A Quiet Murder | Ben Okoro | crime | 19.95 | 402
        paper | A Loud Murder | Ben Okoro | crime | 9.99 | 280
        paper | Soups of the North | Cleo Winter | cookery | 15.50 | 160
        bound | Bread and Patience | Cleo Winter | cookery | 29.80 | 488
        paper | Numbers at Night | Dora Lind | science | 21.00 | 540
        file | Lattices for Gardeners | Dora Lind | science | 8.00 | marked_up
        paper | Under the Stairs | Emil Graf | horror | 11.20 | 260
        file | Below the Stairs | Emil Graf | horror | 4.50 | plain
        """;

    static final String DAY = """
        month 6
        regular Mia 34 80.00
        customer Tom 15
        institution Library
        receive 6 Revisited
        receive 4 Soups
        receive 3 Bread
        receive 2 Quiet
        receive 12 Numbers
        receive 1 Under

        search murder
        search the stairs
        put Mia 1 Soups
        put Mia 1 Revisited
        sell Mia card 4539578763621486
        put Tom 1 Under
        sell Tom card 4539578763621486
        clear Tom
        put Library 2 Numbers
        put Library 3 Revisited
        put Library 1 Lattices
        send Library account
        put Mia 2 Bread
        send Mia voucher 40.00 account
        put Mia 3 Quiet
        send Mia account
        clear Mia
        put Ghost 1 Soups
        sell Ghost account
        put Tom 1 Quiet
        sell Tom card 1234
        sell Tom card 4539578763621486
        dance
        reorder
        visitors 150 8
        report sales
        report stock
        report authors
        """;

    private SampleData() {
    }

    static Catalogue fill(Catalogue catalogue) {
        try (CatalogueReader reader = new CatalogueReader(new StringReader(TITLES), 4711)) {
            reader.readInto(catalogue);
        } catch (CatalogueException error) {
            throw new IllegalStateException(error);
        }
        return catalogue;
    }
}
