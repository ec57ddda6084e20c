"""Dynamic calls and constants (`invokedynamic`, `ldc` of what a bootstrap method makes) → three-address form.

| bootstrap method | becomes |
|---|---|
| LambdaMetafactory | a lambda object whose body calls the method that the handle names |
| StringConcatFactory | `+` on strings |
| ObjectMethods | loads of the record's components, and library calls that look at them |
| SwitchBootstraps | a number of which nothing is known |
| any other | a call of a method of which nothing is known, which gets the arguments |
"""

from __future__ import annotations

from ladder.frontends.bytecode.builder import PRIMITIVES, BodyBuilder
from ladder.frontends.bytecode.classfile import Bootstrap
from ladder.frontends.bytecode.descriptors import Signature
from ladder.frontends.bytecode.method import MethodLowering, Value, value_of_type
from ladder.frontends.bytecode.pool import (
    CLASS,
    DOUBLE,
    DYNAMIC,
    FLOAT,
    INTEGER,
    LONG,
    METHOD_HANDLE,
    METHOD_TYPE,
    STRING,
    Dynamic,
    Handle,
    Loadable,
)
from ladder.frontends.java import ir

STRING_TYPE = "java.lang.String"
OBJECT = "java.lang.Object"
UNKNOWN_OWNER = "?"
GET_FIELD, GET_STATIC, PUT_FIELD, PUT_STATIC, VIRTUAL, STATIC, SPECIAL, NEW_SPECIAL, INTERFACE = range(1, 10)
LAMBDAS = {"metafactory", "altMetafactory"}
SERIALIZABLE, MARKERS = 1, 2  # flags of altMetafactory
_OWNERS = {
    "java.lang.invoke.LambdaMetafactory": "lambda",
    "java.lang.invoke.StringConcatFactory": "concatenation",
    "java.lang.runtime.ObjectMethods": "record",
    "java.lang.runtime.SwitchBootstraps": "switch",
}


def call(m: MethodLowering, dynamic: Dynamic, signature: Signature) -> None:
    """Lower a dynamic call: pop its arguments, push its result."""
    bootstrap = _bootstrap(m, dynamic)
    arguments = m.popped(signature[0])
    kind = _OWNERS.get(bootstrap.handle.member.owner, "")
    result: str | None = None
    if kind == "lambda" and bootstrap.handle.member.name in LAMBDAS and _is_lambda(bootstrap, signature):
        result = _lambda(m, bootstrap, dynamic.name, signature, arguments)
    elif kind == "concatenation" and signature[1] == STRING_TYPE and _recipe(m, bootstrap, signature) is not None:
        result = _concatenation(m.b, _recipe(m, bootstrap, signature) or [], bootstrap, signature, arguments)
    elif kind == "record" and signature[0][:1] == (m.file.name,):
        result = _record(m, bootstrap, dynamic.name, signature, arguments)
    elif kind == "switch":
        result = m.b.call("dynamic", UNKNOWN_OWNER, dynamic.name, ((), signature[1]), None, ())
    else:
        result = m.b.call("dynamic", UNKNOWN_OWNER, dynamic.name, signature, None, arguments)
    if result is not None:
        m.push(value_of_type(result, signature[1]))


def constant_of(m: MethodLowering, constant: Loadable) -> Value:
    """Lower the load of a method handle, a method type, or a constant that a bootstrap method makes."""
    if constant.tag == DYNAMIC:
        assert isinstance(constant.value, Dynamic)
        _bootstrap(m, constant.value)
        name, type = constant.value.name, m.file.descriptors.field(constant.value.descriptor, m.info.offset)
    else:
        handle = constant.tag == METHOD_HANDLE
        name, type = "ldc", f"java.lang.invoke.{'MethodHandle' if handle else 'MethodType'}"
    result = m.b.call("dynamic", UNKNOWN_OWNER, name, ((), type), None, ())
    assert result is not None
    return value_of_type(result, type)


def _bootstrap(m: MethodLowering, dynamic: Dynamic) -> Bootstrap:
    if dynamic.bootstrap >= len(m.file.bootstraps):
        raise m.malformed(f"there is no bootstrap method {dynamic.bootstrap}")
    return m.file.bootstraps[dynamic.bootstrap]


