import java.io.*;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.lang.StringEscapeUtils;
import javax.xml.xpath.*;

/** What comes from the console, and what goes through streams that are made with others. */
class Streams {
    public static void main(String[] none) throws Exception {
        BufferedReader console = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        String line = console.readLine();
        Runtime.getRuntime().exec(line);                      // found command-injection

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream objects = new ObjectOutputStream(bytes);
        objects.writeObject(line);
        objects.close();
        read(bytes.toByteArray());

        StringWriter text = new StringWriter();
        PrintWriter printer = new PrintWriter(new BufferedWriter(text));
        printer.printf("%s", line);
        Runtime.getRuntime().exec(text.toString());           // found command-injection

        StringWriter clean = new StringWriter();
        new PrintWriter(clean).println("ls");
        Runtime.getRuntime().exec(clean.toString());
        packed("ls");
        closed(line);
        PrintWriter toFile = new PrintWriter(new File("lines.txt"), "UTF-8");
        toFile.println(line);
        PrintStream named = new PrintStream("more.txt");
        named.println(line);

        XPath paths = XPathFactory.newInstance().newXPath();
        paths.compile("//user[name='" + line + "']");         // found xpath-injection
        paths.compile("//user[name='" + StringEscapeUtils.escapeXml(line) + "']");
    }

    static void read(byte[] bytes) throws Exception {
        ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes));
        Runtime.getRuntime().exec((String) objects.readObject());  // found command-injection
    }

    static void packed(String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        OutputStreamWriter writer = new OutputStreamWriter(new GZIPOutputStream(bytes));
        writer.write(text);
        Runtime.getRuntime().exec(bytes.toString());
    }

    static void closed(String line) throws Exception {
        if (line.startsWith("x")) line = line.substring(1);
        ByteArrayOutputStream bytes = null;
        ObjectOutputStream objects = null;
        try {
            bytes = new ByteArrayOutputStream();
            objects = new ObjectOutputStream(bytes);
            objects.writeObject(line);
            Runtime.getRuntime().exec(bytes.toString());          // found command-injection
        } finally {
            if (objects != null) objects.close();
            if (bytes != null) bytes.close();
        }
    }
}
