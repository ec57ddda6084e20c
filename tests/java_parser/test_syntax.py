"""Java 5 to 25, construct by construct; whole files of it are compared with tree-sitter's trees elsewhere."""

from __future__ import annotations

import pytest

from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.parse import JavaSyntaxError, UnreadableSource, parse, parse_javalang
from ladder.frontends.java.visit import dump
from tests.java_parser.reading import expression, members, statement, statements, unit

EXPRESSIONS = {
    "T[]::new": "(MethodReference T[] new)",
    "int[][]::clone": "(MethodReference int[][] clone)",
    "List<T>::new": "(MethodReference List<T> new)",
    "Map.Entry<K, V>::getKey": "(MethodReference Map.Entry<K,V> getKey)",
    "a.b::<T>c": "(MethodReference a.b [T] c)",
    "f()::g": "(MethodReference (MethodCall f) g)",
    "super::g": "(MethodReference (Super) g)",
    "Outer.super::g": "(MethodReference (Super Outer) g)",
    "(A & B<C>) x": "(Cast A&B<C> x)",
    "(A) x -> y": "(Cast A (Lambda [(Parameter x)] y))",
    "(A[]) (b)": "(Cast A[] b)",
    "(A) !b": "(Cast A (Unary ! b))",
    "(int) +b": "(Cast int (Unary + b))",
    "(a < b) + c": "(Binary + (Binary < a b) c)",
    "() -> { }": "(Lambda (Block))",
    "(var a, final int... b) -> c": "(Lambda [(Parameter (InferredType) a) (Parameter [final] int[] b varargs)] c)",
    "a ? b -> c : (d) -> e": "(Conditional a (Lambda [(Parameter b)] c) (Lambda [(Parameter d)] e))",
    "a instanceof B": "(InstanceOf a B)",
    "a instanceof B b && c": "(Binary && (InstanceOf a (TypePattern B b)) c)",
    "a instanceof final B<C>[] b": "(InstanceOf a (TypePattern [final] B<C>[] b))",
    "a instanceof B(var x, C(D y, _))": (
        "(InstanceOf a (RecordPattern B [(TypePattern (InferredType) x) (RecordPattern C [(TypePattern D y)"
        " (AnyPattern)])]))"
    ),
    "new A<>() { int x; }": "(New A<> (ClassBody [(FieldDeclaration int [(VariableDeclarator x)])]))",
    "new <T>A<T>.B(c)": "(New [T] A<T>.B [c])",
    "new int[a][b][]": "(NewArray int [a b] 3)",
    "new A[] {b, {c}}[0]": "(ArrayAccess (NewArray A 1 (ArrayInitializer [b (ArrayInitializer [c])])) 0)",
    "new int @X [a] @Y []": "(NewArray int [a] 2 [(Annotation X) (Annotation Y)])",
    "a >>>= b >> c >>> d": "(Assignment >>>= a (Binary >>> (Binary >> b c) d))",
    "a - b - c * d": "(Binary - (Binary - a b) (Binary * c d))",
    "a = b += c": "(Assignment = a (Assignment += b c))",
    "a ? b : c ? d : e": "(Conditional a b (Conditional c d e))",
    '"""\n  a""".length()': '(MethodCall """\n  a""" length)',
    "this.<A>f(b)": "(MethodCall (This) [A] f [b])",
    "a.b.c.d().e.f": "(FieldAccess (FieldAccess (MethodCall a.b.c d) e) f)",
    "(a.b).c": "(FieldAccess a.b c)",
    "void.class": "(ClassLiteral void)",
}

