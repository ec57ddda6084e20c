package samples;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.annotation.Get;
import com.linecorp.armeria.server.annotation.Param;
import com.linecorp.armeria.server.annotation.Post;
import java.io.IOException;
import java.util.Optional;

/** Requests to a server of Armeria. */
class Armeria {
    private final String fixed = "ls";

    @Get("/traces/{id}")
    public HttpResponse trace(@Param("id") String id, @Param("name") Optional<String> name, int size) throws IOException {
        Runtime.getRuntime().exec(id); // found command-injection
        Runtime.getRuntime().exec(name.orElse("none")); // found command-injection
        Runtime.getRuntime().exec(fixed + size);
        return HttpResponse.of(200);
    }

    @Post("/spans")
    public HttpResponse spans(ServiceRequestContext context, AggregatedHttpRequest request) throws IOException {
        Runtime.getRuntime().exec(request.contentUtf8()); // found command-injection
        Runtime.getRuntime().exec(context.queryParam("name")); // found command-injection
        return HttpResponse.of(200);
    }

    /** A request that the program itself sends. */
    static void ask(AggregatedHttpRequest sent) throws IOException {
        Runtime.getRuntime().exec(sent.contentUtf8());
    }
}

class ArmeriaHealth implements HttpService {
    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws IOException {
        Runtime.getRuntime().exec(request.path()); // found command-injection
        return HttpResponse.of(200);
    }

    public static void main(String[] args) throws IOException {
        Armeria.ask(AggregatedHttpRequest.of(null));
        Server.builder().service("/health", new ArmeriaHealth()).build().start();
    }
}
