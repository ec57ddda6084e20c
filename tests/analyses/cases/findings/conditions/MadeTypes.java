package madetypes;

import com.google.auto.value.AutoValue;

/** Annotation processors and frameworks implement abstract types: what the classes return that are there says little. */
public class MadeTypes {
    public static void main(String[] args) {
        System.out.println(inTime(Settings.of(5)) + " " + inTime(Settings.none()));
        System.out.println(rows(args.length > 0 ? null : new NoRows()) + " " + edges(new Square()) + " " + sides(new Square()));
    }

    static boolean inTime(Settings settings) {
        long period = settings.period();
        if (period == 0) {
            return false;
        }
        return true;
    }

    static int rows(Table table) {
        if (table.count() == 0) {
            return -1;
        }
        return 1;
    }

    static int edges(Shape shape) {
        if (shape.edges() == 4) { // found constant-condition
            return 1;
        }
        return 2;
    }

    static int sides(Shape shape) {
        if (shape.sides() == 4) { // found constant-condition
            return 1;
        }
        return 2;
    }
}

@AutoValue
abstract class Settings {
    abstract long period();

    static Settings of(long period) {
        return new AutoValue_Settings(period);
    }

    static Settings none() {
        return new Settings() {
            @Override
            long period() {
                return 0;
            }
        };
    }
}

interface Table {
    @org.apache.ibatis.annotations.Select("SELECT COUNT(*) FROM t")
    int count();
}

class NoRows implements Table {
    @Override
    public int count() {
        return 0;
    }
}

/** Annotations that say nothing to anybody, and methods that have a body. */
abstract class Shape {
    @javax.annotation.Nonnegative
    abstract int edges();

    int sides() {
        return 4;
    }
}

class Square extends Shape {
    @Override
    int edges() {
        return 4;
    }
}
