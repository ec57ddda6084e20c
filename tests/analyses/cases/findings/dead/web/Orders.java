package web;

import com.acme.json.Json;
import com.acme.json.TypeRef;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import lombok.Builder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Accessors that frameworks and serialisers call, and methods beside them that nobody does. */
@RestController
class Orders {
    public static void main(String[] args) {
        new Orders().raw();
        new Orders().read(args[0]);
    }

    @GetMapping("/orders")
    Page<Order> orders(Filter filter) {
        return helped();
    }

    private Page<Order> helped() {
        return Page.of(new ArrayList<>());
    }

    @GetMapping("/raw")
    Object raw() {
        return new Raw(new Deep());
    }

    void read(String text) {
        Query query = Json.fromJson(text, Query.class); // found unused-variable
        List<Part> parts = Json.fromJson(text, new TypeRef<List<Part>>() { }); // found unused-variable
        new Listener().hashCode();
        new Plain().hashCode();
        new Logged().hashCode();
        new Mapped().hashCode();
        new Saved().hashCode();
        new Lost().hashCode();
        new Sent().hashCode();
        Json.toJson(new Written("w"));
        new Unwritten("u").hashCode();
        Json.unknown().found().title();
        Holder.all(null);
        Built.builder().name("x").build();
    }
}

class Listener {
    @com.acme.Listens
    void heard() {
        onlyHeard();
    }

    private void onlyHeard() { }

    @Deprecated
    void left() {
        onlyLeft();
    }

    private void onlyLeft() { } // found unused-method
}

class Page<T> {
    private List<T> list;

    static <T> Page<T> of(List<T> list) {
        Page<T> page = new Page<>();
        page.list = list;
        return page;
    }

    public List<T> getList() {
        return list;
    }

    public void reset() { } // found unused-method
}

class Order {
    private Item item = new Item();

    public Item getItem() {
        return checked();
    }

    private Item checked() {
        return item;
    }

    public int total() { // found unused-method
        return 1;
    }

    public int getItem(int number) { // found unused-method
        return 1;
    }

    int getHidden() { // found unused-method
        return 1;
    }

    public static int getCount() { // found unused-method
        return 1;
    }
}

class Item {
    public boolean isNew() {
        return true;
    }
}

class Filter {
    public void setName(String name) { }

    public void settle(String name) { } // found unused-method
}

class Raw {
    private final Object deep;

    Raw(Object deep) {
        this.deep = deep;
    }

    public Object getDeep() {
        return deep;
    }
}

class Deep {
    public int getNumber() {
        return 1;
    }

    public int number() { // found unused-method
        return 1;
    }
}

class Query {
    public void setText(String text) { }
}

class Part {
    public void setName(String name) { }
}

class Plain {
    public int getNumber() { // found unused-method
        return 1;
    }
}

class Logged {
    static final Logger LOG = LoggerFactory.getLogger(Logged.class);

    public int getNumber() { // found unused-method
        return LOG.hashCode();
    }
}

class Mapped {
    enum Kind { ONE }

    static class Key {
        public int getNumber() { // found unused-method
            return 1;
        }
    }

    Object made = new EnumMap<Kind, Object>(Kind.class);
    Object name = Key.class.cast(new Key());
    Object other = java.util.Collections.checkedList(new ArrayList<>(), Key.class);
}

class Saved implements Serializable {
    private void readObject(ObjectInputStream in) { }

    private Object readResolve() {
        return this;
    }

    private void readObject(String text) { } // found unused-method
}

class Lost {
    private void readObject(ObjectInputStream in) { } // found unused-method
}

class Sent implements com.example.Remotable {
    private void readObject(ObjectInputStream in) { }

    private Object writeReplace() {
        return this;
    }
}

class Holder {
    static Held[] all(Held held) {
        return new Held[] {held};
    }
}

class Written {
    private final String name;
    private transient String passing; // found unused-field
    private Inner inner = new Inner();

    Written(String name) {
        this.name = name;
        this.passing = name;
    }

    public int getSize() {
        return 1;
    }

    static class Inner {
        private int depth = 1;
    }
}

class Unwritten {
    private final String name; // found unused-field

    Unwritten(String name) {
        this.name = name;
    }
}

@org.springframework.context.annotation.Configuration
class Settings {
    @org.springframework.boot.context.properties.ConfigurationProperties(prefix = "bound")
    @org.springframework.context.annotation.Bean
    Bound bound() {
        return new Bound();
    }

    @org.springframework.context.annotation.Bean
    Unbound unbound() {
        return new Unbound();
    }
}

class Bound {
    public void setName(String name) { }

    public void reset() { } // found unused-method
}

class Unbound {
    public void setName(String name) { } // found unused-method
}

@Builder
class Built {
    String name;
    String other;
}
