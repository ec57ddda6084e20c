package samples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.json.JSONArray;
import org.json.JSONObject;

/** What is put into a tree of JSON is in its text, and in what is taken out of it. */
class Trees extends HttpServlet {
    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        gson(request.getParameter("gson"));
        jackson(request.getParameter("jackson"));
        json(request.getParameter("json"));
        maps(request.getParameter("maps"));
    }

    private void gson(String value) throws IOException {
        JsonObject object = new JsonObject();
        object.addProperty("name", value);
        Runtime.getRuntime().exec(object.toString()); // found command-injection
        JsonArray array = new JsonArray();
        array.add(new JsonPrimitive(value));
        Runtime.getRuntime().exec(array.get(0).getAsString()); // found command-injection
        JsonObject other = new JsonObject();
        other.addProperty(value, "fixed");
        Runtime.getRuntime().exec(other.get("name").getAsString());
    }

    private void jackson(String value) throws IOException {
        ObjectNode inner = mapper.createObjectNode();
        inner.set("name", new TextNode(value));
        ArrayNode array = mapper.createArrayNode();
        array.add(inner);
        Runtime.getRuntime().exec(array.toString()); // found command-injection
        Runtime.getRuntime().exec(mapper.createObjectNode().put("name", value).put("size", 1).toString()); // found command-injection
        JsonNode read = mapper.readTree(value);
        Runtime.getRuntime().exec(read.get("name").asText()); // found command-injection
        ObjectNode other = mapper.createObjectNode();
        other.put("size", value.length());
        Runtime.getRuntime().exec(other.toString());
    }

    private void json(String value) throws IOException {
        JSONObject object = new JSONObject().put("size", 1).put("name", value);
        Runtime.getRuntime().exec(object.getString("name")); // found command-injection
        JSONArray array = new JSONArray();
        array.put(0, value);
        Runtime.getRuntime().exec(array.toString()); // found command-injection
    }

    private void maps(String value) throws IOException {
        com.alibaba.fastjson.JSONObject object = new com.alibaba.fastjson.JSONObject();
        object.put("name", value);
        object.put("fixed", "ls");
        Runtime.getRuntime().exec(object.getString("name")); // found command-injection
        Runtime.getRuntime().exec((String) object.get("fixed"));
        Runtime.getRuntime().exec(object.toJSONString()); // found command-injection
    }
}
