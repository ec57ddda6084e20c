package numbers;

/** Arrays of arrays without elements, and what is stored into them. */
class Dimensions {
    private static final String[][] NONE = new String[0][0];
    private final int[][][] cube = new int[0][0][0];

    public static void main(String[] arguments) {
        try {
            System.out.println(new Dimensions().all() + stored());
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(missing());
        }
    }

    static int[][] none() {
        int[][] none = new int[0][2];
        return none;
    }

    static int[][] given() {
        return new int[0][0];
    }

    int all() {
        return NONE.length + cube.length + none().length + given().length;
    }

    static int missing() {
        int[][] none = new int[0][2];
        return none[0].length; // found index-out-of-bounds-always
    }

    static int stored() {
        int[][] none = new int[0][];
        none[0] = new int[2]; // found index-out-of-bounds-always
        return none.length;
    }
}
