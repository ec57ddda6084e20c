package snippets.annotations;

class TypeAnnotations<@A T extends @B Object & @C Comparable<@D T>> extends @E Base<@F String> implements @G I {
    @A java.util.@B List<@C ? extends @D Object> field;
    @A int @B [] @C [] array = new @D int @E [3] @F [];
    <U> @A U generic(@B TypeAnnotations<T> this, @A final U u) throws @C Exception { return (@D U) u; }
    Object made = new @A Outer.@B Nested<@C String>();
    boolean b = o instanceof @A String s && o instanceof @B String;
    void receiver(@A(1) TypeAnnotations this, int x) { }
    class Inner { Inner(TypeAnnotations TypeAnnotations.this) { } }
}
