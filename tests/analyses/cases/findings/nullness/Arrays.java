/** Arrays and their elements. */
class Arrays {
    void all(String[] args, boolean some) {
        int[] none = null;
        if (some) {
            none[0] = 1; // found null-dereference
        }
        int[] perhaps = some ? null : new int[1];
        System.out.println(perhaps.length); // found null-dereference-on-path
        String[] texts = new String[2];
        texts[0].length();
        texts[1] = null;
        texts[1].length(); // found null-dereference
        String[] list = some ? args : null;
        for (String each : list) { // found null-dereference-on-path
            each.length();
        }
    }
}
