package samples;

import java.io.IOException;
import java.util.*;
import java.util.function.Function;
import javax.servlet.http.*;

/** The texts of containers, and what is removed from them again. */
public class Containers extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getHeader("name");
        List<String> list = new ArrayList<>();
        list.add(name);
        Runtime.getRuntime().exec(list.toString()); // found command-injection
        Map<String, String> map = new HashMap<>();
        map.put("name", name);
        Runtime.getRuntime().exec(String.valueOf(map)); // found command-injection
        Set<String> set = new HashSet<>();
        set.add(name);
        Runtime.getRuntime().exec("ls " + set.toString()); // found command-injection

        List<String> cleared = new ArrayList<>();
        cleared.add(name);
        cleared.clear();
        Runtime.getRuntime().exec(cleared.toString());
        Map<String, String> replaced = new HashMap<>();
        replaced.put("name", name);
        replaced.put("other", "constant");
        replaced.put("name", "constant");
        Runtime.getRuntime().exec(replaced.toString());
        Map<String, String> other = new HashMap<>();
        other.put("name", name);
        other.remove("other");
        Runtime.getRuntime().exec(other.toString()); // found command-injection
        Set<String> without = new HashSet<>();
        without.add(name);
        without.remove(name);
        Runtime.getRuntime().exec(without.toString());
        Map<String, String> seen = new HashMap<>();
        seen.put("name", name);
        Runtime.getRuntime().exec(seen.toString()); // found command-injection
        seen.clear();

        List<String> changed = new ArrayList<>();
        changed.add(name);
        changed.set(0, "constant");
        Runtime.getRuntime().exec(changed.get(0));
        List<String> given = new ArrayList<>();
        given.add("constant");
        given.set(0, name);
        Runtime.getRuntime().exec(given.get(0)); // found command-injection

        Function<String, String> constant = text -> "constant";
        Runtime.getRuntime().exec(constant.apply(name));
        Function<String, String> same = text -> text;
        Runtime.getRuntime().exec(same.apply(name)); // found command-injection
    }

}
