"""The bytes of one Java file → its facts: parse, lower, and write rows of the schema's relations."""

from __future__ import annotations

from collections import defaultdict

from ladder.frontends.java import ir, lombok, schema
from ladder.frontends.java.instruction_facts import body_rows
from ladder.frontends.java.limits import Budget, LimitReached, OutOfTime
from ladder.frontends.java.lower import lower
from ladder.frontends.java.lower.dispatch import Unlowerable
from ladder.frontends.java.parse import Diagnostic, UnreadableSource, deep_recursion, parse
from ladder.frontends.protocol import FileFacts, Note, Row

Rows = dict[str, list[Row]]


def facts_of(data: bytes, page: str = "") -> FileFacts:
    """Return the facts of a file, or of the page (JSP) with the path `page`, or diagnostics alone if it cannot be read.
    Never raises on bad input."""
    lines = data.splitlines()
    counts = len(lines), sum(1 for line in lines if line.strip())
    notes: tuple[Note, ...] = ()
    budget = Budget(len(data))
    try:
        parsed = parse(data, budget, page)
        notes = _notes(parsed.diagnostics)
        with deep_recursion():
            lombok.expand(parsed.unit, budget)
            unit = lower(parsed.unit, budget)
            budget.check_time()
            relations = rows_of(unit)
    except UnreadableSource as error:
        return FileFacts("", (), "none", *counts, {}, _notes(error.diagnostics))
    except (LimitReached, Unlowerable) as error:
        kind = "limit" if isinstance(error, LimitReached) else "lowering"
        return FileFacts(
            "",
            (),
            "none",
            *counts,
            {},
            (*notes, (*error.at, kind, error.description)),
            not isinstance(error, OutOfTime),
        )
    except (MemoryError, TimeoutError):  # of the machine, not of the file
        raise
    except Exception as error:  # noqa: BLE001 (one odd file must not end the analysis of the others)
        failure = (*budget.at, "lowering", f"{type(error).__name__}: {error}")
        return FileFacts("", (), "none", *counts, {}, (*notes, failure))
    types = tuple(declaration.id for declaration in unit.types if declaration.place[0] == "top")
    return FileFacts(unit.id, types, parsed.parser, *counts, relations, notes)


def _notes(diagnostics: tuple[Diagnostic, ...]) -> tuple[Note, ...]:
    return tuple((note.line, note.column, note.kind, note.message) for note in diagnostics)


def rows_of(unit: ir.Unit) -> dict[str, list[Row]]:
    """Return the rows of a lowered file by relation, sorted, and checked against the schema."""
    rows: Rows = defaultdict(list)
    _unit_rows(unit, rows)
    for declaration in unit.types:
        _type_rows(declaration, unit.id, rows)
        for member in declaration.fields:
            _field_rows(member, declaration, rows)
        for method in declaration.methods:
            _method_rows(method, rows)
    for annotation in unit.annotations:
        _annotation_rows(annotation, rows)
    for type_, element in unit.defaults:
        rows["AnnotationElement"].append(_element_row(type_, element))
    result = {}
    for name in sorted(name for name, found in rows.items() if found):
        schema.check(name, rows[name])
        result[name] = sorted(set(rows[name]))
    return result


def _unit_rows(unit: ir.Unit, rows: Rows) -> None:
    rows["Unit"].append((unit.id, unit.package))
    rows["Scope"].extend(unit.scopes)
    for entry in unit.imports:
        if entry.kind == "type":
            rows["SingleTypeImport"].append((unit.id, entry.name, entry.use))
        elif entry.kind == "package":
            rows["OnDemandImport"].append((unit.id, entry.text, entry.use))
        elif entry.kind == "static":
            rows["StaticImport"].append((unit.id, entry.use, entry.name))
        else:
            rows["StaticOnDemandImport"].append((unit.id, entry.use))
    rows["ModuleImport"].extend((unit.id, module) for module in unit.modules)
    rows["ModuleExport"].extend((unit.id, *export) for export in unit.exports)
    rows["ModuleReads"].extend((unit.id, *read) for read in unit.reads)
    rows["ModuleProvides"].extend((unit.id, *provided) for provided in unit.provides)
    for use in unit.uses:
        _use_rows(use, rows)
    rows["Position"].extend((use, line, column) for use, (line, column) in unit.use_positions.items())


def _use_rows(use: ir.TypeUse, rows: Rows) -> None:
    rows["TypeUseText"].append((use.id, use.text))
    if isinstance(use, ir.SimpleUse):
        rows["SimpleTypeUse"].append((use.id, use.scope, use.name))
    elif isinstance(use, ir.QualifiedUse):
        rows["QualifiedTypeUse"].append((use.id, use.qualifier, use.qualifier_text, use.name))
    elif isinstance(use, ir.ArrayUse):
        rows["ArrayTypeUse"].append((use.id, use.component))
    elif isinstance(use, ir.BinaryUse):
        rows["BinaryTypeUse"].append((use.id, use.type))
    elif isinstance(use, ir.KnownUse):
        rows["KnownTypeUse"].append((use.id, use.type))
    else:
        rows["ParameterizedTypeUse"].append((use.id, use.erasure))
        for index, (wildcard, argument) in enumerate(use.arguments):
            rows["TypeArgument"].append((use.id, index, wildcard, argument))


