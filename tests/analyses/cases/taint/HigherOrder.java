package samples;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.*;
import javax.servlet.http.*;

/** Methods that are given functions: what goes into one function comes from the call that gives it, and goes back there. */
public class HigherOrder extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        copied(request.getParameterValues("names"));
        Runtime.getRuntime().exec(returned(() -> text)); // found command-injection
        Runtime.getRuntime().exec(returned(() -> "ls"));
        Runtime.getRuntime().exec(inTransaction(() -> text)); // found command-injection
        Runtime.getRuntime().exec(inTransaction(() -> "ls"));
        Runtime.getRuntime().exec(captured(() -> text)); // found command-injection
        Runtime.getRuntime().exec(captured(() -> "ls"));
        Runtime.getRuntime().exec(mapped(text, each -> each + "a")); // found command-injection
        passed(text, HigherOrder::tainted);
        passed("fixed", HigherOrder::fixed);
        List.of(text).forEach(unchecked(each -> Runtime.getRuntime().exec(each))); // found command-injection
        List.of("ls").forEach(unchecked(each -> Runtime.getRuntime().exec(each)));
        Runtime.getRuntime().exec(Optional.of(text).map(uncheckedFunction(each -> each)).get()); // found command-injection
        Runtime.getRuntime().exec(Optional.of("ls").map(uncheckedFunction(each -> each)).get());
        Runtime.getRuntime().exec(Optional.of("ls").map(uncheckedFunction(each -> text)).get()); // found command-injection
        Runtime.getRuntime().exec(trimmed(text, each -> each)); // found command-injection
        kept(text);
    }

    static String trimmed(String text, Function<String, String> function) {
        return Optional.of(function.apply(text)).map(String::trim).get();
    }

    static void copied(String[] names) {
        Sheet sheet = new Sheet();
        sheet.names = names;
        sheet.title = "ls";
        Sheet copy = new Sheet();
        copy(sheet, copy, Sheet::names, copy::setNames);
        copy(sheet, copy, Sheet::title, copy::setTitle);
        Runtime.getRuntime().exec(copy.title());
        Runtime.getRuntime().exec(copy.names()[0]); // found command-injection
        Sheet.listed = Arrays.asList(copy.names().clone());
        Runtime.getRuntime().exec("ls %s".formatted(copy.title()));
    }

    static <T, V> void copy(T from, T to, Function<T, V> getter, Consumer<V> setter) {
        V value = getter.apply(from);
        if (!value.equals(getter.apply(to))) {
            setter.accept(value);
        }
    }

    static <T> T returned(Supplier<T> task) {
        return task.get();
    }

    static <T> T inTransaction(Supplier<T> task) {
        return missing.library.Transactions.call(() -> task.get());
    }

    static <T> T captured(Supplier<T> task) {
        return missing.library.Transactions.call(task);
    }

    static <T> T mapped(T value, Function<T, T> function) {
        return Optional.of(value).map(function).get();
    }

    static void passed(String text, Consumer<String> consumer) {
        consumer.accept(text);
    }

    static void tainted(String text) {
        Runtime.getRuntime().exec(text); // found command-injection
    }

    static void fixed(String text) {
        Runtime.getRuntime().exec(text);
    }

    interface Task<T> {
        void run(T t) throws IOException;
    }

    interface Mapping<T, R> {
        R map(T t) throws IOException;
    }

    static <T> Consumer<T> unchecked(Task<T> task) {
        return t -> {
            try {
                task.run(t);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    static <T, R> Function<T, R> uncheckedFunction(Mapping<T, R> mapping) {
        return t -> {
            try {
                return mapping.map(t);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private Consumer<String> later;

    /** A function that is kept may be run with whatever comes. */
    void kept(String text) {
        later = HigherOrder::fromField;
        passed(text, later);
    }

    static void fromField(String text) {
        Runtime.getRuntime().exec(text); // found command-injection
    }

    static class Sheet {
        static List<String> listed;
        String[] names;
        String title;

        String[] names() {
            return names;
        }

        void setNames(String[] names) {
            this.names = names;
        }

        String title() {
            return title;
        }

        void setTitle(String title) {
            this.title = title;
        }
    }
}
