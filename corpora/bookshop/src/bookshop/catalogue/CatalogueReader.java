package bookshop.catalogue;

import bookshop.collections.HashIndex;
import bookshop.collections.Index;
import bookshop.pricing.Money;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Reads titles from text: one per line, `form | name | author | genre | price | form's own field`. */
public class CatalogueReader implements AutoCloseable {
    private static final Index<String, Form> FORMS = new HashIndex<>();

    static {
        FORMS.put("paper", (isbn, name, author, genre, price, field) ->
            new PrintedBook(isbn, name, author, genre, price, number(field)));
        FORMS.put("bound", (isbn, name, author, genre, price, field) ->
            new PrintedBook.Bound(isbn, name, author, genre, price, number(field)));
        FORMS.put("audio", (isbn, name, author, genre, price, field) ->
            new AudioBook(isbn, name, author, genre, price, number(field)));
        FORMS.put("file", CatalogueReader::file);
    }

    private final BufferedReader lines;
    private final int publisher;
    private int line;

    public CatalogueReader(Reader text, int publisher) {
        this.lines = new BufferedReader(text);
        this.publisher = publisher;
    }

    /** Adds the text's titles to a catalogue; answers how many there were. */
    public int readInto(Catalogue catalogue) throws CatalogueException {
        int count = 0;
        try {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                if (text.isBlank() || text.startsWith("#")) {
                    continue;
                }
                catalogue.add(read(text, catalogue, Isbn.numbered(publisher, ++count)));
            }
        } catch (IOException error) {
            throw new CatalogueException("unreadable", line, error);
        } catch (NumberFormatException error) {
            throw new CatalogueException("not a number", line, error);
        }
        return count;
    }

    private Title read(String text, Catalogue catalogue, Isbn isbn) throws CatalogueException {
        String[] fields = text.split("\\|");
        if (fields.length != 6) {
            throw new CatalogueException(fields.length + " fields instead of 6", line, null);
        }
        for (int i = 0; i < fields.length; i++) {
            fields[i] = fields[i].trim();
        }
        Form form = FORMS.get(fields[0]);
        if (form == null) {
            throw new CatalogueException("unknown form " + fields[0], line, null);
        }
        return form.make(isbn, fields[1], catalogue.author(fields[2]), Genre.named(fields[3]), Money.parse(fields[4]), fields[5]);
    }

    private static Title file(Isbn isbn, String name, Author author, Genre genre, Money price, String field) {
        return new ElectronicBook(isbn, name, author, genre, price, ElectronicBook.Format.valueOf(field.toUpperCase()));
    }

    private static int number(String field) {
        return Integer.parseInt(field);
    }

    @Override
    public void close() throws CatalogueException {
        try {
            lines.close();
        } catch (IOException error) {
            throw new CatalogueException("not closed", line, error);
        }
    }

    /** Makes a title of one form. */
    @FunctionalInterface
    private interface Form {
        Title make(Isbn isbn, String name, Author author, Genre genre, Money price, String field);
    }
}
