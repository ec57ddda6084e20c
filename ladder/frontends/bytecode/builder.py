"""Building the three-address form of one body: instructions, variables with what is known of their types, positions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ladder.frontends.bytecode.descriptors import Signature
from ladder.frontends.java import ir, names, narrowing
from ladder.frontends.java.limits import Budget

THROWING = (
    ir.NewObject, ir.NewArray, ir.Call, ir.Cast, ir.LoadMember, ir.StoreMember, ir.LoadName, ir.StoreName, ir.LoadArray,
    ir.StoreArray, ir.Throw, ir.Monitor,
)  # fmt: skip
MAY_DIVIDE_BY_ZERO = frozenset("/%")
_ROWS_OF_AN_INSTRUCTION = 6
MOVED = ir.Label("")
"""Stands where an instruction was that `BodyBuilder.settle` removed."""

PRIMITIVES = frozenset(("boolean", "byte", "char", "short", "int", "long", "float", "double", "void"))
INTEGRAL = frozenset(("boolean", "byte", "char", "short", "int"))


class Uses:
    """The types that a class file names, as uses of the schema: each is a primitive type or a row of its own."""

    def __init__(self, unit: str, budget: Budget) -> None:
        self.unit, self.budget = unit, budget
        self.rows: dict[str, ir.TypeUse] = {}
        self._known = {name: name for name in PRIMITIVES}

    def of(self, type: str) -> ir.Use:
        """Return the use of a type, `a.b.C$D[]`."""
        use = self._known.get(type)
        if use is None:
            use = self._known[type] = names.absolute_use_id(self.unit, type)
            self.budget.spend(2, len(use))
            if type.endswith("[]"):
                self.rows[use] = ir.ArrayUse(use, type, self.of(type[:-2]))
            else:
                self.rows[use] = ir.BinaryUse(use, type, type)
        return use

    def text(self, use: ir.Use) -> str:
        """Return the type of a use, without its package."""
        return short(self.rows[use].text)


class BodyBuilder:
    """A body while it is built.

    `at` is the position of what is being lowered, `handlers` the handlers around it, `code` where its instructions are
    added.
    """

    def __init__(self, id: str, type: str, uses: Uses, budget: Budget) -> None:
        self.id, self.type, self.uses, self.budget = id, type, uses, budget
        self.at: ir.Position = (1, 1)
        self.handlers: tuple[str, ...] = ()
        self.code: list[ir.Code] = []
        self.lambdas: list[ir.Method] = []
        self._positions: dict[str, ir.Position] = {}
        self._handlers: dict[str, tuple[str, ...]] = {}
        self._types: dict[str, dict[str, None]] = {}
        self._sources: dict[str, dict[str, None]] = {}
        self._counts: dict[str, int] = {}
        self._moves: list[tuple[list[ir.Code], int]] = []
        self._temporaries: dict[str, None] = {}
        self._parts: dict[str, tuple[str, tuple[str, str]]] = {}
        self._labels = 0

    # Instructions

    def new_id(self, kind: str) -> str:
        """Return the id of the next instruction of a kind."""
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"{self.id}/{kind}#{number}"

    def emit(self, instruction: ir.Instruction) -> None:
        """Append an instruction."""
        id = instruction.id
        self.code.append(instruction)
        self._positions[id] = self.budget.at = self.at
        self.budget.spend(_ROWS_OF_AN_INSTRUCTION, len(id))
        if self.handlers and (
            isinstance(instruction, THROWING)
            or (isinstance(instruction, ir.Binary) and instruction.operator in MAY_DIVIDE_BY_ZERO)
        ):
            self.budget.spend(len(self.handlers), len(self.handlers) * len(id))
            self._handlers[id] = self.handlers

    def label(self) -> str:
        """Return a new label."""
        self._labels += 1
        return f"C{self._labels}"

    # Variables

    def declare(self, name: str, *types: str) -> str:
        """Return the variable with this name, which it gets if there is none."""
        id = f"{self.id}/{name}"
        if id not in self._types:
            self.budget.spend(2, len(id))
            self._types[id] = {}
            self._sources[id] = {}
        self._types[id].update(dict.fromkeys(types))
        return id

    def temporary(self, *types: str) -> str:
        """Return a new temporary with these types."""
        id = self.declare(f"${len(self._temporaries) + 1}", *types)
        self._temporaries[id] = None
        return id

    def defined_by(self, variable: str, operand: ir.Operand, type: str) -> None:
        """Record that a value of a type, which is empty if it is not known, is assigned to the variable."""
        if type:
            self._types[variable][type] = None
        elif isinstance(operand, str) and operand != variable:
            self._sources[variable][operand] = None

    def _variable(self, id: str) -> ir.Variable:
        types = list(self._types[id])
        if len(types) > 1 and all(type in INTEGRAL for type in types):
            types = ["int"]
        sources = tuple(("var", source, "") for source in self._sources[id])
        part_of, known = self._parts.get(id, (None, None))
        return ir.Variable(id, tuple(map(self.uses.of, types)), False, () if types else sources, part_of, known)

    # What occurs again and again

    def copy(self, target: str, operand: ir.Operand, type: str) -> None:
        """Assign a value to a variable."""
        self.defined_by(target, operand, type)
        if isinstance(operand, ir.Constant):
            self.emit(ir.AssignConstant(self.new_id("assign"), target, operand))
        else:
            self.emit(ir.Copy(self.new_id("assign"), target, operand))

    def move(self, target: str, operand: ir.Operand, type: str) -> None:
        """Assign a value to a variable; `settle` lets the instruction before do it, if it made the value for this."""
        self.copy(target, operand, type)
        place = len(self.code) - 2
        if type and place >= 0 and operand in self._temporaries and operand == _target(self.code[place]):
            self._moves.append((self.code, place))

    def settle(self) -> None:
        """Where a temporary is made to be moved to a variable of the same type, assign that variable instead."""
        for code, place in self._moves:
            made, moved = code[place], code[place + 1]
            assert isinstance(made, ir.Instruction) and isinstance(moved, ir.Copy)
            if self._types[moved.target] == self._types[moved.source]:
                assigned = {"result" if isinstance(made, ir.Call) else "target": moved.target}
                code[place : place + 2] = [replace(made, **assigned), MOVED]
                del self._types[moved.source], self._sources[moved.source], self._positions[moved.id]

    def variable_of(self, operand: ir.Operand) -> str:
        """Return a variable that holds the value."""
        if isinstance(operand, str):
            return operand
        target = self.temporary(*([] if operand.type == "null" else [operand.type]))
        self.emit(ir.AssignConstant(self.new_id("assign"), target, operand))
        return target

    def string(self, value: str) -> str:
        """Return a variable that holds a string constant."""
        target = self.temporary("java.lang.String")
        constant = ir.Constant(names.string_id(value), "java.lang.String")
        self.budget.spend(1, len(constant.value))
        self.emit(ir.AssignConstant(self.new_id("assign"), target, constant))
        return target

    def call(
        self, kind: str, owner: str, name: str, signature: Signature, base: str | None, arguments: Iterable[ir.Operand]
    ) -> str | None:
        """Call the method of a class with this name and signature; return the variable with its result."""
        passed = tuple(map(self.variable_of, arguments))
        result = None if signature[1] == "void" else self.temporary(signature[1])
        exact = self.exact(owner, name, signature)
        self.budget.spend(len(passed))
        id = self.new_id(f"call {name}")
        self.emit(ir.Call(id, kind, name, result, base, None, None, None, passed, (), False, exact))
        return result

    def new(self, target: str, type: str, signature: Signature, arguments: Iterable[ir.Operand]) -> None:
        """Make an object and call its constructor."""
        passed = tuple(map(self.variable_of, arguments))
        self.budget.spend(len(passed))
        exact = self.exact(type, "<init>", signature)
        id = self.new_id(f"new {short(type)}")
        self.emit(ir.NewObject(id, target, self.uses.of(type), None, None, None, passed, (), False, exact))

    def exact(self, owner: str, name: str, signature: Signature) -> ir.Exact:
        """Return what a call names: a method by its class and its signature."""
        parameters, result = signature
        text = f"{name}({','.join(parameters)})"
        self.budget.spend(1, len(text))
        return ir.Exact(self.uses.of(owner), text, self.uses.of(result))

    def finish(self, code: list[ir.Code], parameters: Collection[str] = ()) -> ir.Body:
        """Return the body with this code."""
        code = narrowing.narrow(code, self._handlers, parameters, self._may_narrow, self._narrowed)
        variables = tuple(map(self._variable, self._types))
        return ir.Body(tuple(code), variables, self._handlers, self._positions)

    # Variables behind tests

    def _may_narrow(self, variable: str, known: str) -> bool:
        """Return whether uses of a variable behind a test may read a copy: of a number, no test tells what it is."""
        if variable in self._temporaries or variable == f"{self.id}/@this":
            return False
        types = self._types[variable]
        return known != narrowing.SAME if not types else not PRIMITIVES & set(types)

    def _narrowed(self, outcome: narrowing.Outcome) -> ir.Copy:
        """Return the copy of a variable behind a test, such as `x: instanceof T`."""
        whole, what = outcome.variable, outcome.what
        name = names.name_of(what, self.id) if outcome.known == narrowing.SAME else self.uses.text(what)
        label = f"{names.name_of(whole, self.id)}{names.DETAIL}{outcome.text(name)}"
        number = self._counts[label] = self._counts.get(label, 0) + 1
        target = self.declare(label if number == 1 else f"{label}#{number}", *self._types[whole])
        self._sources[target] = dict(self._sources[whole]) or {whole: None}
        self._parts[target] = whole, (outcome.known, what)
        id = self.new_id("assign")
        self._positions[id] = self._positions[outcome.branch]
        return ir.Copy(id, target, whole)


def _target(code: ir.Code) -> str | None:
    """Return the variable that an instruction assigns."""
    found = code.result if isinstance(code, ir.Call) else getattr(code, "target", None)
    return found if isinstance(found, str) else None


def short(type: str) -> str:
    """Return a type's name without its package."""
    return type.rpartition(".")[2]
