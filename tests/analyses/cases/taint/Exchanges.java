package samples;

import java.io.File;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.DefaultServerRedirectStrategy;
import org.springframework.security.web.server.ServerRedirectStrategy;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

// Requests that missing libraries give call by call, with no variable of their type.
@Component
class Exchanges implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        new File(exchange.getRequest().getHeaders().getFirst("X-File")).delete(); // found path-injection
        new File(exchange.getRequest().getId()).delete();
        exchange.getResponse().getHeaders().setLocation(URI.create(exchange.getRequest().getQueryParams().getFirst("to"))); // found url-redirection
        exchange.getResponse().setStatusCode(HttpStatus.FOUND);
        return chain.filter(exchange);
    }
}

@Component
class Returned implements ServerAuthenticationSuccessHandler {
    private final ServerRedirectStrategy redirect = new DefaultServerRedirectStrategy();

    @Override
    public Mono<Void> onAuthenticationSuccess(WebFilterExchange exchange, Authentication authentication) {
        String to = exchange.getExchange().getRequest().getQueryParams().getFirst("to");
        new File(((ServletRequestAttributes) RequestContextHolder.getRequestAttributes()).getRequest().getParameter("name")).delete(); // found path-injection
        return redirect.sendRedirect(exchange.getExchange(), URI.create(to)); // found url-redirection
    }
}
