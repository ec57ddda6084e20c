package bookshop.reports;

import bookshop.collections.ArraySequence;
import bookshop.collections.Sequence;

/** Lines up columns of text. */
public class TextTable {
    /** On which side of its column a cell stands. */
    public enum Side { LEFT, RIGHT }

    private final String[] header;
    private final Side[] sides;
    private final Sequence<String[]> rows = new ArraySequence<>();

    public TextTable(String... header) {
        this.header = header.clone();
        this.sides = new Side[header.length];
        for (int i = 0; i < sides.length; i++) {
            sides[i] = Side.LEFT;
        }
    }

    public TextTable right(int... columns) {
        for (int column : columns) {
            sides[column] = Side.RIGHT;
        }
        return this;
    }

    public TextTable row(Object... cells) {
        if (cells.length != header.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + header.length + " columns");
        }
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = String.valueOf(cells[i]);
        }
        rows.add(row);
        return this;
    }

    @Override
    public String toString() {
        int[] widths = new int[header.length];
        measure(header, widths);
        rows.forEach(row -> measure(row, widths));
        StringBuilder text = new StringBuilder();
        append(header, widths, text);
        for (int width : widths) {
            text.append("-".repeat(width)).append("  ");
        }
        trim(text).append('\n');
        for (String[] row : rows) {
            append(row, widths, text);
        }
        return text.toString();
    }

    private static void measure(String[] row, int[] widths) {
        for (int i = 0; i < row.length; i++) {
            widths[i] = Math.max(widths[i], row[i].length());
        }
    }

    private void append(String[] row, int[] widths, StringBuilder text) {
        for (int i = 0; i < row.length; i++) {
            String padding = " ".repeat(widths[i] - row[i].length());
            text.append(sides[i] == Side.LEFT ? row[i] + padding : padding + row[i]).append("  ");
        }
        trim(text).append('\n');
    }

    private static StringBuilder trim(StringBuilder text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
        return text;
    }
}
