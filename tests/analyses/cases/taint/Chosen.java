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
    }
}
