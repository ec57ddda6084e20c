package bookshop.events;

/** Something that happened in the shop. */
public interface Event {
    /** One line for people. */
    String describe();
}
