package linked;

// Linked structures: nodes belong to the list whose method made them.
class A { }
class B { }
class Node { Object value; Node next; Node(Object value, Node next) { this.value = value; this.next = next; } }
class Stack {
    private Node top;
    void push(Object o) { top = new Node(o, top); }
    Object peek() { return top.value; }
    Object second() { return top.next.value; }
    Node head() { return top; }
}

class Linked {
    public static void main(String[] args) {
        Stack one = new Stack(), two = new Stack();
        one.push(new A());
        two.push(new B());
        two.push(new B());
        Object a = one.peek();              // a = {A@18} by 2-obj+heap, selective
        Object b = two.peek();              // b = {B@20} by none; Doop {B@19, B@20}
        Object c = two.second();            // c = {B@19} by none; Doop {B@19, B@20}
        Object d = one.head().value;        // d = {A@18} by 2-obj+heap, selective
    }
}
