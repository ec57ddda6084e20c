"""Random Java programs: syntactically right, mostly without meaning, with all constructs up to Java 21 in
all places."""

from __future__ import annotations

from random import Random

NAMES = ["a", "b", "c", "A", "B", "C", "x1", "record", "var", "yield", "sealed", "module", "é", "$", "when", "T"]
PRIMITIVES = ["int", "long", "boolean", "char", "double", "byte", "float", "short"]
LITERALS = [
    "0",
    "1",
    "0x1F",
    "017",
    "0b1",
    "1L",
    "1.5",
    "2e3f",
    "'a'",
    "'\\n'",
    '"s"',
    '"\\u0041"',
    '"""\n  t\n  """',
    "null",
    "true",
    "2147483648",
    "-1",
    "1_000",
]
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^", "&&", "||", "==", "!=", "<", ">", "<=", ">="]
ASSIGNMENT = ["=", "+=", ">>>=", "|="]
MODIFIERS = [
    "public",
    "static",
    "final",
    "private",
    "abstract",
    "synchronized",
    "transient",
    "@A",
    "@A(1)",
    "@A({1, 2})",
    "@A(x = @B)",
]


def program(random: Random) -> bytes:
    """The bytes of a file."""
    return Programs(random).unit().encode()


class Programs:
    """One production per kind of construct; `left` is how many more may be nested."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.left = random.choice((3, 10, 40, 100))

    def any(self, *choices: str) -> str:
        return self.random.choice(choices)

    def some(self, most: int) -> range:
        return range(self.random.randint(0, most))

    def maybe(self, text: str, share: float = 0.3) -> str:
        return text if self.random.random() < share else ""

    def deeper(self) -> bool:
        """Whether one more may be nested; takes it off."""
        self.left -= 1
        return self.left > 0

    def name(self) -> str:
        return self.random.choice(NAMES[:7]) if self.random.random() < 0.9 else self.random.choice(NAMES)

    def dotted(self) -> str:
        return ".".join(self.name() for _ in range(self.random.choice((1, 1, 2, 3))))

    def unit(self) -> str:
        if self.random.random() < 0.03:
            return (
                f"open module {self.dotted()} {{ requires static {self.dotted()}; exports a to b, c; "
                f"provides A with B; }}"
            )
        head = self.maybe(f"package {self.dotted()};") + "".join(
            f"import {self.maybe('static ')}{self.dotted()}.{self.any('*', 'A')};" for _ in self.some(2)
        )
        return head + "\n".join(self.type_declaration() for _ in range(self.random.choice((0, 1, 1, 2))))

    # Types

    def type(self) -> str:
        if not self.deeper() or self.random.random() < 0.4:
            base = self.any(*PRIMITIVES, *NAMES[:7])
        else:
            arguments = ", ".join(
                self.any(self.reference(), "?", f"? extends {self.reference()}", f"? super {self.reference()}")
                for _ in range(self.random.randint(1, 2))
            )
            base = self.any(
                self.dotted(),
                f"{self.name()}<{arguments}>",
                f"{self.name()}<{arguments}>.{self.name()}",
                f"@A {self.name()}",
            )
        return base + self.maybe(self.any("[]", "[][]", " @A []"), 0.15)

    def reference(self) -> str:
        found = self.type()
        return found if found not in PRIMITIVES else self.name()

    def parameters(self, typed: bool = True) -> str:
        return ", ".join(
            f"{self.maybe('final ')}{self.type()}{self.maybe('...', 0.05)} {self.name()}" for _ in self.some(2)
        )

    def type_declaration(self) -> str:
        head = " ".join(self.random.sample(MODIFIERS, self.random.choice((0, 0, 1, 2))))
        generic = self.maybe(f"<{self.name()} extends {self.reference()}{self.maybe(' & A')}>")
        body = " ".join(self.member() for _ in self.some(4))
        name = self.name()
        return f"{head} " + self.any(
            f"class {name}{generic} "
            f"{self.maybe(f'extends {self.reference()} ')}{self.maybe(f'implements {self.reference()} ')}{{ {body} }}",
            f"class {name}{generic} {{ {body} }}",
            f"interface {name}{generic} {self.maybe(f'extends {self.reference()} ')}{{ {body} }}",
            f"enum {name} {{ {self.constants()}; {body} }}",
            f"record {name}{generic}({self.parameters()}) {{ {body} {self.maybe(name + ' { }')} }}",
            f"@interface {name} {{ int a() default {self.expression()}; A b() default @A(1); }}",
            f"sealed interface {name} permits A, B {{ }}",
        )

    def constants(self) -> str:
        return ", ".join(
            self.name() + self.maybe(f"({self.arguments()})") + self.maybe(f"{{ {self.member()} }}", 0.2)
            for _ in self.some(3)
        )

    def member(self) -> str:
        if not self.deeper():
            return self.any("int a;", ";", "void a() { }")
        head = " ".join(self.random.sample(MODIFIERS, self.random.choice((0, 0, 1, 2)))) + " "
        generic = self.maybe(f"<{self.name()} extends {self.reference()}> ", 0.1)
        throws = self.maybe(f" throws {self.reference()}", 0.1)
        return self.any(
            f"{head}{self.type()} {self.name()}{self.maybe(f' = {self.initializer()}')};",
            f"{head}{generic}{self.any(self.type(), 'void')} {self.name()}({self.parameters()}){throws} {self.block()}",
            f"{head}{generic}{self.any(self.type(), 'void')} {self.name()}({self.parameters()}){throws} {self.block()}",
            f"{head}{self.type()} {self.name()}({self.parameters()});",
            f"{head}{self.name()}({self.parameters()}) {{ {self.any('super', 'this')}({self.arguments()}); "
            f"{self.statement()} }}",
            f"{self.maybe('static ')}{self.block()}",
            self.type_declaration(),
            f"void {self.name()}(A this, int b) {{ }}",
        )

    # Statements

    def block(self) -> str:
        return f"{{ {' '.join(self.statement() for _ in self.some(4))} }}"

    def statement(self) -> str:
        if not self.deeper():
            return self.any(";", "a();", "return;", "b = 1;", "int c;")
        label = self.name()
        return self.any(
            f"{self.expression()};" if self.random.random() < 0.2 else f"{self.call()};",
            f"{self.assignable()} {self.any(*ASSIGNMENT)} {self.expression()};",
            f"{self.maybe('final ')}{self.any(self.type(), 'var')} {self.name()} = {self.initializer()};",
            f"{self.type()} {self.name()}[] = {{ {self.arguments()} }}, {self.name()};",
            f"if ({self.expression()}) {self.statement()}{self.maybe(f' else {self.statement()}')}",
            f"while ({self.expression()}) {self.statement()}",
            f"do {self.statement()} while ({self.expression()});",
            f"for ({self.any('', 'int a = 0', 'a = 0, b()')}; {self.maybe(self.expression())}; "
            f"{self.maybe('a++, b()')}) {self.statement()}",
            f"for ({self.any(self.type(), 'var')} {self.name()} : {self.expression()}) {self.statement()}",
            f"{label}: {self.statement()}",
            f"{self.any('break', 'continue')}{self.maybe(' ' + label)};",
            f"return {self.expression()};",
            f"throw {self.expression()};",
            f"yield {self.expression()};",
            f"assert {self.expression()}{self.maybe(' : ' + self.expression())};",
            f"synchronized ({self.expression()}) {self.block()}",
            f"try {self.maybe(f'({self.type()} {self.name()} = {self.expression()}; {self.name()}) ')}{self.block()} "
            f"{self.any(f'catch ({self.reference()} | A {self.name()}) {self.block()}', f'finally {self.block()}')}",
            f"try {self.block()} catch (A {self.name()}) {self.block()} finally {self.block()}",
            f"switch ({self.expression()}) {{ {self.cases()} }}",
            self.block(),
            self.type_declaration(),
        )

    def cases(self) -> str:
        label = self.any(
            f"case {self.any(*LITERALS)}",
            f"case {self.name()}, {self.name()}",
            "default",
            "case null, default",
            f"case {self.pattern()}{self.maybe(' when ' + self.expression())}",
        )
        if self.random.random() < 0.5:
            return " ".join(f"{label} -> {self.any(f'{self.call()};', self.block(), 'throw a;')}" for _ in self.some(2))
        return " ".join(f"{label}: {self.statement()} {self.maybe('break;')}" for _ in self.some(2))

    def pattern(self) -> str:
        if not self.deeper() or self.random.random() < 0.6:
            return f"{self.maybe('final ', 0.1)}{self.reference()} {self.name()}"
        return f"{self.name()}({', '.join(self.any(self.pattern(), 'var a', 'int b', '_') for _ in self.some(2))})"

    # Expressions

    def initializer(self) -> str:
        return self.expression() if self.random.random() < 0.85 else f"{{ {self.arguments()}{self.maybe(',')} }}"

    def arguments(self) -> str:
        return ", ".join(self.expression() for _ in self.some(3))

    def call(self) -> str:
        return self.any(
            f"{self.dotted()}({self.arguments()})",
            f"{self.primary()}.{self.name()}({self.arguments()})",
            f"this.<{self.reference()}>{self.name()}({self.arguments()})",
            f"super.{self.name()}({self.arguments()})",
            f"new {self.name()}({self.arguments()})",
            f"{self.assignable()}++",
            f"--{self.assignable()}",
        )

    def assignable(self) -> str:
        return self.any(self.dotted(), self.dotted(), f"this.{self.name()}", f"{self.dotted()}[{self.expression()}]")

    def primary(self) -> str:
        if not self.deeper():
            return self.any("a", "this", '"s"')
        return self.any(
            self.dotted(),
            self.any(*LITERALS),
            "this",
            f"({self.expression()})",
            f"{self.name()}.this",
            f"{self.type()}.class",
            f"{self.dotted()}[{self.expression()}]",
            self.call(),
            f"new {self.name()}{self.any('', '<>')}({self.arguments()})",
            f"new {self.name()}({self.arguments()}) {{ {self.member()} }}",
            f"new int[{self.expression()}][]",
            f"new {self.name()}[] {{ {self.arguments()} }}",
            f"{self.primary()}.new {self.name()}()",
        )

    def expression(self) -> str:
        if not self.deeper():
            return self.any("a", "b", *LITERALS)
        return self.any(
            self.primary(),
            self.primary(),
            self.dotted(),
            self.any(*LITERALS),
            f"{self.expression()} {self.any(*BINARY)} {self.expression()}",
            f"{self.expression()} {self.any(*BINARY)} {self.expression()}",
            f"{self.any('!', '-', '~', '+ ', '++', '--')}{self.primary()}",
            f"({self.type()}) {self.primary()}",
            f"(A & B) {self.primary()}",
            f"{self.expression()} ? {self.expression()} : {self.expression()}",
            f"{self.primary()} instanceof {self.any(self.reference(), self.pattern())}",
            f"({self.assignable()} {self.any(*ASSIGNMENT)} {self.expression()})",
            f"({self.lambda_()})",
            f"{self.any(self.dotted(), self.type())}::{self.any('new', self.name())}",
            f"switch ({self.expression()}) {{ {self.cases()} default -> {self.expression()}; }}",
        )

    def lambda_(self) -> str:
        head = self.any(f"{self.name()}", f"({self.name()}, b)", f"({self.parameters()})", "()", "(var a)")
        return f"{head} -> {self.any(self.expression(), self.block())}"
