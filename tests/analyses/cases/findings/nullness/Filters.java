import java.util.List;

/** Lambdas that a filter stands before, or a check of what cannot change. */
class Filters {
    final @Nullable Item fixed;
    @Nullable Item loose;

    Filters(Item item) {
        fixed = item;
        loose = item;
    }

    void all(List<Filters> some) {
        some.stream().filter(f -> f.loose != null).map(f -> f.loose.name()).forEach(System.out::println);
        some.stream().filter(f -> f.found() != null).sorted().forEach(f -> f.found().name());
        some.stream().filter(f -> f.found() != null && f.loose == null).forEach(f -> f.found().name());
        some.stream().map(f -> f.loose.name()).forEach(System.out::println); // found nullable-annotated
        some.stream().filter(f -> f.found() == null).forEach(f -> f.found().name()); // found nullable-result
        some.stream().filter(f -> f.fixed != null).forEach(f -> f.loose.name()); // found nullable-annotated
        some.stream().filter(f -> f.loose != null).map(Filters::next).forEach(f -> f.loose.name()); // found nullable-annotated
        if (fixed != null) {
            some.forEach(f -> System.out.println(fixed.name()));
        }
        some.forEach(f -> System.out.println(fixed.name())); // found nullable-annotated
        if (loose != null) {
            some.forEach(f -> System.out.println(loose.name())); // found nullable-annotated
        }
    }

    Filters next() {
        return this;
    }

    @Nullable
    Item found() {
        return loose;
    }
}
