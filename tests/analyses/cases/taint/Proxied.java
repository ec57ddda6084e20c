package samples;

import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import javax.servlet.http.*;

/** Proxies of any interface: what their handler gives is what calls of the program's interfaces give, and no others. */
public class Proxied extends HttpServlet {
    interface Names {
        String nextElement();
    }

    static class Handler implements InvocationHandler {
        private final Map<String, String> values = new HashMap<>();

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return values.get(method.getName());
        }

        <T> T as(Class<T> type) {
            return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this);
        }
    }

    static <T> void delete(Enumeration<T> names) {
        new File((String) names.nextElement()).delete();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        Handler sent = new Handler();
        sent.values.put("nextElement", request.getParameter("name"));
        new File(sent.as(Names.class).nextElement()).delete(); // found path-injection
        Object any = sent.as((Class<?>) request.getAttribute("type"));
        delete(Collections.enumeration(List.of("name")));
        delete((Enumeration<?>) any);
    }
}
