"""Our parser against tree-sitter on one file: counts per kind in tree-sitter's own tree, then the whole shape.

The counts do not go through the conversion into our nodes, so what that might drop is missed by neither.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from javalang.parser import JavaSyntaxError

from ladder.frontends.java import tree, treesitter
from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.parse import decode, deep_recursion, parse_javalang
from ladder.frontends.java.visit import difference, verify, walk

SYNTAX_KINDS = {
    "method_invocation": "call",
    "object_creation_expression": "new",
    "explicit_constructor_invocation": "constructor call",
    "array_creation_expression": "new array",
    "array_initializer": "array initializer",
    "array_access": "array access",
    "lambda_expression": "lambda",
    "method_reference": "method reference",
    "class_literal": "class literal",
    "assignment_expression": "assignment",
    "binary_expression": "binary",
    "unary_expression": "unary",
    "update_expression": "update",
    "cast_expression": "cast",
    "ternary_expression": "conditional",
    "instanceof_expression": "instanceof",
    "decimal_integer_literal": "literal",
    "hex_integer_literal": "literal",
    "octal_integer_literal": "literal",
    "binary_integer_literal": "literal",
    "decimal_floating_point_literal": "literal",
    "hex_floating_point_literal": "literal",
    "character_literal": "literal",
    "string_literal": "literal",
    "true": "literal",
    "false": "literal",
    "null_literal": "literal",
    "block": "block",
    "constructor_body": "block",
    "expression_statement": "expression statement",
    "local_variable_declaration": "local variables",
    "resource": "resource",
    "variable_declarator": "declarator",
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "enhanced_for_statement": "for each",
    "labeled_statement": "labeled",
    "break_statement": "break",
    "continue_statement": "continue",
    "return_statement": "return",
    "throw_statement": "throw",
    "yield_statement": "yield",
    "assert_statement": "assert",
    "synchronized_statement": "synchronized",
    "try_statement": "try",
    "try_with_resources_statement": "try",
    "catch_clause": "catch",
    "switch_expression": "switch",
    "switch_label": "case",
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation type",
    "enum_constant": "enum constant",
    "field_declaration": "field",
    "constant_declaration": "field",
    "method_declaration": "method",
    "annotation_type_element_declaration": "method",
    "constructor_declaration": "constructor",
    "compact_constructor_declaration": "compact constructor",
    "static_initializer": "static initializer",
    "formal_parameter": "parameter",
    "spread_parameter": "parameter",
    "receiver_parameter": "parameter",
    "annotation": "annotation",
    "marker_annotation": "annotation",
    "type_parameter": "type parameter",
    "wildcard": "wildcard",
    "import_declaration": "import",
}
"""Kinds of tree-sitter's nodes → what both sides count."""

NODE_KINDS: dict[type[tree.Node], str] = {
    tree.MethodCall: "call",
    tree.New: "new",
    tree.ConstructorCall: "constructor call",
    tree.NewArray: "new array",
    tree.ArrayInitializer: "array initializer",
    tree.ArrayAccess: "array access",
    tree.Lambda: "lambda",
    tree.MethodReference: "method reference",
    tree.ClassLiteral: "class literal",
    tree.Assignment: "assignment",
    tree.Binary: "binary",
    tree.Unary: "unary",
    tree.Update: "update",
    tree.Cast: "cast",
    tree.Conditional: "conditional",
    tree.InstanceOf: "instanceof",
    tree.Literal: "literal",
    tree.Block: "block",
    tree.ExpressionStatement: "expression statement",
    tree.LocalVariables: "local variables",
    tree.VariableDeclarator: "declarator",
    tree.If: "if",
    tree.While: "while",
    tree.Do: "do",
    tree.For: "for",
    tree.ForEach: "for each",
    tree.Labeled: "labeled",
    tree.Break: "break",
    tree.Continue: "continue",
    tree.Return: "return",
    tree.Throw: "throw",
    tree.Yield: "yield",
    tree.Assert: "assert",
    tree.Synchronized: "synchronized",
    tree.Try: "try",
    tree.Catch: "catch",
    tree.Switch: "switch",
    tree.SwitchExpression: "switch",
    tree.SwitchCase: "case",
    tree.ClassDeclaration: "class",
    tree.InterfaceDeclaration: "interface",
    tree.EnumDeclaration: "enum",
    tree.RecordDeclaration: "record",
    tree.AnnotationDeclaration: "annotation type",
    tree.EnumConstant: "enum constant",
    tree.FieldDeclaration: "field",
    tree.MethodDeclaration: "method",
    tree.ConstructorDeclaration: "constructor",
    tree.CompactConstructorDeclaration: "compact constructor",
    tree.Parameter: "parameter",
    tree.ReceiverParameter: "parameter",
    tree.Annotation: "annotation",
    tree.TypeParameter: "type parameter",
    tree.Wildcard: "wildcard",
    tree.Import: "import",
}


