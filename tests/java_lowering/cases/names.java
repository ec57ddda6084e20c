import java.util.*;
class Names extends Parent {
  Names next; String[] words; List<String> list; static Names head;
  void m(Names p, int[] numbers) {
    p.next.next = head.next;
    Names.head = p; System.out.println(inherited); next.m(head, Names.head.words.length);
    field.other.call(list.size()); pkg.Type.call();
    for (int n : numbers) numbers = null;
    for (String w : words) w.trim();
    for (String w : list) list = null;
    for (Object o : inherited) o.wait();
    { class head { } head h = new head(); head.next(); }
    head h; Names.<String>generic("a");
    p.<Integer, List<? super Names>>generic(p, p = null);
  }
}
