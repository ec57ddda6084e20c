class Expressions {
  static int total = 1; long big; int[] cells; String text;
  void assign(int i, byte b, Integer boxed) {
    i = i++ + ++i;
    int kept = i + (i = 2);
    b += 1; b <<= i; i -= big; boxed++; big *= 2; total++;
    cells[i++] += 5;
    cells[0] = -2147483648;
    text += i; text = text + 'c' + 1L + 1.5f + true + null;
    this.cells = new int[] {1, -2, i, kept};
    int[][] grid = {{1}, {i, 2}, null};
    int[][][] cube = new int[2][i][];
    boolean flag = i < 3 && b != 1, not = !flag, and = flag & not;
    Object o = (Object) int[].class;
    long shifted = ~i >>> 3, negative = -big, conditional = flag ? 1 : big;
    a.b.c = a.b.C.d.e;
    unknown = this.inherited + super.inherited + cells.length + java.util.Collections.EMPTY_LIST;
  }
  boolean test(Object o) { return o instanceof Comparable<?> c && c != null ^ o instanceof String; }
}
