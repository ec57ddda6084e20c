package loops;

// Objects that a loop makes are one object for each allocation; the first node of a list is told apart from the others.
class Node { Node next; Object value; }
class A { }
class B { }

class Loops {
    public static void main(String[] args) {
        Node head = new Node();
        Node tail = head;
        while (args.length > 0) {
            Node added = new Node();
            added.value = new A();
            tail.next = added;
            tail = added;
        }
        head.value = new B();
        Node second = head.next;            // second = {Node@13}
        Node third = second.next;           // third = {Node@13}
        Node last = tail;                   // last = {Node@10, Node@13}
        Object inner = second.value;        // inner = {A@14}
        Object outer = head.value;          // outer = {B@18}
        for (Node n = head; n != null; n = n.next) {
            Node each = n;                  // each = {Node@10, Node@13}
        }
    }
}
