import java.util.List;
import java.util.function.Consumer;

// Methods that a class inherits implement those of an interface that only the class has.
interface Holder<T extends Holder<T>> {
    Object get(String name, T start);
}

interface Node extends Holder<Node> {
    Object get(String name, Node start);
}

abstract class Owner<T extends Holder<T>> implements Holder<T> {
    public Object get(String name, T start) {
        return name;
    }
}

class Leaf extends Owner<Node> implements Node {}

class Twig extends Leaf {
    public Object get(String name, Node start) {
        return super.get(name, start);
    }
}

class Base {
    public void accept(String text) {}

    public void run() {}

    public int compareTo(Base other) {
        return 0;
    }

    public Integer one(String text) {
        return 1;
    }
}

interface Function1<A, B> {
    B one(A argument);
}

class Taker extends Base implements Consumer<String> {}

class Job extends Base implements Runnable {}

class Rank extends Base implements Comparable<Base> {}

class Counted extends Base implements Function1<String, Integer> {}

public class M {
    public static void main(String[] args) throws Exception {
        Node node = new Leaf();
        node.get("x", node);
        new Twig().get("x", node);
        Consumer<String> taker = new Taker();
        taker.accept("y");
        List.of("a").forEach(new Taker());
        Thread thread = new Thread(new Job());
        thread.start();
        thread.join();
        Comparable<Base> rank = new Rank();
        rank.compareTo(new Rank());
        Function1<String, Integer> counted = new Counted();
        counted.one("q");
    }
}
