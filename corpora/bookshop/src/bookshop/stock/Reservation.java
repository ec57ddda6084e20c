package bookshop.stock;

/** Copies that are promised, until they are taken or released. */
public interface Reservation {
    /** For what needs no copies. */
    Reservation NOTHING = new Reservation() {
        @Override
        public void take() {
        }

        @Override
        public void release() {
        }
    };

    void take();

    void release();
}
