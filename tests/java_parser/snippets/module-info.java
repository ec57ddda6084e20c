import java.util.List;

/** A module. */
@Deprecated
open module snippets.module {
    requires java.base;
    requires transitive static java.logging;
    exports a.b;
    exports a.c to x.y, z;
    opens a.d;
    opens a.e to x;
    uses a.Service;
    provides a.Service with a.b.Impl, a.b.Other;
}
