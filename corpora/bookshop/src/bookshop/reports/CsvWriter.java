package bookshop.reports;

import java.io.IOException;
import java.io.Writer;

/** Writes rows with commas between their fields. */
public class CsvWriter implements AutoCloseable {
    private final Writer out;
    private int rows;

    public CsvWriter(Writer out, String... header) throws IOException {
        this.out = out;
        write((Object[]) header);
    }

    public CsvWriter write(Object... fields) throws IOException {
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(quoted(String.valueOf(fields[i])));
        }
        out.write('\n');
        rows++;
        return this;
    }

    public int rows() {
        return rows;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    static String quoted(String field) {
        boolean plain = field.indexOf(',') < 0 && field.indexOf('"') < 0 && field.indexOf('\n') < 0;
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
