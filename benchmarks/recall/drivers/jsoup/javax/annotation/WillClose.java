package javax.annotation;

/** Stands for the annotation of JSR 305, so that no jar is needed. */
public @interface WillClose {
}
