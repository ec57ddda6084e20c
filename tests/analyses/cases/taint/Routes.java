import static spark.Spark.get;

import io.javalin.Javalin;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.FileInputStream;
import java.io.IOException;
import org.springframework.web.reactive.function.server.RouterFunctions;

/** Functions that libraries which are missing give requests to: nothing but the call that takes them says what they get. */
class Routes {
    static void spark() {
        get("/file", (request, response) -> {
            response.redirect(request.queryParams("next")); // found url-redirection
            return new FileInputStream(request.params("name")).read(); // found path-injection
        });
    }

    static void javalin() {
        var app = Javalin.create().start(7070);
        app.get("/file", context -> context.html(context.queryParam("name"))); // found html-injection
        app.exception(IOException.class, (thrown, context) -> context.redirect(context.path())); // found url-redirection
    }

    static void vertx(Router router) {
        router.get("/file").handler(context -> {
            var request = context.request();
            open(request.getParam("name"));
        });
        Vertx.vertx().createHttpServer().requestHandler(request -> open(request.path()));
    }

    static void open(String name) {
        try (FileInputStream in = new FileInputStream(name)) { // found path-injection
            in.read();
        } catch (IOException ignored) {
        }
    }

    static void undertow() {
        Undertow.builder().addHttpListener(8080, "localhost").setHandler(exchange -> {
            new FileInputStream(exchange.getQueryParameters().get("name").getFirst()).close(); // found path-injection
        }).build().start();
        Handlers.path().addPrefixPath("/file", new BlockingHandler(exchange -> exchange.dispatch(() -> {
            new FileInputStream(exchange.getRelativePath()).close(); // found path-injection
        })));
    }

    static Object spring() {
        return RouterFunctions.route().GET("/file", request -> {
            new FileInputStream(request.pathVariable("name")).close(); // found path-injection
            return null;
        }).build();
    }

    /** What such a function gets of something else is no request. */
    static void others(org.example.Events events) {
        events.get("/file", event -> new FileInputStream(event.queryParam("name")).read());
    }

    public static void main(String[] arguments) {
        spark();
        javalin();
        vertx(Router.router(null));
        undertow();
        spring();
        others(new org.example.Events());
    }
}
