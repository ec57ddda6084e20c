"""Runs the facts of static methods over int, boolean, String and arrays of these: what the rows say must be what Java
does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ladder.frontends.java.schema import RELATIONS
from ladder.frontends.protocol import FileFacts

Value = int | str | list["Value"] | None
STEPS = 20_000
RUNS = 3_000
ABOUT = ("Instruction", "Entry", "Invocation_Target")
BITS = {"byte": 8, "short": 16, "int": 32}


class Stuck(Exception):
    """This choice at a fork is none that Java makes: a variable has no value, or it runs for ever."""


class Thrown(Exception):
    """An exception leaves a method."""


class Interpreter:
    """The rows of one file, by the instruction that they are about."""

    def __init__(self, facts: FileFacts) -> None:
        self.does: dict[str, tuple[str, tuple[str | int, ...]]] = {}
        self.details: dict[tuple[str, str], list[tuple[str | int, ...]]] = defaultdict(list)
        for name, rows in facts.relations.items():
            columns = [column.name for column in RELATIONS[name].columns]
            acts = columns[0] in ("instruction", "invocation") and columns[-1] == "method" and name not in ABOUT
            for row in rows:
                if acts:
                    self.does[str(row[0])] = (name, row)
                else:
                    self.details[name, str(row[1] if columns[1:2] == ["invocation"] else row[0])].append(row)
        self.entry = {str(method): str(i) for i, method in facts.relations["Entry"]}
        self.methods = {(str(r[2]), r[3]): str(r[0]) for r in facts.relations["Method"]}
        self.parameters: dict[str, list[str]] = defaultdict(list)
        for _, method, var in sorted(facts.relations["FormalParam"]):
            self.parameters[str(method)].append(str(var))
        self.types = dict(facts.relations["Var_Type"])
        for row in facts.relations.get("Var_TypeFromVar", ()):
            self.types.setdefault(row[0], self.types.get(row[1], "int"))

    def results(self, method: str) -> Iterator[Value]:
        """Yield what a method may return, over all choices at forks."""
        pending: list[list[int]] = [[]]
        for _ in range(RUNS):
            if not pending:
                return
            self.choices, self.taken, self.steps = pending.pop(), 0, 0
            self.alternatives = pending
            self.fields: dict[str, Value] = {}
            try:
                self.run("Runs.<clinit>()", [])
                yield self.run(method, [])
            except (Stuck, Thrown):
                continue

    def run(self, method: str, arguments: list[Value]) -> Value:
        variables: dict[str, Value] = dict(zip(self.parameters[method], arguments))
        at: str | None = self.entry[method]
        while at is not None:
            self.steps += 1
            if self.steps > STEPS:
                raise Stuck
            name, row = self.does.get(at, ("", ()))
            if name in ("Return", "ReturnVoid"):
                return self._get(variables, row[1]) if name == "Return" else None
            try:
                branch = self._step(at, name, row, variables)
                at = self._next(at) if branch is None else branch
            except Thrown:
                handlers = sorted(self.details["ExceptionEdge", at], key=lambda edge: edge[2])
                if not handlers:
                    raise
                at = str(handlers[0][1])
                variables[str(self.details["ExceptionHandler", at][0][1])] = "exception"
        raise AssertionError("ran off the end")

    def _next(self, at: str) -> str:
        successors = [str(row[1]) for row in self.details["Next", at]]
        if len(successors) == 1:
            return successors[0]
        if self.taken == len(self.choices):
            self.alternatives.extend([*self.choices, other] for other in range(1, len(successors)))
            self.choices = [*self.choices, 0]
        self.taken += 1
        return successors[self.choices[self.taken - 1]]

    def _get(self, variables: dict[str, Value], var: object) -> Value:
        if var not in variables:
            raise Stuck
        return variables[str(var)]

    def _operands(self, at: str, var: str, constant: str, variables: dict[str, Value]) -> list[Value]:
        found = {row[1]: self._get(variables, row[2]) for row in self.details[var, at]}
        for row in self.details[constant, at]:
            found[row[1]] = None if row[3] == "null" else int(str(row[2]))
        return [found[position] for position in sorted(found)]

    def _index(self, at: str, variables: dict[str, Value]) -> int:
        variable, constant = self.details["ArrayInsnIndex", at], self.details["ArrayInsnConstantIndex", at]
        return int(str(self._get(variables, variable[0][1]) if variable else constant[0][1]))

    def _step(self, at: str, name: str, row: tuple[str | int, ...], v: dict[str, Value]) -> str | None:
        """Do one instruction; return where it branches to, if it does."""
        match name:
            case "AssignNumConstant":
                v[str(row[3])] = int(str(row[1]))
            case "AssignStringConstant":
                v[str(row[2])] = str(row[1])[1:-1]
            case "AssignNull":
                v[str(row[1])] = None
            case "AssignLocal":
                v[str(row[2])] = self._get(v, row[1])
            case "AssignCast" | "AssignCastAs":
                type = row[3] if name == "AssignCast" else self.types.get(row[3], "int")
                v[str(row[2])] = _cast(str(type), self._get(v, row[1]))
            case "AssignBinop" | "AssignUnop":
                operands = self._operands(at, "AssignOperFrom", "AssignOperFromConstant", v)
                texts = [self._type(at, position) for position in range(1, len(operands) + 1)]
                v[str(row[2])] = _operate(str(row[1]), operands, texts)
            case "LoadStaticField":
                v[str(row[1])] = self.fields.get(str(row[2]), 0)
            case "StoreStaticField":
                self.fields[str(row[2])] = self._get(v, row[1])
            case "LoadMember":
                v[str(row[1])] = len(_array(self._get(v, row[2])))
            case "LoadArrayIndex":
                v[str(row[1])] = _array(self._get(v, row[2]))[self._index(at, v)]
            case "StoreArrayIndex":
                _array(self._get(v, row[2]))[self._index(at, v)] = self._get(v, row[1])
            case "AssignHeapAllocation":
                v[str(row[2])] = self._allocate(at, v)
            case "Invocation":
                self._call(at, row, v)
            case "If":
                left, right = self._operands(at, "IfVar", "IfConstant", v)
                outcome = _operate(str(row[1]), [left, right], ["", ""])
                return next(str(edge[2]) for edge in self.details["Branch", at] if edge[1] == outcome)
            case "Switch":
                subject = self._get(v, row[1])
                labels = {(kind, label): str(to) for _, kind, label, to in self.details["SwitchCase", at]}
                key = ("string", f'"{subject}"') if isinstance(subject, str) else ("number", str(subject))
                return labels.get(key) or str(self.details["SwitchDefault", at][0][1])
            case "Throw":
                self._get(v, row[1])
                raise Thrown
        return None

    def _type(self, at: str, position: int) -> str:
        """Return the type of an operand as far as the rows say."""
        for row in self.details["AssignOperFromConstant", at]:
            if row[1] == position:
                return str(row[3])
        var = next(row[2] for row in self.details["AssignOperFrom", at] if row[1] == position)
        return str(self.types.get(var, "int"))

    def _allocate(self, at: str, v: dict[str, Value]) -> Value:
        size = self.details["ArrayAllocation_Length", at] or self.details["ArrayAllocation_ConstantLength", at]
        if not size:
            return "object"
        length = self._get(v, size[0][1]) if self.details["ArrayAllocation_Length", at] else size[0][1]
        return [0] * int(str(length))

    def _call(self, at: str, row: tuple[str | int, ...], v: dict[str, Value]) -> None:
        if row[1] == "new":
            v[str(self.details["Invocation_Base", at][0][1])] = "object"
            return
        arguments = [self._get(v, var) for _, _, var in sorted(self.details["ActualParam", at])]
        result = self.run(self.methods[str(row[2]), row[3]], arguments)
        for _, target in self.details["AssignReturnValue", at]:
            v[str(target)] = result


def _array(value: Value) -> list[Value]:
    assert isinstance(value, list)
    return value


def _cast(type: str, value: Value) -> Value:
    if not isinstance(value, int):
        return value
    if type == "char":
        return value & 0xFFFF
    bits = BITS.get(type, 32)
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _text(value: Value, type: str) -> str:
    if type == "boolean":
        return "true" if value else "false"
    return chr(value) if type == "char" and isinstance(value, int) else str(value)


def _operate(operator: str, operands: list[Value], types: list[str]) -> Value:
    if operator == "+" and any(isinstance(operand, str) for operand in operands):
        return "".join(map(_text, operands, types))
    if operator in ("==", "!="):
        return int((operands[0] == operands[1]) == (operator == "=="))
    a, b = (int(str(operand)) for operand in (*operands, 0)[:2])
    if len(operands) == 1:
        return _cast("int", {"-": -a, "~": ~a, "+": a, "!": 1 - a}[operator])
    if operator in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return _cast("int", quotient if operator == "/" else a - b * quotient)
    simple = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "<<": a << (b & 31),
        ">>": a >> (b & 31),
        ">>>": (a & 0xFFFFFFFF) >> (b & 31), "<": int(a < b), "<=": int(a <= b), ">": int(a > b), ">=": int(a >= b),
    }  # fmt: skip
    return _cast("int", simple[operator])


class Recording(Interpreter):
    """Runs methods and notes the numbers that instructions assign."""

    def __init__(self, facts: FileFacts) -> None:
        super().__init__(facts)
        self.assigned: dict[tuple[str, str], set[int]] = defaultdict(set)

    def _step(self, at: str, name: str, row: tuple[str | int, ...], v: dict[str, Value]) -> str | None:
        before = dict(v)
        branch = super()._step(at, name, row, v)
        for var, value in v.items():
            if isinstance(value, int) and (var not in before or before[var] != value):
                self.assigned[at, var].add(int(value))
        return branch
