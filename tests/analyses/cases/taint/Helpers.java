package samples;

import java.io.*;
import java.util.*;
import java.util.function.Function;
import javax.servlet.http.*;

/** Helpers that are given containers: what they take, and put, is that of the call. */
public class Helpers extends HttpServlet {
    private static final Map<String, String> SENT = new HashMap<>();
    private static final Map<String, String> OWN = new HashMap<>();

    static <K, V> V computeIfAbsent(Map<K, V> map, K key, Function<K, V> make) {
        V value = map.get(key);
        return value != null ? value : map.computeIfAbsent(key, make);
    }

    static <T> T first(List<T> list) {
        return list.isEmpty() ? null : list.get(0);
    }

    static <T> T firstOf(List<T> list) {
        return first(list);
    }

    static <T> void append(List<T> list, T one) {
        list.add(one);
    }

    static <T> void appendTo(List<T> list, T one) {
        append(list, one);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        SENT.put(name, request.getParameter("value"));
        OWN.put(name, "value");
        new File(computeIfAbsent(SENT, name, k -> "x")).delete(); // found path-injection
        new File(computeIfAbsent(OWN, name, k -> "x")).delete();
        List<String> sent = new ArrayList<>(), own = new ArrayList<>();
        append(sent, name);
        append(own, "name");
        new File(sent.get(0)).delete(); // found path-injection
        new File(own.get(0)).delete();
        new File(first(sent)).delete(); // found path-injection
        new File(first(own)).delete();
        new File(firstOf(sent)).delete(); // found path-injection
        new File(firstOf(own)).delete();
        List<String> through = new LinkedList<>(), other = new LinkedList<>();
        appendTo(through, name);
        appendTo(other, "name");
        for (String one : through) {
            new File(one).delete(); // found path-injection
        }
        for (String one : other) {
            new File(one).delete();
        }
    }
}
