import java.util.*;

/// A compact source file, in a comment as *Markdown*.
static final String GREETING = "Hello";
int count, other[] = {1, 2};

record Pair(String left, int right) { }

;

void main() {
    for (var pair : pairs()) print(pair.left() + pair.right());
}

@Deprecated
static <T> List<T> listed(T... elements) throws Error { return List.of(elements); }

List<Pair> pairs() { return listed(new Pair(GREETING, count), new Pair("", other[0])); }

void print(Object object) { IO.println(object); }

enum Level { LOW, HIGH }
