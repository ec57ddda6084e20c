package plain;

/** An annotation of the first class of a file, which is no annotation of its package. */
@NullMarked
class First {
    void take(String a) {
        System.out.println(a);
    }
}
