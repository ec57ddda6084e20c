package bookshop.catalogue;

/** One answer per form of title. */
public interface TitleVisitor<R> {
    R printed(PrintedBook book);

    R audio(AudioBook book);

    R electronic(ElectronicBook book);
}
