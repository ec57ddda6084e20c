package bookshop.reports;

import bookshop.app.Shop;
import bookshop.catalogue.AudioBook;
import bookshop.catalogue.ElectronicBook;
import bookshop.catalogue.Genre;
import bookshop.catalogue.PrintedBook;
import bookshop.catalogue.Title;
import bookshop.catalogue.TitleVisitor;

/** What is on the shelves, title by title and in total. */
public class StockReport extends Report {
    public StockReport() {
        super("Stock");
    }

    @Override
    protected String body(Shop shop) {
        TextTable table = new TextTable("title", "form", "place", "left", "price").right(3, 4);
        Form form = new Form();
        for (Title title : shop.catalogue().titles().sorted((a, b) -> a.name().compareTo(b.name()))) {
            Object left = title.isStocked() ? shop.warehouse().available(title) : "any";
            table.row(title.name(), title.accept(form), shop.warehouse().locate(title), left, title.price());
        }
        StringBuilder text = new StringBuilder(table.toString());
        int[] copies = shop.warehouse().copiesByGenre();
        for (Genre genre : Genre.values()) {
            text.append(genre.ordinal() == 0 ? "copies: " : ", ").append(copies[genre.ordinal()]).append(' ')
                .append(genre.name().toLowerCase());
        }
        return text.append('\n').toString();
    }

    private static final class Form implements TitleVisitor<String> {
        @Override
        public String printed(PrintedBook book) {
            return book instanceof PrintedBook.Bound ? "bound" : "paper";
        }

        @Override
        public String audio(AudioBook book) {
            return book.discs() + (book.discs() == 1 ? " disc" : " discs");
        }

        @Override
        public String electronic(ElectronicBook book) {
            return "file";
        }
    }
}
