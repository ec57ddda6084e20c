package lists;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;

// Collections of the library: each has contents of its own. A list hands out each of its elements; keys of a map are told
// apart from values. Doop and Tai-e analyse the code of the library: iterators of maps are made by views of them, which
// is one allocation too far for two of them in a context.
class A { }
class B { }

class Lists {
    public static void main(String[] args) {
        List<Object> one = new ArrayList<>(), two = new ArrayList<>();
        one.add(new A());
        two.add(new B());
        Object a = one.get(0);              // a = {A@21}
        Object b = two.get(0);              // b = {B@22}
        for (Object o : one) {
            Object c = o;                   // c = {A@21}
        }
        Iterator<Object> i = two.iterator();
        Object d = i.next();                // d = {B@22}
        List<Object> linked = new LinkedList<>();
        linked.add(new A());
        linked.add(new B());
        Object e = linked.get(0);           // e = {A@31} by none; Doop {A@31, B@32}
        List<Object> copy = new ArrayList<>(one);
        Object f = copy.get(0);             // f = {A@21}
    }
}

class Sets {
    public static void main(String[] args) {
        Set<Object> one = new HashSet<>(), two = new HashSet<>();
        one.add(new A());
        two.add(new B());
        for (Object o : one) {
            Object a = o;                   // a = {A@42}; Doop {A@42, B@43}
        }
        for (Object o : two) {
            Object b = o;                   // b = {B@43}; Doop {A@42, B@43}
        }
    }
}

class Maps {
    public static void main(String[] args) {
        Map<Object, Object> one = new HashMap<>(), two = new HashMap<>();
        one.put(new A(), new B());
        two.put(new B(), new A());
        Object a = one.get(args);           // a = {B@56}
        Object b = two.get(args);           // b = {A@57}
        for (Object k : one.keySet()) {
            Object c = k;                   // c = {A@56}; Doop {A@56, B@57}
        }
        for (Map.Entry<Object, Object> e : two.entrySet()) {
            Object d = e.getValue();        // d = {A@57}; Doop {A@57, B@56}
        }
    }
}
