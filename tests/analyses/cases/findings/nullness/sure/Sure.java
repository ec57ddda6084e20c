package sure;

import java.util.List;

@interface ParametersAreNonnullByDefault {}

@interface ReturnValuesAreNonnullByDefault {}

@interface Nullable {}

/** Null for what the package excludes it for. */
public class Sure {
    Object kept;

    public void all(String a) {
        take(a);
        take(null); // found null-for-nonnull
        maybe(null);
        kept = null;
        System.out.println(found(List.of(a), a));
        System.out.println(new Given().given(a));
    }

    void take(String a) {
        System.out.println(a);
    }

    void maybe(@Nullable String a) {
        kept = a;
    }

    String found(List<String> all, String a) {
        return all.contains(a) ? a : null;
    }

    @ReturnValuesAreNonnullByDefault
    static class Given {
        String given(String a) {
            return a.isEmpty() ? null : a; // found null-for-nonnull
        }
    }
}
