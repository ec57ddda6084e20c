package javax.annotation.meta;

import java.lang.annotation.ElementType;

/** Stands for the annotation of JSR 305, so that no jar is needed. */
public @interface TypeQualifierDefault {
    ElementType[] value();
}
