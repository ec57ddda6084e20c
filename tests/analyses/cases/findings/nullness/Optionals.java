import java.util.Optional;

/** Optional: null comes out only if it is put in. */
class Optionals {
    void all(Optional<String> some) {
        some.get().length();
        some.orElse("").length();
        some.orElse(null).length(); // found nullable-result
        String text = some.orElse(null);
        if (text != null) {
            text.length();
        }
        if (some.isPresent()) {
            some.get().length();
        }
    }
}
