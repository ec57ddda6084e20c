/** What is given one constant that is too large is wrong; what is given many means something by them. */
class Limits {
    public static void main(String[] args) {
        System.out.println(few(Integer.MAX_VALUE) + many(Integer.MAX_VALUE));
        System.out.println(many(Integer.MAX_VALUE - 1));
        System.out.println(many(Integer.MAX_VALUE) + many(Integer.MAX_VALUE));
    }

    static int few(int limit) {
        return limit + 8; // found integer-overflow
    }

    static int many(int limit) {
        return limit + 8;
    }
}
