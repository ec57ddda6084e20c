package samples;

import java.io.IOException;
import javax.servlet.http.*;

/** Objects that others hold, too: what is stored into one that they give may be in each that they were given. */
public class Escaping extends HttpServlet {
    static class Message {
        String type;

        String getType() {
            return type;
        }

        void setType(String type) {
            this.type = type;
        }
    }

    static class Command extends Message {}

    static class Event extends Message {}

    static String typeOf(Message message) {
        return message.getType();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        Command command = new Command();
        command.setType("ping");
        session.setAttribute("command", command);
        Event event = new Event();
        event.setType("started");
        session.setAttribute("event", event);

        Command kept = (Command) session.getAttribute("other");
        kept.setType(request.getParameter("type"));

        response.getWriter().println(kept.getType()); // found html-injection
        response.getWriter().println(command.getType()); // found html-injection
        response.getWriter().println(command.type); // found html-injection
        response.getWriter().println(typeOf(command)); // found html-injection
        response.getWriter().println(event.getType());
        response.getWriter().println(typeOf(event));
        response.getWriter().println(event.type);
    }
}
