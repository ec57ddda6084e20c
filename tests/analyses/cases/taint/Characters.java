import java.io.*;
import java.sql.Statement;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.stream.*;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Texts that are taken apart into characters and bytes, which are numbers on the way, and put together again. */
class Characters extends HttpServlet {
    Statement statement;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            numbers(request);
            arrays(request);
            streams(request);
            unknown(request);
            functions(request);
        } catch (Exception e) {
            throw new IOException(e);
        }
        PrintWriter page = response.getWriter();
        page.println(escaped(request.getParameter("name")));
        page.println(points(request.getParameter("name")));
        page.println(copied(request.getParameter("name")));          // found html-injection
    }

    void numbers(HttpServletRequest request) throws Exception {
        String name = request.getParameter("name");
        int first = name.charAt(0);
        statement.executeQuery("select " + (char) first);            // found sql-injection
        statement.executeQuery("select " + first);
        statement.executeQuery(new StringBuilder("select ").append(first).toString());
        int lower = Character.toLowerCase(name.codePointAt(0));
        statement.executeQuery("select " + (char) lower);            // found sql-injection
        int point = name.codePointAt(0);
        statement.executeQuery(Character.toString(point));           // found sql-injection
        int length = name.length();
        statement.executeQuery("select " + (char) length);
        int parsed = Integer.parseInt(name);
        statement.executeQuery("select " + (char) parsed);
        Reader reader = request.getReader();
        StringBuilder read = new StringBuilder();
        int c;
        while ((c = reader.read()) != -1) {
            read.append((char) c);
        }
        statement.executeQuery(read.toString());                     // found sql-injection
        InputStream stream = request.getInputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int b = stream.read(); b >= 0; b = stream.read()) {
            bytes.write(b);
        }
        statement.executeQuery(bytes.toString());                    // found sql-injection
    }

    void arrays(HttpServletRequest request) throws Exception {
        byte[] given = request.getParameter("name").getBytes();
        byte[] moved = new byte[given.length];
        for (int i = 0; i < given.length; i++) {
            moved[i] = given[i];
        }
        statement.executeQuery(new String(moved));                   // found sql-injection
        char[] letters = request.getParameter("name").toCharArray();
        char[] some = new char[2];
        some[0] = letters[0];
        statement.executeQuery(new String(some));                    // found sql-injection
        char[] all = new char[80];
        System.arraycopy(letters, 0, all, 0, letters.length);
        statement.executeQuery(String.valueOf(all));                 // found sql-injection
        String[] values = new String[3];
        System.arraycopy(request.getParameterValues("name"), 0, values, 0, 3);
        statement.executeQuery(values[0]);                           // found sql-injection
        byte[] own = new byte[2];
        own[0] = (byte) given.length;
        statement.executeQuery(new String(own));
    }

    void streams(HttpServletRequest request) throws Exception {
        byte[] buffer = new byte[100];
        request.getInputStream().read(buffer);
        statement.executeQuery(new String(buffer));                  // found sql-injection
        byte[] full = new byte[100];
        new DataInputStream(request.getInputStream()).readFully(full);
        statement.executeQuery(new String(full));                    // found sql-injection
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        request.getInputStream().transferTo(out);
        statement.executeQuery(out.toString());                      // found sql-injection
        StringWriter writer = new StringWriter();
        request.getReader().transferTo(writer);
        statement.executeQuery(writer.toString());                   // found sql-injection
    }

    /** What the request gives is of types that are not known here. */
    void unknown(HttpServletRequest request) throws Exception {
        String both = request.getHeader("a") + request.getHeader("b");
        statement.executeQuery(both);                                // found sql-injection
        int sum = request.getIntHeader("a") + request.getIntHeader("b");
        statement.executeQuery("select " + sum);
        statement.executeQuery(joined(request));                     // found sql-injection
        statement.executeQuery(request.getHeader("a") + request.getHeader("b") + "x");  // found sql-injection
    }

    static String joined(HttpServletRequest request) {
        return request.getHeader("a") + request.getHeader("b");
    }

    void functions(HttpServletRequest request) throws Exception {
        List<String> names = List.of(request.getParameter("name"));
        statement.executeQuery(names.stream().map(Function.identity()).toList().get(0));  // found sql-injection
        Map<String, Long> counts = names.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        statement.executeQuery(counts.keySet().iterator().next());   // found sql-injection
        Map<String, String> joined = names.stream().collect(Collectors.groupingBy(x -> "key", Collectors.joining(",")));
        statement.executeQuery(joined.get("key"));                   // found sql-injection
        Map<String, String> map = Map.of("key", request.getParameter("name"));
        statement.executeQuery(map.entrySet().stream().map(Map.Entry::getValue).findFirst().get());  // found sql-injection
        statement.executeQuery(map.entrySet().stream().map(Map.Entry::getKey).findFirst().get());
        ArrayList<String> list = names.stream().collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
        statement.executeQuery(list.get(0));                         // found sql-injection
        EnumMap<TimeUnit, String> units = new EnumMap<>(TimeUnit.class);
        units.put(TimeUnit.DAYS, request.getParameter("name"));
        statement.executeQuery(units.get(TimeUnit.DAYS));            // found sql-injection
        String later = CompletableFuture.completedFuture(request.getParameter("name")).handle((x, e) -> x).join();
        statement.executeQuery(later);                               // found sql-injection
    }

    static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int c = text.charAt(i);
            if (c == '<') {
                out.append("&lt;");
            } else if (c == '&') {
                out.append("&amp;");
            } else {
                out.append((char) c);
            }
        }
        return out.toString();
    }

    static String points(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int point = text.codePointAt(i);
            if (point != '<' && point != '>' && point != '"') {
                out.appendCodePoint(point);
            }
        }
        return out.toString();
    }

    static String copied(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int point = text.codePointAt(i);
            if (point != 'x') {
                out.appendCodePoint(point);
            }
        }
        return out.toString();
    }
}
