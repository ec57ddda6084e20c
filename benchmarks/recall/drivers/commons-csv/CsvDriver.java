import java.io.StringReader;
import java.io.StringWriter;
import java.util.Arrays;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;

/** Reads and prints records in several formats. */
final class CsvDriver {
    enum Header { ID, NAME }

    public static void main(String[] args) throws Exception {
        String text = "ID,NAME\n1,\"a \"\"quoted\"\" one\"\n# comment\n2,'b'\n\n3,c\n";
        for (CSVFormat format : new CSVFormat[] {CSVFormat.DEFAULT, CSVFormat.EXCEL, CSVFormat.RFC4180, CSVFormat.TDF,
            CSVFormat.MYSQL, CSVFormat.valueOf("InformixUnload")}) {
            try (CSVParser parser = CSVParser.parse(text, format)) {
                parser.getRecords().forEach(CSVRecord::toList);
            }
            format.format("a", 1, null, "b,c");
            format.equals(CSVFormat.DEFAULT);
            format.toString();
        }
        CSVFormat own = CSVFormat.DEFAULT.builder().setHeader(Header.class).setSkipHeaderRecord(true).setCommentMarker('#')
            .setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(true).setNullString("null").setTrim(true).build();
        try (CSVParser parser = own.parse(new StringReader(text))) {
            for (CSVRecord record : parser) {
                record.get(Header.NAME).length();
                record.get("ID").length();
                record.toMap().size();
                record.isConsistent();
            }
            parser.getHeaderNames().size();
        }
        StringWriter out = new StringWriter();
        try (CSVPrinter printer = new CSVPrinter(out, own.builder().setQuoteMode(QuoteMode.NON_NUMERIC).build())) {
            printer.printRecord(1, "x\ny");
            printer.printRecords(Arrays.asList(Arrays.asList(2, "z"), Arrays.asList(3, "\"")));
            printer.printComment("done");
            printer.print(new StringReader("a reader's, text"));
            printer.println();
        }
        try {
            CSVParser.parse("\"a\" b", CSVFormat.DEFAULT).getRecords();
        } catch (java.io.IOException refused) {
            refused.getMessage();
        }
    }
}
