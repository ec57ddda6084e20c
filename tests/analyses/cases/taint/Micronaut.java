package samples;

import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Requests to a server of Micronaut: nothing but annotations says that these methods run. */
@Controller("/orders")
class MicronautOrders {
    @Inject
    OrderCommands commands;

    @Get("/{id}")
    String order(@PathVariable String id, @QueryValue String size) throws IOException {
        Runtime.getRuntime().exec(id); // found command-injection
        return commands.run(size);
    }

    @Post
    void add(@Body OrderSent sent) throws IOException {
        Runtime.getRuntime().exec(sent.name); // found command-injection
    }
}

class OrderSent {
    String name;
}

interface OrderCommands {
    String run(String text) throws IOException;
}

@Singleton
class OrderCommandsOfSystem implements OrderCommands {
    @Override
    public String run(String text) throws IOException {
        Runtime.getRuntime().exec(text); // found command-injection
        return "";
    }
}
