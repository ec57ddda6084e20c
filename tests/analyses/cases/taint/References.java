package samples;

import java.io.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import javax.servlet.http.*;
import org.springframework.web.util.HtmlUtils;
import reactor.core.publisher.Mono;

/** References to methods of libraries: they pass values on, harm and make harmless as calls of these methods do. */
public class References extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PrintWriter page = response.getWriter();
        String value = request.getParameter("value");
        page.println(Stream.of(value).map(String::trim).collect(Collectors.toList()).get(0)); // found html-injection
        page.println(Stream.of("a").map(String::trim).collect(Collectors.toList()).get(0));
        page.println(Stream.of(value).map(HtmlUtils::htmlEscape).collect(Collectors.toList()).get(0));
        page.println(Stream.of(value).map(Integer::valueOf).map(String::valueOf).collect(Collectors.toList()).get(0));
        page.println(Stream.of(value).map(StringBuilder::new).findFirst().get()); // found html-injection
        String given = Optional.of("name").map(request::getParameter).get();
        page.println(given); // found html-injection
        page.println(Optional.of("name").map(request::getMethod).get());
        Optional.of(value).ifPresent(page::println); // found html-injection
        Optional.of("a").ifPresent(page::println);
        List.of(value).forEach(new StringBuilder()::append);
        page.println(Mono.just(value).map(String::trim).block()); // found html-injection
        Function<String, String> trim = String::trim;
        page.println(trim.apply(value)); // found html-injection
        UnaryOperator<String> strip = String::strip;
        page.println(strip.apply("a"));
        given(value, page::append); // found html-injection
        alone("a", page::append);
        page.println(applied(value, String::toUpperCase)); // found html-injection
    }

    static void given(String value, Consumer<String> to) {
        to.accept(value);
    }

    static void alone(String value, Consumer<String> to) {
        to.accept(value);
    }

    static String applied(String value, Function<String, String> function) {
        return function.apply(value);
    }
}