def _type_rows(declaration: ir.TypeDeclaration, unit: str, rows: Rows) -> None:
    id = declaration.id
    rows["Type"].append((id, declaration.kind, declaration.name, unit))
    rows["Scope"].append((id, declaration.scope_parent))
    rows["Position"].append((id, *declaration.position))
    _place_rows(declaration, rows)
    for depth, enclosing in enumerate(declaration.lexical):
        rows["LexicalType"].append((id, depth, enclosing))
    rows["Type_Modifier"].extend((id, modifier) for modifier in declaration.modifiers)
    _type_parameter_rows(id, declaration.type_parameters, rows)
    if declaration.superclass is not None:
        rows["DirectSuperclass"].append((id, declaration.superclass))
    rows["DirectSuperinterface"].extend((id, use) for use in declaration.superinterfaces)
    if declaration.this_field is not None:
        rows["InnerType"].append((id, declaration.this_field))


def _place_rows(declaration: ir.TypeDeclaration, rows: Rows) -> None:
    id, (kind, where) = declaration.id, declaration.place
    if kind == "top":
        rows["TopLevelType"].append((id, where, declaration.name))
    elif kind == "member":
        rows["MemberType"].append((id, where, declaration.name))
    elif kind == "local":
        rows["LocalType"].append((id, where, declaration.name))
    else:
        assert declaration.supertype is not None
        rows["AnonymousType"].append((id, where, declaration.supertype))
    if declaration.canonical is not None:
        rows["TypeCanonicalName"].append((id, declaration.canonical))
    if declaration.outer is not None:
        rows["EnclosingType"].append((id, declaration.outer))
    if declaration.enclosing_method is not None:
        rows["EnclosingMethod"].append((id, declaration.enclosing_method))


def _type_parameter_rows(declaration: str, parameters: tuple[ir.TypeParameter, ...], rows: Rows) -> None:
    for index, parameter in enumerate(parameters):
        rows["TypeParameter"].append((declaration, index, parameter.name, parameter.id))
        for number, bound in enumerate(parameter.bounds):
            rows["TypeParameterBound"].append((parameter.id, number, bound))


def _field_rows(member: ir.Field, declaration: ir.TypeDeclaration, rows: Rows) -> None:
    rows["Field"].append((member.id, declaration.id, member.name, member.type))
    rows["Position"].append((member.id, *member.position))
    rows["Field_Modifier"].extend((member.id, modifier) for modifier in member.modifiers)
    if member.initial is not None:
        rows["FieldInitialValue"].append((member.id, member.initial.value, member.initial.type))
    if member.role is not None:
        relation = "EnumConstant" if member.role[0] == "constant" else "RecordComponent"
        rows[relation].append((member.id, declaration.id, member.role[1]))


def _method_rows(method: ir.Method, rows: Rows) -> None:
    id, arity = method.id, len(method.parameters)
    if method.enclosing is None:
        rows["Method"].append((id, method.type, method.name, arity, method.return_type or "void"))
    else:
        rows["LambdaMethod"].append((id, method.enclosing, method.lambda_kind or "", arity))
    rows["Method_DeclaringType"].append((id, method.type))
    rows["Position"].append((id, *method.position))
    rows["Method_Modifier"].extend((id, modifier) for modifier in method.modifiers)
    rows["Method_Throws"].extend((id, use) for use in method.throws)
    _type_parameter_rows(id, method.type_parameters, rows)
    for index, (parameter, use) in enumerate(zip(method.parameters, method.parameter_types)):
        rows["FormalParam"].append((index, id, parameter.id))
        if use is not None:
            rows["MethodParameter"].append((id, index, use))
    if method.this is not None:
        rows["ThisVar"].append((id, method.this))
    rows["EnclosingInstance"].extend((id, type, var) for type, var in method.instances)
    rows["CapturedVar"].extend((source, copy, id) for source, copy in method.captured)
    if method.body is not None:
        rows["Method_HasBody"].append((id,))
        body_rows(method.body, id, rows)
    if method.left_out:
        rows["Method_LeftOut"].append((id,))
    _variable_rows(method, rows)


def _annotation_rows(annotation: ir.Annotation, rows: Rows) -> None:
    rows["Annotation"].append((annotation.id, annotation.declaration, annotation.type))
    rows["AnnotationElement"].extend(_element_row(annotation.id, element) for element in annotation.elements)


def _element_row(of: str, element: ir.AnnotationElement) -> tuple[str, str, int, str, str]:
    return of, element.name, element.index, element.kind, element.value


def _variable_rows(method: ir.Method, rows: Rows) -> None:
    variables = method.parameters if method.body is None else method.body.variables
    if method.body is None and method.this is not None:
        variables = (*variables, ir.Variable(method.this))
    for variable in variables:
        rows["Var_DeclaringMethod"].append((variable.id, method.id))
        rows["Var_Type"].extend((variable.id, use) for use in variable.types)
        if variable.part_of is not None:
            rows["Var_PartOf"].append((variable.id, variable.part_of))
        if variable.known is not None:
            relation, of = variable.known
            rows[relation].append((variable.id, of))
        if variable.inferred:
            rows["InferredVar"].append((variable.id,))
        for kind, source, other in variable.typed_by:
            if kind == "var":
                rows["Var_TypeFromVar"].append((variable.id, source))
            elif kind == "element":
                rows["Var_TypeFromElement"].append((variable.id, source))
            else:
                rows["Var_TypeFromConditional"].append((variable.id, source, other))
