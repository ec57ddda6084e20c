import java.lang.reflect.Method;

// Methods that loops over all methods choose by their names.
class Plugin {
    public static void init(Object context) {}

    public void start() {}

    static void never() {}
}

class Module {
    public static void init(Object context) {}
}

public class M {
    static Method[] methods(Class<?> type) {
        return type.getDeclaredMethods();
    }

    static void load(String name) throws Exception {
        for (Method method : methods(Class.forName(name))) {
            if (!"init".equals(method.getName())) continue;
            method.invoke(null, "context");
        }
    }

    public static void main(String[] args) throws Exception {
        load("Plugin");
        load("Module");
        Class<?> type = Class.forName("Plugin");
        for (Method method : type.getMethods()) {
            String name = method.getName();
            if (name.equals("start")) method.invoke(type.getDeclaredConstructor().newInstance());
        }
    }
}
