package samples;

import com.google.gson.Gson;
import java.io.*;
import java.util.*;
import java.util.function.Predicate;
import javax.servlet.http.*;

/** What a method chooses among the elements of a list goes back to the calls that gave such a list. */
public class Chosen extends HttpServlet {
    static class Release {
        List<Asset> assets;

        List<Asset> getAssets() {
            return assets;
        }
    }

    static class Asset {
        String name;
    }

    static <T> T only(List<T> list, Predicate<T> filter) {
        if (list == null || list.isEmpty()) {
            return null;
        }
        T found = null;
        for (T element : list) {
            if (filter.test(element)) {
                if (found != null) {
                    return null;
                }
                found = element;
            }
        }
        return found;
    }

    /** Its iterators are objects of the program. */
    static class Counted extends AbstractList<String> {
        private final int size;

        Counted(int size) {
            this.size = size;
        }

        @Override
        public String get(int index) {
            return "constant";
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<String> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < size;
                }

                @Override
                public String next() {
                    next++;
                    return "constant";
                }
            };
        }
    }

    static String streamed(List<String> list) {
        return list.stream().filter(name -> name.isEmpty()).findFirst().orElse("");
    }

    static String added(List<String> list, String other) {
        ListIterator<String> all = list.listIterator();
        all.add(other);
        return all.previous();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Release release = new Gson().fromJson(request.getReader(), Release.class);
        Asset asset = only(release.getAssets(), a -> a.name.isEmpty());
        response.getWriter().println(asset.name); // found html-injection
        List<Asset> others = new ArrayList<>();
        Asset made = new Asset();
        made.name = "constant";
        others.add(made);
        Asset other = only(others, a -> a.name.isEmpty());
        response.getWriter().println(other.name);
        List<String> names = List.of("a", "b");
        response.getWriter().println(only(names, String::isEmpty));
        List<String> asked = List.of(request.getParameterValues("name"));
        response.getWriter().println(only(asked, String::isEmpty)); // found html-injection
        response.getWriter().println(only(new Counted(3), String::isEmpty));
        response.getWriter().println(streamed(names));
        response.getWriter().println(streamed(asked)); // found html-injection
        response.getWriter().println(added(new ArrayList<>(), request.getParameter("name"))); // found html-injection
    }
}