# ---- lambdas and method references


def _is_lambda(bootstrap: Bootstrap, signature: Signature) -> bool:
    tags = [argument.tag for argument in bootstrap.arguments[:3]]
    return tags == [METHOD_TYPE, METHOD_HANDLE, METHOD_TYPE] and signature[1] != "void"


def _lambda(
    m: MethodLowering, bootstrap: Bootstrap, name: str, signature: Signature, arguments: list[ir.Operand]
) -> str:
    """Make a lambda object. Its body has the parameters of the interface's method as they are where the lambda stands,
    gets the arguments of the dynamic call as captured variables, and passes all of them to the method of the handle."""
    b = m.b
    handle, instantiated = bootstrap.arguments[1].value, bootstrap.arguments[2].value
    assert isinstance(handle, Handle) and isinstance(instantiated, str)
    parameters, result = m.file.descriptors.method(instantiated, m.info.offset)
    body = BodyBuilder(f"{b.id}/lambda#{len(b.lambdas) + 1}", b.type, b.uses, b.budget)
    body.at = b.at
    captured = []
    for index, (argument, type) in enumerate(zip(arguments, signature[0])):
        captured.append((b.variable_of(argument), body.declare(f"captured{index}", type)))
    formals = [body.declare(f"p{index}", type) for index, type in enumerate(parameters)]
    given: list[tuple[str, str]] = [(copy, type) for (_, copy), type in zip(captured, signature[0])]
    returned = _performed(m, body, handle, given + list(zip(formals, parameters)))
    if result == "void" or returned is None:
        body.emit(ir.Return(body.new_id("return"), None))
    else:
        body.emit(ir.Return(body.new_id("return"), returned))
    finished = body.finish(body.code, formals)
    variables = {variable.id: variable for variable in finished.variables}
    b.lambdas.append(
        ir.Method(
            body.id, "", b.type, b.at, ("static", "synthetic"), (), tuple(variables[formal] for formal in formals),
            tuple(map(b.uses.of, parameters)), None, (), None, (), tuple(captured), finished, b.id,
            "void" if result == "void" else "value",
        )
    )  # fmt: skip
    target = b.temporary(signature[1])
    contexts = tuple(("type", b.uses.of(type), 0) for type in (signature[1], *_markers(bootstrap)))
    b.emit(ir.NewLambda(b.new_id("lambda"), target, body.id, contexts, (name, len(parameters))))
    return target


def _markers(bootstrap: Bootstrap) -> list[str]:
    """Return the further interfaces that the object of an `altMetafactory` implements: `(Runnable & Serializable)`."""
    flags, *others = bootstrap.arguments[3:] or (None,)
    if bootstrap.handle.member.name != "altMetafactory" or flags is None or not isinstance(flags.value, int):
        return []
    found = ["java.io.Serializable"] if flags.value & SERIALIZABLE else []
    if flags.value & MARKERS and others and isinstance(others[0].value, int):
        found += [str(marker.value) for marker in others[1 : 1 + max(others[0].value, 0)] if marker.tag == CLASS]
    return found


def _performed(m: MethodLowering, body: BodyBuilder, handle: Handle, given: list[tuple[str, str]]) -> str | None:
    """Do what a method handle does with these variables, and return the variable with the result."""
    member = handle.member
    arguments: list[ir.Operand] = [variable for variable, _ in given]
    if handle.kind <= PUT_STATIC:
        return body.call(
            "dynamic", UNKNOWN_OWNER, member.name, (tuple(type for _, type in given), OBJECT), None, arguments
        )
    signature = m.file.descriptors.method(member.descriptor, m.info.offset)
    if handle.kind == NEW_SPECIAL:
        target = body.temporary(member.owner)
        body.new(target, member.owner, signature, arguments)
        return target
    if handle.kind == STATIC:
        return body.call("exact", member.owner, member.name, signature, None, arguments)
    if not arguments:
        raise m.malformed(f"a lambda calls the method {member.name} on nothing")
    base = arguments.pop(0)
    assert isinstance(base, str)
    kind = "super" if handle.kind == SPECIAL else "exact"
    return body.call(kind, member.owner, member.name, signature, base, arguments)