SWITCHES = {
    "switch (a) { case 1, B -> c; default -> throw d; }": (
        "(SwitchExpression a [(SwitchCase [1 B] arrow [(Yield c)]) (SwitchCase [(DefaultLabel)] arrow [(Throw d)])])"
    ),
    "switch (a) { case null, default -> { yield 1; } }": (
        "(SwitchExpression a [(SwitchCase [null (DefaultLabel)] arrow [(Block [(Yield 1)])])])"
    ),
    "switch (a) { case B b when (c) -> d; case E(F f) -> g; }": (
        "(SwitchExpression a [(SwitchCase [(TypePattern B b)] c arrow [(Yield d)])"
        " (SwitchCase [(RecordPattern E [(TypePattern F f)])] arrow [(Yield g)])])"
    ),
    "switch (a) { case B b when f(x -> y) -> (z) -> w; }": (
        "(SwitchExpression a [(SwitchCase [(TypePattern B b)] (MethodCall f [(Lambda [(Parameter x)] y)]) arrow"
        " [(Yield (Lambda [(Parameter z)] w))])])"
    ),
    "switch (a) { case (1) -> 2; case B -> 3; }": (
        "(SwitchExpression a [(SwitchCase [1] arrow [(Yield 2)]) (SwitchCase [B] arrow [(Yield 3)])])"
    ),
    "switch (a) { case 1: yield -b; case 2: switch (c) { case 3: yield (d); } default: yield e; }": (
        "(SwitchExpression a [(SwitchCase [1] [(Yield (Unary - b))]) (SwitchCase [2] [(Switch c [(SwitchCase [3]"
        " [(Yield d)])])]) (SwitchCase [(DefaultLabel)] [(Yield e)])])"
    ),
}

STATEMENTS = {
    "switch (a) { case 1 -> f(); case 2 -> { } }": (
        "(Switch a [(SwitchCase [1] arrow [(ExpressionStatement (MethodCall f))]) (SwitchCase [2] arrow [(Block)])])"
    ),
    "try (r; this.s; var t = u(); final T v = w) { }": (
        "(Try [r (FieldAccess (This) s) (LocalVariables (InferredType) [(VariableDeclarator t (MethodCall u))])"
        " (LocalVariables [final] T [(VariableDeclarator v w)])] (Block))"
    ),
    "for (var a : b) c();": "(ForEach (Parameter (InferredType) a) b (ExpressionStatement (MethodCall c)))",
    "for (final int a[] : b) ;": "(ForEach (Parameter [final] int[] a) b (Empty))",
    "for (int i = 0, j = 1; i < j; i++, --j) ;": (
        "(For [(LocalVariables int [(VariableDeclarator i 0) (VariableDeclarator j 1)])] (Binary < i j)"
        " [(Update ++ i) (Update -- prefix j)] (Empty))"
    ),
    "for (;;) break a;": "(For (Break a))",
    "record R(int a) { }": "(RecordDeclaration R [(Parameter int a)])",
    "enum E { A }": "(EnumDeclaration E [(EnumConstant A)])",
    "interface I { }": "(InterfaceDeclaration I)",
    "final class K { }": "(ClassDeclaration [final] K)",
    "var a = b;": "(LocalVariables (InferredType) [(VariableDeclarator a b)])",
    "a.b<c>[] d;": "(LocalVariables a.b<c>[] [(VariableDeclarator d)])",
    "int a[], b = 1;": "(LocalVariables int [(VariableDeclarator a 1) (VariableDeclarator b 1)])",
    "a: b: c();": "(Labeled a (Labeled b (ExpressionStatement (MethodCall c))))",
    "yield(1);": "(ExpressionStatement (MethodCall yield [1]))",
    "record(1);": "(ExpressionStatement (MethodCall record [1]))",
    "sealed.non();": "(ExpressionStatement (MethodCall sealed non))",
    "synchronized (a) { }": "(Synchronized a (Block))",
    "assert a : b;": "(Assert a b)",
    "do a(); while (b);": "(Do (ExpressionStatement (MethodCall a)) b)",
}

