package samples;

import java.io.File;
import java.io.IOException;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Parameters that the program makes itself. */
@RestController
class Resolvers {
    static class Shop {
        String folder;
    }

    static class Visitor {
        String name;
    }

    static class Order {
        String folder;
    }

    @interface Current {}

    @Component
    static class ShopResolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType().equals(Shop.class);
        }

        @Override
        public Object resolveArgument(MethodParameter parameter, ModelAndViewContainer container, NativeWebRequest request,
                WebDataBinderFactory factory) {
            Shop shop = new Shop();
            shop.folder = "main";
            return shop;
        }
    }

    @Component
    static class VisitorResolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Visitor.class;
        }

        @Override
        public Object resolveArgument(MethodParameter parameter, ModelAndViewContainer container, NativeWebRequest request,
                WebDataBinderFactory factory) {
            Visitor visitor = new Visitor();
            visitor.name = request.getParameter("name");
            return visitor;
        }
    }

    @Component
    static class OrderResolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.hasParameterAnnotation(Current.class) && parameter.getParameterType().equals(Order.class);
        }

        @Override
        public Object resolveArgument(MethodParameter parameter, ModelAndViewContainer container, NativeWebRequest request,
                WebDataBinderFactory factory) {
            Order order = new Order();
            order.folder = "orders";
            return order;
        }
    }

    @GetMapping("/shops")
    void shops(Shop shop, @ModelAttribute Shop sent, Visitor visitor) throws IOException {
        new File(shop.folder).delete();
        new File(sent.folder).delete(); // found path-injection
        new File(visitor.name).delete(); // found path-injection
    }

    @GetMapping("/orders")
    void orders(@Current Order order, Order other) throws IOException {
        new File(order.folder).delete();
        new File(other.folder).delete(); // found path-injection
    }
}