# ---- strings

ARGUMENT, CONSTANT = "\1", "\2"


def _recipe(m: MethodLowering, bootstrap: Bootstrap, signature: Signature) -> list[str | int] | None:
    """Return the pieces of a concatenation: texts, and numbers of arguments; None if it is none as javac writes it."""
    if bootstrap.handle.member.name == "makeConcat":
        return list(range(len(signature[0])))
    if not bootstrap.arguments or bootstrap.arguments[0].tag != STRING:
        return None
    recipe, constants = bootstrap.arguments[0].value, list(bootstrap.arguments[1:])
    assert isinstance(recipe, str)
    pieces: list[str | int] = []
    used = 0
    for character in recipe:
        if character == ARGUMENT:
            pieces.append(used)
            used += 1
        else:
            text = character
            if character == CONSTANT:
                constant = constants.pop(0) if constants else None
                if constant is None or constant.tag not in (STRING, INTEGER, LONG, FLOAT, DOUBLE):
                    return None
                text = str(constant.value)
            if pieces and isinstance(pieces[-1], str):
                pieces[-1] += text
            else:
                pieces.append(text)
    return pieces if used == len(signature[0]) else None


def _concatenation(
    b: BodyBuilder, pieces: list[str | int], bootstrap: Bootstrap, signature: Signature, arguments: list[ir.Operand]
) -> str:
    """Concatenate the pieces from left to right; the first one is a string."""
    first = pieces[0] if pieces else ""
    if isinstance(first, int) and signature[0][first] == STRING_TYPE:
        result, rest = b.variable_of(arguments[first]), pieces[1:]
    elif isinstance(first, int):
        result, rest = b.string(""), pieces
    else:
        result, rest = b.string(first), pieces[1:]
    if not rest:
        rest = [""]
    for piece in rest:
        right = b.string(piece) if isinstance(piece, str) else arguments[piece]
        target = b.temporary(STRING_TYPE)
        if isinstance(right, ir.Constant) and right.type == "null":
            right = b.variable_of(right)
        b.emit(ir.Binary(b.new_id("assign"), target, "+", result, right))
        result = target
    return result


# ---- records

_LOOKS = {
    "toString": ("java.lang.String", "valueOf", ((OBJECT,), STRING_TYPE)),
    "hashCode": ("java.util.Objects", "hashCode", ((OBJECT,), "int")),
    "equals": ("java.util.Objects", "equals", ((OBJECT, OBJECT), "boolean")),
}


def _record(
    m: MethodLowering, bootstrap: Bootstrap, name: str, signature: Signature, arguments: list[ir.Operand]
) -> str | None:
    """Look at the record's components: toString, hashCode and equals of a record call those of its components."""
    b = m.b
    if name not in _LOOKS or (name == "equals") != (len(arguments) == 2):
        return b.call("dynamic", UNKNOWN_OWNER, name, signature, None, arguments)
    record = b.variable_of(arguments[0])
    objects = [record]
    if name == "equals":
        other = b.temporary(m.file.name)
        b.emit(ir.Cast(b.new_id("cast"), other, b.variable_of(arguments[1]), b.uses.of(m.file.name)))
        objects.append(other)
    owner, method, (parameters, result) = _LOOKS[name]
    for argument in bootstrap.arguments[2:]:
        handle = argument.value
        if not isinstance(handle, Handle) or handle.kind != GET_FIELD:
            continue
        type = m.file.descriptors.field(handle.member.descriptor, m.info.offset)
        if type in PRIMITIVES:
            continue
        exact = ir.Exact(b.uses.of(handle.member.owner), handle.member.name, b.uses.of(type))
        loaded: list[ir.Operand] = []
        for object in objects:
            target = b.temporary(type)
            b.emit(ir.LoadMember(b.new_id("load"), target, object, handle.member.name, False, exact))
            loaded.append(target)
        b.call("exact", owner, method, (parameters, result), None, loaded)
    return b.call("dynamic", UNKNOWN_OWNER, name, ((), signature[1]), None, ())
