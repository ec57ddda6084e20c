package visitors;

// Visitors: one node accepts several visitors, and one visitor visits several nodes. What a visitor keeps is told apart by
// object; what `accept` returns is mixed up where the same node is visited, unless calls are told apart.
class A { }
class B { }
interface Visitor { Object leaf(Leaf leaf); Object pair(Pair pair); }
abstract class Tree { abstract Object accept(Visitor v); }
class Leaf extends Tree {
    Object value;
    Leaf(Object value) { this.value = value; }
    Object accept(Visitor v) { return v.leaf(this); }
}
class Pair extends Tree {
    Tree left, right;
    Pair(Tree left, Tree right) { this.left = left; this.right = right; }
    Object accept(Visitor v) { return v.pair(this); }
}
class Maker implements Visitor {
    public Object leaf(Leaf leaf) { return new A(); }
    public Object pair(Pair pair) { return new B(); }
}
class Collector implements Visitor {
    Object seen;
    public Object leaf(Leaf leaf) { seen = leaf.value; return seen; }
    public Object pair(Pair pair) { pair.left.accept(this); return pair.right.accept(this); }
}

class Visitors {
    public static void main(String[] args) {
        Leaf one = new Leaf(new A()), two = new Leaf(new B());
        Tree pair = new Pair(one, two);
        Maker maker = new Maker();
        Object a = pair.accept(maker);      // a = {B@21} by 1-call, 2-call, selective; Doop {A@31, B@21, B@31}
        Object b = one.accept(maker);       // b = {A@20} by 1-call, 2-call, selective; Doop {A@20, A@31, B@31}
        Collector all = new Collector(), first = new Collector();
        one.accept(first);
        pair.accept(all);
        Object c = first.seen;              // c = {A@31} by 1-obj, 2-call, 2-obj+heap
        Object d = all.seen;                // d = {B@31} by none; Doop {A@31, B@31}
    }
}