SAME = "same"
NEITHER = "neither reads it"
ONLY_OURS = "only our parser reads it"


def compare(path: Path) -> str:
    """How our parser and tree-sitter compare on a file: one of the above, or what they disagree about."""
    source = SourceText(decode(path.read_bytes())[0])
    with deep_recursion():
        root = treesitter.parse_syntax(source, Budget())[2]
        try:
            ours = parse_javalang(source)
        except JavaSyntaxError as error:
            return NEITHER if root.has_error else f"refused: {error.at} {error.description}"
        verify(ours)
        if root.has_error:
            return ONLY_OURS
        mine, theirs = node_counts(ours), syntax_counts(root)
        if mine != theirs:
            return f"counts: {dict(mine - theirs)} only ours, {dict(theirs - mine)} only tree-sitter's"
        try:
            return difference(ours, treesitter.parse(source)) or SAME
        except JavaSyntaxError as error:
            return f"not converted: {error.at} {error.description}"


def syntax_counts(root: treesitter.Syntax) -> Counter[str]:
    """The counts of tree-sitter's tree."""
    counts: Counter[str] = Counter()
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node
        if node.is_named and node.type in SYNTAX_KINDS:
            counts[SYNTAX_KINDS[node.type]] += 1
            _adjust_syntax(node, counts)
        if not cursor.goto_first_child():
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return +counts


def _adjust_syntax(node: treesitter.Syntax, counts: Counter[str]) -> None:
    """Where tree-sitter cuts differently: a variadic parameter's declarator, a switch with a `;` as a statement, and
    the fields of a compact source file, which it takes for local variables."""
    if node.type == "local_variable_declaration" and node.parent is not None and node.parent.type == "program":
        counts["local variables"] -= 1
        counts["field"] += 1
    if node.type == "spread_parameter":
        counts["declarator"] -= 1
    if node.type == "expression_statement" and node.children[0].type == "switch_expression":
        counts["expression statement"] -= node.parent is None or node.parent.type != "switch_rule"


def node_counts(root: tree.Node) -> Counter[str]:
    """The counts of our tree, in tree-sitter's terms."""
    counts: Counter[str] = Counter()
    for node in walk(root):
        kind = NODE_KINDS.get(type(node))
        if kind:
            counts[kind] += 1
        if isinstance(node, tree.Try):
            resources = [resource for resource in node.resources if isinstance(resource, tree.LocalVariables)]
            counts["resource"] += len(node.resources)
            counts["local variables"] -= len(resources)
            counts["declarator"] -= len(resources)
        elif isinstance(node, tree.ForEach) or isinstance(node, tree.Parameter) and node.type is None:
            counts["parameter"] -= 1
        elif isinstance(node, tree.Initializer) and node.static:
            counts["static initializer"] += 1
        elif isinstance(node, tree.SwitchExpression):
            implicit = sum(case.arrow and isinstance(case.statements[0], tree.Yield) for case in node.cases)
            counts["yield"] -= implicit
            counts["expression statement"] += implicit
        elif isinstance(node, tree.CompilationUnit):
            counts["class"] -= node.compact
    return +counts
