/** Results that are unboxed where they are assigned, stored, or used as an index or a length. */
class Unboxed {
    int field;

    static Integer looked(int key) {
        return key > 2 ? Integer.valueOf(key) : null;
    }

    static int whole(int key) {
        Integer found = looked(key);
        return found == null ? 0 : found;
    }

    void all(int key, int[] numbers) {
        int number = looked(key); // found nullable-result
        long wide = looked(key); // found nullable-result
        int plain = whole(key);
        Integer boxed = looked(key);
        number = looked(key); // found nullable-result
        field = looked(key); // found nullable-result
        numbers[0] = looked(key); // found nullable-result
        numbers[looked(key)] = 1; // found nullable-result
        int[] more = {looked(key)}; // found nullable-result
        int[] sized = new int[looked(key)]; // found nullable-result
        Integer again = number;
        System.out.println(again.hashCode() + wide + plain + more.length + sized.length);
        System.out.println(boxed);
    }
}
