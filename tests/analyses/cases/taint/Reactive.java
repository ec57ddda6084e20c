package samples;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

// Functions that methods of missing libraries are given: what the receiver has becomes their parameter, and what they
// return the result.
@Configuration
class Reactive {
    @Bean
    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route().GET("/a", this::body).POST("/b", this::chained).POST("/c", this::parts)
            .POST("/d", this::harmless).POST("/e", this::adapted).build();
    }

    Mono<ServerResponse> body(ServerRequest request) {
        return request.bodyToMono(Wish.class).flatMap(wish -> {
            new File(wish.name).delete(); // found path-injection
            return ServerResponse.ok().build();
        });
    }

    Mono<ServerResponse> chained(ServerRequest request) {
        return request.bodyToMono(Wish.class).filter(wish -> wish.name != null).map(wish -> wish.name)
            .doOnNext(name -> new File(name).delete()) // found path-injection
            .then(ServerResponse.ok().build());
    }

    Mono<ServerResponse> parts(ServerRequest request) {
        return request.multipartData().map(parts -> (FilePart) parts.getFirst("file")).flatMap(part -> {
            new File(part.filename()).delete(); // found path-injection
            return ServerResponse.ok().build();
        });
    }

    Mono<ServerResponse> adapted(ServerRequest request) {
        Adapted adapted = new Adapted(request.headers());
        adapted.forEach(name -> new File(name).delete()); // found path-injection
        com.example.Settings.add(adapted);
        new Kept().setNames(com.example.Settings.names());
        return ServerResponse.ok().build();
    }

    // What other handlers of the router answer is not what this one is given.
    Mono<ServerResponse> harmless(ServerRequest request) {
        return Mono.just("file").flatMap(name -> {
            new File(name).delete();
            return ServerResponse.ok().build();
        });
    }
}

// Functions that are given to something else, which is hardly an object of this class, get nothing of its values.
class Adapted implements com.example.Headers {
    private final ServerRequest.Headers values;

    Adapted(ServerRequest.Headers values) {
        this.values = values;
    }

    public void forEach(Consumer<String> action) {
        values.forEach(action);
    }
}

class Kept {
    private List<String> names;

    void setNames(List<String> names) {
        names.forEach(name -> new File(name).delete());
    }
}

class Wish {
    String name;
}

@RestController
class Publishers {
    @GetMapping("/2")
    void subscribed(@RequestParam String name) {
        var x = Mono.just(name);
        x.subscribe(n -> new File(n).delete()); // found path-injection
    }

    @GetMapping("/3")
    void captured(@RequestParam String name) {
        Mono.just(1).map(n -> name + n).subscribe(b -> new File(b).delete()); // found path-injection
    }

    @GetMapping("/4")
    void called(@RequestParam String name) {
        Mono.fromCallable(() -> name).subscribe(b -> new File("" + b).delete()); // found path-injection
    }

    @GetMapping("/5")
    void referred(@RequestParam String name) {
        Mono.just(name).subscribe(this::delete);
    }

    void delete(String name) {
        new File(name).delete(); // found path-injection
    }

    Mono<Path> write(Mono<String> content) {
        Path path = Path.of("x");
        return DataBufferUtils.write(content, path).thenReturn(path);
    }

    @GetMapping("/6")
    void keptPath(@RequestParam String name) {
        write(Mono.just(name)).subscribe(p -> p.toFile().delete());
    }

    Mono<String> update(String text) {
        return Mono.just(1).map(i -> text + i);
    }

    Mono<String> number(String text) {
        return Mono.just(text).map(t -> t + 1);
    }

    @GetMapping("/7")
    void updated(@RequestParam String name) {
        update(name).subscribe(p -> new File(p).delete()); // found path-injection
    }

    @GetMapping("/8")
    void updatedOtherwise(@RequestParam String name) {
        update("name").subscribe(p -> new File(p).delete());
    }

    @GetMapping("/9")
    void mapped(@RequestParam String name) {
        number(name).subscribe(p -> new File(p).delete()); // found path-injection
    }

    @GetMapping("/a")
    void mappedOtherwise(@RequestParam String name) {
        number("name").subscribe(p -> new File(p).delete());
    }

    @GetMapping("/b")
    void failed(@RequestParam String name) {
        Mono.just(name).doOnError(p -> new File(p.toString()).delete());
    }

    @GetMapping("/c")
    void then(@RequestParam String name) {
        Mono.just(1).then(Mono.just(name)).subscribe(p -> new File(p).delete()); // found path-injection
    }

    @GetMapping("/d")
    void thenAnother(@RequestParam String name) {
        Mono.just(name).then(Mono.just("x")).subscribe(p -> new File(p).delete());
    }

    static String run(Supplier<String> supplier) {
        return supplier.get();
    }

    @GetMapping("/e")
    void supplied(@RequestParam String name) {
        new File(run(() -> name)).delete(); // found path-injection
    }
}

@RestController
class Numbers {
    @GetMapping("/numbers")
    void numbers(@RequestParam String name) {
        Mono.just(name).map(Long::parseLong).subscribe(n -> new File("" + n).delete());
        Mono.just(name).map(n -> Integer.parseInt(n)).subscribe(n -> new File("" + n).delete());
    }

    @GetMapping("/texts")
    void texts(@RequestParam String name) {
        Mono.just(name).map(String::trim).subscribe(n -> new File("" + n).delete()); // found path-injection
        Mono.just(name).filter(n -> n.isEmpty()).subscribe(n -> new File("" + n).delete()); // found path-injection
    }
}
