package sample;

import java.io.File;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;

/** Methods that ask for null by way of others, and what cannot be null. */
class Asking {
    static boolean blank(String text) {
        int length;
        if (text == null || (length = text.length()) == 0) {
            return true;
        }
        for (int i = 0; i < length; i++) {
            if (!Character.isWhitespace(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    static boolean filled(String text) {
        return !blank(text);
    }

    static boolean empty(Object value) {
        return null == value;
    }

    static boolean some(String text) {
        return null != text && !text.isEmpty();
    }

    static boolean missing(String name, Object value, Map<String, Object> model) {
        if (empty(value)) {
            model.put("error", "missing." + name);
            return true;
        }
        return false;
    }

    static boolean odd(Object value, Map<String, Object> model) {
        if (empty(value)) {
            model.put("error", "odd");
        }
        return model.isEmpty();
    }

    static String setting() {
        return System.getProperty("sample");
    }

    static int asked() {
        String text = setting();
        if (filled(text)) {
            return text.length();
        }
        return 0;
    }

    static int some() {
        String text = setting();
        return some(text) ? text.length() : 0;
    }

    static int told(Map<String, Object> model) {
        String text = setting();
        if (missing("text", text, model) || text.isEmpty()) {
            return 0;
        }
        return text.length();
    }

    static int untold(Map<String, Object> model) {
        String text = setting();
        if (odd(text, model)) {
            return 0;
        }
        return text.length(); // found nullable-result
    }

    static int notAsked() {
        String text = setting();
        return text.length(); // found nullable-result
    }

    static void made(File folder, String name) {
        File file = new File(folder, name);
        file.getParentFile().mkdirs();
        File other = new File(name);
        other.getParentFile().mkdirs(); // found nullable-result
        if (name.isEmpty()) {
            file = new File("a", name);
        }
        file.getParentFile().mkdirs();
    }

    static void perhapsMade(File folder, String name) {
        File file = new File(folder, name);
        if (name.isEmpty()) {
            file = other();
        }
        file.getParentFile().mkdirs(); // found nullable-result
    }

    static File other() {
        return new File("a");
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value();
    }

    static String marked(Method method) {
        if (method.isAnnotationPresent(Mark.class)) {
            return method.getAnnotation(Mark.class).value();
        }
        return "";
    }
}
