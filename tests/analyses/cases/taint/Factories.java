package samples;

import java.io.*;
import java.util.*;
import javax.servlet.http.*;

/** Collections that a method makes for who calls it: what one call gives is not what another one gets. */
public class Factories extends HttpServlet {
    private List<String> kept;
    private List<String> cached;

    @SafeVarargs
    static <T> List<T> list(T... elements) {
        ArrayList<T> list = new ArrayList<>(elements.length);
        Collections.addAll(list, elements);
        return list;
    }

    static List<String> both(String first, String second) {
        List<String> list = new ArrayList<>();
        list.add(first);
        list.add(second);
        return list;
    }

    /** Those of it are told apart but for what is put into them by other ways than the variable of the call. */
    static List<String> one(String value) {
        LinkedList<String> list = new LinkedList<>();
        list.add(value);
        return list;
    }

    static void add(List<String> list, String value) {
        list.add(value);
    }

    /** Makes it once. */
    List<String> cached() {
        if (cached == null) {
            cached = new ArrayList<>();
        }
        return cached;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Runtime.getRuntime().exec(list(name, "a").get(0));            // found command-injection
        Runtime.getRuntime().exec(list("a", "b").get(0));
        Runtime.getRuntime().exec(both("a", name).get(0));            // found command-injection
        Runtime.getRuntime().exec(both("a", "b").get(0));
        List<String> none = list();
        none.add("a");
        Runtime.getRuntime().exec(none.get(0));
        List<String> added = list("a");
        added.add(name);
        Runtime.getRuntime().exec(added.get(0));                      // found command-injection
        List<String> filled = both("a", "b");
        add(filled, name);
        for (String each : filled) {
            Runtime.getRuntime().exec(each);                          // found command-injection
        }
        List<String> clean = list("a");
        add(clean, "b");
        for (String each : clean) {
            Runtime.getRuntime().exec(each);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        kept = one("a");
        Runtime.getRuntime().exec(one("b").get(0));                   // found command-injection
        kept.add(request.getParameter("name"));
        Runtime.getRuntime().exec(kept.get(0));                       // found command-injection
        cached().add(request.getParameter("name"));
        Runtime.getRuntime().exec(cached().get(0));                   // found command-injection
    }
}
