package bookshop.stock;

/** Says how many copies to order anew. */
public interface ReorderPolicy {
    /** Copies to order, 0 for none, when so many are left and so many were sold since the last order. */
    int copiesToOrder(int left, int sold);

    /** Fills up to a fixed number when few are left. */
    record FillUp(int few, int enough) implements ReorderPolicy {
        @Override
        public int copiesToOrder(int left, int sold) {
            return left < few ? enough - left : 0;
        }
    }

    /** Orders what was sold, a little more of what sells well. */
    class ByDemand implements ReorderPolicy {
        private final ReorderPolicy otherwise;
        private int highest;

        public ByDemand(ReorderPolicy otherwise) {
            this.otherwise = otherwise;
        }

        @Override
        public int copiesToOrder(int left, int sold) {
            if (sold == 0) {
                return otherwise.copiesToOrder(left, sold);
            }
            boolean record = sold > highest;
            highest = Math.max(highest, sold);
            int wanted = record ? sold + sold / 4 + 1 : sold;
            return Math.max(0, wanted - left);
        }
    }
}
