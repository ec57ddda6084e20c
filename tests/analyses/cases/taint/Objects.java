package samples;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.*;
import java.util.stream.Collectors;
import javax.servlet.http.*;

/** Values that are kept by objects: fields, arrays, containers, sessions; and reflection. */
public class Objects extends HttpServlet {
    static class Box {
        String text;
        String other = "constant";
        Box next;

        Box() {}

        Box(String text) {
            this.text = text;
        }

        String getText() {
            return text;
        }

        void setText(String text) {
            this.text = text;
        }
    }

    static class Upper extends Box {
        @Override
        String getText() {
            return "constant";
        }
    }

    public String shown(String text) {
        return text;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Box box = new Box(name);
        Box alias = box;
        response.getWriter().println(box.text); // found html-injection
        response.getWriter().println(alias.getText()); // found html-injection
        response.getWriter().println(box.other);
        Box second = new Box("constant");
        response.getWriter().println(second.getText());
        Box third = new Box();
        third.setText(name);
        Box fourth = new Box();
        fourth.setText("constant");
        response.getWriter().println(third.getText()); // found html-injection
        response.getWriter().println(fourth.getText());
        fourth.next = third;
        response.getWriter().println(fourth.next.text); // found html-injection
        Box upper = new Upper();
        upper.setText(name);
        response.getWriter().println(upper.getText());
        Box undone = new Box();
        undone.text = name;
        undone.text = "constant";
        response.getWriter().println(undone.text);

        String[] array = {name, "constant"};
        response.getWriter().println(array[0]); // found html-injection
        response.getWriter().println(array[1]);
        for (String each : array) {
            response.getWriter().println(each); // found html-injection
        }

        List<String> list = new ArrayList<>();
        list.add(name);
        List<String> clean = new ArrayList<>();
        clean.add("constant");
        response.getWriter().println(list.get(0)); // found html-injection
        response.getWriter().println(clean.get(0));
        for (String each : list) {
            response.getWriter().println(each); // found html-injection
        }
        response.getWriter().println(String.join(",", list)); // found html-injection
        List<String> shouted = list.stream().map(each -> each + "!").collect(Collectors.toList());
        response.getWriter().println(shouted.get(0)); // found html-injection
        List<String> positions = new ArrayList<>();
        positions.add("constant");
        positions.add(name);
        positions.add("constant");
        response.getWriter().println(positions.get(0));
        response.getWriter().println(positions.get(1)); // found html-injection
        positions.remove(0);
        response.getWriter().println(positions.get(0)); // found html-injection
        response.getWriter().println(positions.get(1));
        list.forEach(each -> show(response, each));

        Map<String, String> map = new HashMap<>();
        map.put("name", name);
        map.put("kind", "constant");
        response.getWriter().println(map.get("name")); // found html-injection
        response.getWriter().println(map.get("kind"));
        response.getWriter().println(map.get(name)); // found html-injection
        for (Map.Entry<String, String> entry : map.entrySet()) {
            response.getWriter().println(entry.getValue()); // found html-injection
            response.getWriter().println(entry.getKey());
        }

        HttpSession session = request.getSession();
        session.setAttribute("name", name); // found trust-boundary-violation
        response.getWriter().println(session.getAttribute("name")); // found html-injection
        response.getWriter().println(session.getAttribute("other"));

        try {
            Method method = Objects.class.getMethod("shown", String.class);
            response.getWriter().println(method.invoke(this, name)); // found html-injection
            Field field = Box.class.getDeclaredField("text");
            Box reflected = new Box();
            field.set(reflected, name);
            response.getWriter().println(reflected.text); // found html-injection
            Class.forName(name); // found unsafe-reflection
        } catch (ReflectiveOperationException thrown) {
            response.getWriter().println("failed");
        }
    }

    private static void show(HttpServletResponse response, String text) {
        try {
            response.getWriter().println(text); // found html-injection
        } catch (IOException thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}