MEMBERS = {
    "C() { this(1); }": "(ConstructorDeclaration C (Block [(ConstructorCall this [1])]))",
    "C(D d) { d.super(); }": "(ConstructorDeclaration C [(Parameter D d)] (Block [(ConstructorCall d super)]))",
    "<T> C() { <T>super(); }": ("(ConstructorDeclaration [(TypeParameter T)] C (Block [(ConstructorCall [T] super)]))"),
    "void f(@A C this, int x) { }": (
        "(MethodDeclaration void f (ReceiverParameter [(Annotation A)] C) [(Parameter int x)] (Block))"
    ),
    "int f(int a[], int... b)[] throws @A E;": (
        "(MethodDeclaration int[] f [(Parameter int[] a) (Parameter int[] b varargs)] [@A E])"
    ),
    "<T extends A & B<T>> @X T f();": ("(MethodDeclaration [(TypeParameter T [A B<T>])] @X T f)"),
    "private static int f() default {1, @A(b = 2)};": (
        "(MethodDeclaration [private static] int f (AnnotationArray [1 (Annotation A [(AnnotationElement b 2)])]))"
    ),
    "@A(1) @B() int a @X [], b;": (
        "(FieldDeclaration [(Annotation A [(AnnotationElement value 1)]) (Annotation B)] int"
        " [(VariableDeclarator a 1) (VariableDeclarator b)])"
    ),
    "java.util.Map<? super @X A, ?>.@Y Entry<int[]> a;": (
        "(FieldDeclaration java.util.Map<? super @X A,?>.@Y Entry<int[]> [(VariableDeclarator a)])"
    ),
    "record R<T>(@A T t, int... n) implements I { R { } static int x; }": (
        "(RecordDeclaration R [(TypeParameter T)] [(CompactConstructorDeclaration R (Block)) (FieldDeclaration [static]"
        " int [(VariableDeclarator x)])] [(Parameter [(Annotation A)] T t) (Parameter int[] n varargs)] [I])"
    ),
    "sealed interface S extends A, B permits D, E.F { }": "(InterfaceDeclaration [sealed] S [A B] [D E.F])",
    "non-sealed static class D implements S { }": "(ClassDeclaration [non-sealed static] D [S])",
    "enum E implements I { @A X(1) { }, Y, ; E(int... i) { } }": (
        "(EnumDeclaration E [(ConstructorDeclaration E [(Parameter int[] i varargs)] (Block))] [I] [(EnumConstant"
        " [(Annotation A)] X [1] (ClassBody)) (EnumConstant Y)])"
    ),
    "@interface A { int v() default 1; int X = 2; }": (
        "(AnnotationDeclaration A [(MethodDeclaration int v 1) (FieldDeclaration int [(VariableDeclarator X 2)])])"
    ),
}


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expression(source: str) -> None:
    assert expression(source) == EXPRESSIONS[source]


@pytest.mark.parametrize("source", SWITCHES)
def test_switch_expression(source: str) -> None:
    assert expression(source) == SWITCHES[source]


@pytest.mark.parametrize("source", STATEMENTS)
def test_statement(source: str) -> None:
    assert statement(source) == STATEMENTS[source]


@pytest.mark.parametrize("source", MEMBERS)
def test_member(source: str) -> None:
    assert members(source) == [MEMBERS[source]]


def test_contextual_keywords_are_names_elsewhere() -> None:
    names = ["record", "sealed", "permits", "yield", "var", "when", "module", "open", "with", "to", "non"]
    assert statements("".join(f"{name} = {name} - sealed;" for name in names)) == [
        f"(ExpressionStatement (Assignment = {name} (Binary - {name} sealed)))" for name in names
    ]


def test_module() -> None:
    module = unit(
        "@A open module a.b { requires transitive static c.d; requires transitive; exports e to f, g.h; opens i;"
        " uses j.K; provides l.M with n.O, P; }"
    ).module
    assert module and dump(module) == (
        "(ModuleDeclaration [(Annotation A)] open a.b [(ModuleDirective requires [transitive static] c.d)"
        " (ModuleDirective requires transitive) (ModuleDirective exports e [f g.h]) (ModuleDirective opens i)"
        " (ModuleDirective uses j.K) (ModuleDirective provides l.M [n.O P])])"
    )


