package samples;

import com.acme.json.Json;
import com.alibaba.fastjson2.JSON;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.acme.Store;

/** Objects that libraries read from texts and streams, of a class that they are given. */
public class Decoders extends HttpServlet {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private Store store;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        String text = request.getParameter("text");
        Wish wish = Json.fromJson(text, Wish.class);
        run(wish.getCommand());
        run(wish.other);
        Runtime.getRuntime().exec(wish.helper.command());
        run(wish.fixed());
        Runtime.getRuntime().exec(MAPPER.readValue(request.getInputStream(), Wish.class).getCommand()); // found command-injection
        Runtime.getRuntime().exec(new Gson().fromJson(request.getReader(), Wish.class).getCommand()); // found command-injection
        Runtime.getRuntime().exec(JSON.parseObject(text, Wish.class).getCommand()); // found command-injection
        Map<String, String> map = MAPPER.readValue(text, Map.class);
        Runtime.getRuntime().exec(map.get("command")); // found command-injection
        List<String> list = MAPPER.readValue(text, new TypeReference<List<String>>() { });
        Runtime.getRuntime().exec(list.get(0)); // found command-injection
    }

    /** What is not made of the text: numbers, what is found by it, and what another text is read as. */
    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        String text = request.getParameter("text");
        Runtime.getRuntime().exec("sleep " + Json.fromJson(text, Integer.class));
        Wish stored = MAPPER.readValue(new java.io.File(text), Wish.class);
        Runtime.getRuntime().exec(stored.getCommand());
        Runtime.getRuntime().exec(store.find(Wish.class, text).getCommand());
        Runtime.getRuntime().exec(Json.fromJson("{}", Wish.class).getCommand());
        Runtime.getRuntime().exec(store.readValue("{}", text).getCommand());
    }

    private void run(String command) throws java.io.IOException {
        Runtime.getRuntime().exec(command); // found command-injection
    }

    /** What the program gives the objects that it works with. */
    static class Helper {
        private String command;

        String command() {
            return command;
        }
    }

    static class Wish {
        transient Helper helper;
        private String command;
        String other;

        public String getCommand() {
            return command;
        }

        public void setCommand(String command) {
            this.command = command;
        }

        String fixed() {
            return "ls";
        }
    }
}
