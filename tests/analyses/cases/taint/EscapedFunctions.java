package samples;

import java.io.IOException;
import javax.servlet.http.*;
import missing.library.Registry;

/** A function that the library gives may be any of those that it was given: which of many says little. */
public class EscapedFunctions extends HttpServlet {
    interface Action {
        Object run(String text) throws IOException;
    }

    static class Actions {
        static void register() {
            Registry<Action> registry = new Registry<>();
            Action action0 = text -> Runtime.getRuntime().exec(text + 0);
            registry.add(action0);
            Action action1 = text -> Runtime.getRuntime().exec(text + 1);
            registry.add(action1);
            Action action2 = text -> Runtime.getRuntime().exec(text + 2);
            registry.add(action2);
            Action action3 = text -> Runtime.getRuntime().exec(text + 3);
            registry.add(action3);
            Action action4 = text -> Runtime.getRuntime().exec(text + 4);
            registry.add(action4);
            Action action5 = text -> Runtime.getRuntime().exec(text + 5);
            registry.add(action5);
            Action action6 = text -> Runtime.getRuntime().exec(text + 6);
            registry.add(action6);
            Action action7 = text -> Runtime.getRuntime().exec(text + 7);
            registry.add(action7);
            Action action8 = text -> Runtime.getRuntime().exec(text + 8);
            registry.add(action8);
            Action action9 = text -> Runtime.getRuntime().exec(text + 9);
            registry.add(action9);
            Action action10 = text -> Runtime.getRuntime().exec(text + 10);
            registry.add(action10);
            Action action11 = text -> Runtime.getRuntime().exec(text + 11);
            registry.add(action11);
            Action action12 = text -> Runtime.getRuntime().exec(text + 12);
            registry.add(action12);
            Action action13 = text -> Runtime.getRuntime().exec(text + 13);
            registry.add(action13);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Actions.register();
        String text = request.getParameter("text");
        Action action = Registry.<Action>find(text);
        action.run(text);
        Chosen chosen = new Chosen();
        chosen.set(Registry.<Other>find("own"));
        chosen.set(each -> each + "a");
        Registry.<Other>add(each -> Runtime.getRuntime().exec(each));
        chosen.other.apply(text);
        Action own = each -> Runtime.getRuntime().exec(each); // found command-injection
        own.run(text);
    }

    interface Other {
        Object apply(String text) throws IOException;
    }

    static class Chosen {
        Other other;

        void set(Other other) {
            this.other = other;
        }
    }
}