def test_imports_of_modules() -> None:
    imports = unit(
        "import module a.b; import module; import module.c; import module.*; import static module.d;"
    ).imports
    assert [(found.name, found.module, found.wildcard, found.static) for found in imports] == [
        ("a.b", True, False, False),
        ("module", False, False, False),
        ("module.c", False, False, False),
        ("module", False, True, False),
        ("module.d", False, False, True),
    ]


def test_compact_source_files() -> None:
    tree = unit("import a.B; int x; void main() { } ; record R() { } static <T> T[] f(T... y)[] { return null; }")
    (declared,) = tree.types
    assert tree.compact and [dump(member).split()[0] for member in declared.members] == [
        "(FieldDeclaration",
        "(MethodDeclaration",
        "(RecordDeclaration",
        "(MethodDeclaration",
    ]
    assert declared.modifiers == ["final"] and not unit("class C { void main() { } }").compact


def test_the_class_of_a_compact_source_file_is_named_after_its_tokens() -> None:
    names = [
        unit(source).types[0].name
        for source in (
            "void main() { }",
            "/// Starts.\nvoid  main(){}",
            "void main() { f(); }",
            "int x; void main() { }",
        )
    ]
    assert names[0] == names[1] and len(set(names)) == 3
    assert all(name.startswith("compact_") for name in names)


def test_statements_before_a_constructor_call() -> None:
    assert members("C(int y) { if (y < 0) throw e; this.x = y; super(y); f(); }") == [
        (
            "(ConstructorDeclaration C [(Parameter int y)] (Block [(If (Binary < y 0) (Throw e))"
            " (ExpressionStatement (Assignment = (FieldAccess (This) x) y)) (ConstructorCall super [y])"
            " (ExpressionStatement (MethodCall f))]))"
        )
    ]


def test_empty_declarations_leave_no_node() -> None:
    tree = unit("package a;; import b;; ; class C { ; int x; ; } ;")
    assert [len(tree.imports), len(tree.types), len(tree.types[0].members)] == [1, 1, 1]
    assert unit("").types == unit("// nothing\n").types == unit("\x1a").types == []


REFUSED = {
    "class C { void f() { int x = ; } }": (1, 30),
    "class C { void f() { g(1,); } }": (1, 26),
    "class C { void f() { new int[][1]; } }": (1, 32),
    "class C { void f() { try { } } }": (1, 30),
    "class C { void f() { x = a.super(); } }": (1, 28),
    "class C { void f() { ": (1, 22),
    "class C {\n  enum": (2, 7),
    "class C { int f(int a,) { } }": (1, 23),
    'class C { String s = "a\n"; }': (1, 22),
    "class C { /* }": (1, 11),
    "class C { char c = ''; }": (1, 20),
    "class C { int # = 1; }": (1, 15),
    "int x;": (1, 1),
    "class C { void x; }": (1, 17),
    "package p; void main() { }": (1, 12),
    "void main() { } { f(); }": (1, 17),
    "void main() { } Main() { }": (1, 17),
    "void main() { } f();": (1, 17),
    'class C { String s = STR."\\{x}"; }': (1, 26),
    "class C { void f() { for (R(var x) : rs) { } } }": (1, 33),
    "import module a.*;": (1, 16),
    "import static module a;": (1, 22),
    "module a { wants b; }": (1, 12),
    "import a.*": (1, 11),
}


@pytest.mark.parametrize("source", REFUSED)
def test_refused_with_its_place(source: str) -> None:
    with pytest.raises(JavaSyntaxError) as caught:
        parse_javalang(SourceText(source))
    assert caught.value.at == REFUSED[source]


def test_a_file_of_which_nothing_is_kept_is_refused_with_its_place() -> None:
    with pytest.raises(UnreadableSource) as caught:
        parse(b"import a.*")
    last = caught.value.diagnostics[-1]
    assert (last.kind, last.line, last.column) == ("syntax", 1, 11)
    assert str(caught.value).startswith("line 1, column 11: ")
