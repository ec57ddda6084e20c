"""Building one body: its instructions, labels, variables, captured variables, and the jumps that leave blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ladder.frontends.java import flowgraph, ir, names, narrowing, tree
from ladder.frontends.java.lower import webs
from ladder.frontends.java.lower.context import EnclosingBody, KnownField, TypeContext
from ladder.frontends.java.lower.texts import SHORTEST, cut

THROWING = (
    ir.NewObject,
    ir.NewArray,
    ir.Call,
    ir.Cast,
    ir.LoadMember,
    ir.StoreMember,
    ir.LoadArray,
    ir.StoreArray,
    ir.Throw,
    ir.LoadComponent,
    ir.Monitor,
)


@dataclass(slots=True, eq=False)
class Target:
    """A statement that `break` or `continue` may leave, or a switch expression that `yield` leaves.

    `plain` says that a `break` without a label leaves it. A switch expression has a `result` (the variable and the
    position of its assignments), contexts from which lambdas get their types, and the values that were assigned so far.
    """

    labels: tuple[str, ...]
    break_to: str
    continue_to: str | None = None
    plain: bool = True
    result: tuple[str, ir.Position] | None = None
    contexts: tuple[ir.FunctionalTarget, ...] = ()
    values: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Finally:
    """A block with a `finally` part, entered at the label `entry`; `pending` are the jumps that pass through that
    part."""

    entry: str
    pending: list[tuple[str, Callable[[], None], Target | None]] = field(default_factory=list)
    jumps: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Guarded:
    """A synchronized block: a jump that leaves it releases the monitor of `lock`; `what` names such an instruction."""

    lock: str
    position: ir.Position
    what: str


Frame = Target | Finally | Guarded

Subject = tuple[tree.Node | None, str | None, tree.Node | None]
"""The expression or statement that is being lowered, the variable that its value goes to, if there is one, and the
expression or statement around it."""

_SMALL = frozenset((tree.Literal, tree.Name, tree.FieldAccess))
"""What occurs so often that it is named after what is around it, too."""

PRIMITIVES = frozenset(("boolean", "byte", "short", "char", "int", "long", "float", "double"))

_ROWS_OF_AN_INSTRUCTION = 5
"""About so many: what it is, where, what follows, what it does, a temporary; those that may be many more are counted by
themselves."""


class BodyBuilder:
    """The body of a method, initialiser or lambda while it is built.

    `parent` is the enclosing body of a lambda; a body in a local class reaches the enclosing body through its type.
    Code that cannot be reached is not recorded: `open` says whether control arrives at the current end of the code.

    Instructions and temporaries are named after the `subject`; only where the same thing occurs again does a number
    follow. So an edit renames nothing but what it changes.
    """

    def __init__(self, id: str, type: TypeContext, scope: str, static: bool, parent: BodyBuilder | None = None) -> None:
        self.id = id
        self.type = type
        self.file = type.file
        self.budget = type.file.budget
        self.budget.spend(2, len(id))
        self.scope = scope
        self.static = static
        self.parent = parent
        self.open = True
        self.code: list[ir.Code] = []
        self.positions: dict[str, ir.Position] = {}
        self.handlers: dict[str, tuple[str, ...]] = {}
        self.reached: set[str] = set()
        self.variables: dict[str, ir.Variable] = {}
        self.frames: list[Frame] = []
        self.writes: dict[str, int] = {}
        self.instances: dict[TypeContext, str | None] = {}
        self.captured: dict[str, str] = {}
        self.originals: dict[str, str] = {}
        self.returns_value = self.returns_void = self.left_out = False
        self._protected: dict[str, tuple[str, ...]] = {}
        self._assigning: dict[str, Subject] = {}
        self._handler_stack: list[tuple[tuple[str, ...], bool]] = []
        self._handlers: tuple[str, ...] = ()
        self._bound: dict[str, str] = {}
        self._scopes: list[dict[str, str | None]] = [{}]
        self.subject: Subject = (None, None, None)
        self._numbers: dict[str, int] = {}
        self._labels = 0
        self._jumped: set[str] = set()
        self._prologue: list[ir.Code] = []
        self.this: str | None = None
        if not static and parent is None:
            self.this = self._numbered("@this")
            self.variables[self.this] = ir.Variable(self.this)
            self.instances[type] = self.this

    # Instructions and labels

    def new_id(self, kind: str, position: ir.Position, what: str | None = None, part: str | None = None) -> str:
        """Return the id of a new instruction, which stands at `position`; `what` it is follows from the subject, or
        from a `part` of that."""
        id = self._numbered(self._label(kind, what, part))
        self.positions[id] = self.budget.at = position
        return id

    def _label(self, kind: str, what: str | None, part: str | None) -> str:
        """Return what an instruction is called: the first of a name, such as `call f` or `new T`, is called that; the
        first that assigns a variable by that; all others by what they are. So a call and an object keep their identity,
        which may be all over the results, while their arguments change."""
        if " " in kind and kind not in self._numbers:
            return kind
        if what is None:
            brief = part or (kind != "load" and self._assigned()) or self._small()
            if brief and (label := f"{kind}{names.DETAIL}{brief}") not in self._numbers:
                return label
            what = self.text() if part is None else self.within(part)
        return f"{kind}{names.DETAIL}{what}" if what else kind

    def _assigned(self) -> str:
        """Return the variable, field or element that the value of the subject goes to; "" if it goes elsewhere."""
        node, goal, around = self.subject
        if goal is not None:
            return cut(names.name_of(goal, self.id), SHORTEST)
        if isinstance(around, tree.Assignment) and around.value is node:
            node = around
        return self.file.texts.of(node.target) if isinstance(node, tree.Assignment) else ""

    def _small(self) -> str:
        """Return the text of a subject that is a literal or a name; "" for others."""
        node, goal, _ = self.subject
        return self.file.texts.of(node) if goal is None and node is not None and type(node) in _SMALL else ""

    def text(self) -> str:
        """Return what is being lowered: the subject, and where its value goes, or what is around a small one."""
        node, goal, _ = self.subject
        if node is None:
            return ""
        text = self.file.texts.of(node)
        if goal is not None:
            return f"{cut(names.name_of(goal, self.id), SHORTEST)} = {text}"
        return self.within(text) if type(node) in _SMALL else text

    def within(self, text: str) -> str:
        """Return the text of a part of what is being lowered, with that of what is around it."""
        around = self.subject[2]
        whole = "" if around is None else self.file.texts.of(around)
        return text if not whole or whole == text else f"{cut(text, SHORTEST)} in {whole}"

    def implied(self, part: str) -> str:
        """Return the text of what the subject implies and does not show."""
        node = self.subject[0]
        return part if node is None else f"{part} of {self.file.texts.of(node)}"

    def _numbered(self, label: str) -> str:
        """Return the id of what has this label, with a number if there was the like of it before."""
        number = self._numbers[label] = self._numbers.get(label, 0) + 1
        return f"{self.id}/{label}" if number == 1 else f"{self.id}/{label}#{number}"

    def emit(self, instruction: ir.Instruction) -> None:
        """Append an instruction, if control can arrive there."""
        if not self.open:
            return
        self.code.append(instruction)
        budget = self.budget  # `spend`, written out: most of what is lowered comes by here
        budget.names -= len(instruction.id)
        budget.rows -= _ROWS_OF_AN_INSTRUCTION
        if budget.names < 0 or budget.rows < budget.look_at:
            budget.look()
        written = flowgraph.written(instruction)
        if written is not None and not self.is_temporary(written):
            self._assigning[instruction.id] = self.subject
        if self._handlers:
            self._protected[instruction.id] = self._handlers
            if isinstance(instruction, THROWING):
                self.budget.spend(len(self._handlers), len(self._handlers) * len(instruction.id))
                self.handlers[instruction.id] = self._handlers
                self.reached.update(self._handlers)
        if isinstance(instruction, ir.ENDS):
            self.open = False

    def label(self) -> str:
        """Return a new label."""
        self._labels += 1
        return f"L{self._labels}"

    def place(self, label: str) -> None:
        """Let `label` name the next instruction; control arrives there if it did before or if something jumps to it."""
        if self.open or label in self._jumped:
            self.code.append(ir.Label(label))
            self.open = True

    def only_labels_since(self, start: int) -> bool:
        """Return whether the code from index `start` on has no instructions."""
        return not any(isinstance(self.code[i], ir.Instruction) for i in range(start, len(self.code)))

    def expect(self, label: str) -> None:
        """Announce that a later jump goes back to a label that is not placed yet."""
        self._jumped.add(label)

    def goto(self, label: str) -> None:
        """Jump to a label."""
        if self.open:
            self.code.append(ir.Goto(label))
            self._jumped.add(label)
            self.open = False

    def branch(self, operator: str, left: ir.Operand, right: ir.Operand, yes: str, no: str, at: ir.Position) -> None:
        """Branch on a comparison, which is the subject."""
        if self.open:
            self._jumped.update((yes, no))
            self.emit(ir.If(self.new_id("if", at), operator, left, right, yes, no))

    def switch(self, subject: str, cases: list[tuple[str, str, str]], default: str, at: ir.Position) -> None:
        """Branch to the label of one of several cases, or to `default`."""
        if self.open:
            self._jumped.update(label for _, _, label in cases)
            self._jumped.add(default)
            self.emit(ir.Switch(self.new_id("switch", at), subject, tuple(cases), default))

    def fork(self, labels: list[str], what: str, at: ir.Position) -> None:
        """Go on at any of the labels."""
        if self.open:
            self._jumped.update(labels)
            self.budget.spend(len(labels), len(labels) * len(self.id))
            if len(labels) == 1:
                self.goto(labels[0])
            else:
                self.emit(ir.Fork(self.new_id("fork", at, what), tuple(labels)))

    # Variables

    def temporary(
        self,
        *types: ir.Use,
        typed_by: tuple[tuple[str, str, str], ...] = (),
        what: str | None = None,
        part: str | None = None,
    ) -> str:
        """Return a new temporary, with the given type if it is evident; `what` it holds follows from the subject, or
        from a `part` of that."""
        if what is None:
            what = part or self._small()
            if not what or f"{names.TEMPORARY}{what})" in self._numbers:
                what = self.text() if part is None else self.within(part)
        id = self._numbered(f"{names.TEMPORARY}{what})")
        self.budget.names -= len(id)
        self.variables[id] = ir.Variable(id, types, False, typed_by)
        return id

    def is_temporary(self, variable: str) -> bool:
        """Return whether a variable of this body has no name in the source."""
        return variable.startswith(names.TEMPORARY, len(self.id) + 1)

    def declare(
        self,
        name: str,
        types: tuple[ir.Use, ...],
        inferred: bool = False,
        typed_by: tuple[tuple[str, str, str], ...] = (),
    ) -> ir.Variable:
        """Declare a local variable or parameter in the innermost block."""
        id = self._numbered(name)
        self.budget.spend(2, len(id))
        variable = self.variables[id] = ir.Variable(id, types, inferred, typed_by)
        self._scopes[-1].setdefault(name, self._bound.get(name))
        self._bound[name] = id
        return variable

    def retype(self, variable: str, typed_by: tuple[tuple[str, str, str], ...]) -> None:
        """Set the variables that the type of a variable comes from, once they are known."""
        known = self.variables[variable]
        self.variables[variable] = ir.Variable(variable, known.types, known.inferred, typed_by)

    def local(self, name: str) -> str | None:
        """Return the variable of this body that has this name, if one is in scope."""
        return self._bound.get(name)

    def copy_of(self, source: str) -> str:
        """Return this body's copy of a variable of the body around it."""
        if source not in self.captured:
            self.file.captured.add(source)
            copy = self._numbered(names.without_number(source[source.rindex("/") + 1 :]))
            self.budget.spend(3, len(copy))
            self.captured[source] = copy
            self.originals[copy] = source
            self.variables[copy] = ir.Variable(copy, typed_by=(("var", source, ""),))
        return self.captured[source]

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a scope of local variables and types; at its end, names mean again what they meant before."""
        scope = self.scope
        self._scopes.append({})
        try:
            yield
        finally:
            for name, before in self._scopes.pop().items():
                if before is None:
                    del self._bound[name]
                else:
                    self._bound[name] = before
            self.scope = scope

    def keep_bindings(self) -> None:
        """Move the variables of the innermost scope to the scope around it: those that patterns bind outlive it."""
        for name, before in self._scopes[-1].items():
            self._scopes[-2].setdefault(name, before)
        self._scopes[-1].clear()

    def type_scope(self, name: str) -> str:
        """Start a scope for a local type, in which names in the rest of the block are looked up first; return it."""
        scope = self._numbered(f"block {name}")
        self.file.scope(scope, self.scope)
        self.scope = scope
        return scope

    # Enclosing bodies and instances

    def resolve(self, name: str) -> str | tuple[TypeContext, KnownField] | None:
        """Return what a simple name means: a variable of this body, (type, field), or None if this is unknown."""
        found = self.local(name)
        if found is not None:
            return found
        if self.parent is not None:
            outer = self.parent.resolve(name)
            return self.copy_of(outer) if isinstance(outer, str) else outer
        uncertain = False
        for context in self.type.chain():
            known = context.fields.get(name)
            if known is not None:
                return None if uncertain else (context, known)
            uncertain = uncertain or context.may_inherit
            if context.body is not None:
                return self._resolve_outside(context.body, name, uncertain)
        return None

    def _resolve_outside(
        self, body: EnclosingBody, name: str, uncertain: bool
    ) -> str | tuple[TypeContext, KnownField] | None:
        outer = body.resolve(name)
        if isinstance(outer, str):
            # A local in sight is taken before a field that a supertype might have: the file cannot tell.
            return self.copy_of(outer)
        return None if uncertain else outer

    def instance(self, context: TypeContext) -> str | None:
        """Return the variable that holds the enclosing instance of a type, or None in a static context."""
        if context not in self.instances:
            self.instances[context] = self._instance(context)
        return self.instances[context]

    def _instance(self, context: TypeContext) -> str | None:
        if self.parent is not None:
            outer = self.parent.instance(context)
            return None if outer is None else self.copy_of(outer)
        if self.this is None:
            return None
        current, variable = self.type, self.this
        while current is not context:
            if current.this_field is None or current.outer is None:
                return None
            outer_variable = self.instances.get(current.outer)
            if outer_variable is None:
                outer_variable = self._load_outer(variable, current.this_field)
                self.instances[current.outer] = outer_variable
            variable, current = outer_variable, current.outer
        return variable

    def _load_outer(self, base: str, field: str) -> str:
        variable = self._numbered(f"@outer{len(self._prologue) + 1}")
        self.variables[variable] = ir.Variable(variable)
        id = self.new_id("load this$0", (0, 0), "")
        self._prologue.append(ir.LoadField(id, variable, base, field))
        return variable

    def all_instances(self, method: str | None = None) -> None:
        """Load the enclosing instances that an unqualified call of `method` (or a constructor call) may need."""
        for context in self.type.chain():
            self.instance(context)
            if method is not None and method in context.methods:
                return

    # Exceptions and jumps out of blocks

    @contextmanager
    def guarded_by(self, handlers: tuple[str, ...], catch_all: bool = False) -> Iterator[None]:
        """Let exceptions inside reach `handlers`, in this order, and unless `catch_all` those further out, too."""
        self._handler_stack.append((handlers, catch_all))
        self._reckon_handlers()
        try:
            yield
        finally:
            self._handler_stack.pop()
            self._reckon_handlers()

    def _reckon_handlers(self) -> None:
        reached: list[str] = []
        for handlers, catch_all in reversed(self._handler_stack):
            reached.extend(handlers)
            if catch_all:
                break
        self._handlers = tuple(reached)

    def target(self, label: str | None, loop: bool) -> Target | None:
        """Return the statement that a `break`, or with `loop` a `continue`, leaves."""
        for frame in reversed(self.frames):
            if isinstance(frame, Target) and _takes(frame, label, loop):
                return frame
        return None

    def leave(self, stop: Target | None, action: Callable[[], None], key: str = "") -> None:
        """Leave all blocks inside `stop` (all blocks if None) through their `finally` parts, then do `action`.

        Jumps with the same `key` share their way through a `finally` part.
        """
        for frame in reversed(self.frames):
            if frame is stop:
                break
            if isinstance(frame, Guarded):
                self.emit(ir.Monitor(self.new_id("monitor", frame.position, frame.what), False, frame.lock))
            elif isinstance(frame, Finally):
                self._leave_through(frame, stop, action, key)
                return
        action()

    def _leave_through(self, frame: Finally, stop: Target | None, action: Callable[[], None], key: str) -> None:
        if not self.open:
            return
        if not key or key not in frame.jumps:
            label = self.label()
            frame.pending.append((label, action, stop))
            if key:
                frame.jumps[key] = label
        self.goto(frame.entry)

    # The end

    def finish(self, position: ir.Position, parameters: tuple[ir.Variable, ...] = ()) -> ir.Body:
        """Return the body; it begins with the loads of enclosing instances, whose position is `position`."""
        passed = [parameter.id for parameter in parameters]
        self.code = webs.split(self.code, self._protected, self._may_split, passed, self._web)
        self.code = narrowing.narrow(self.code, self._protected, passed, self._may_narrow, self._narrowed)
        for load in self._prologue:
            assert isinstance(load, ir.LoadField)
            self.positions[load.id] = position
        recorded = {code.id for code in self.code if isinstance(code, ir.Instruction)}
        recorded.update(load.id for load in self._prologue if isinstance(load, ir.LoadField))
        positions = {id: at for id, at in self.positions.items() if id in recorded}
        return ir.Body(tuple(self._prologue + self.code), tuple(self.variables.values()), self.handlers, positions)

    def _may_split(self, variable: str) -> bool:
        """Return whether a variable that is assigned several times may be split: temporaries, variables that other
        bodies see, and those of primitive types are not."""
        if self.is_temporary(variable) or variable in self.file.captured:
            return False
        types = self.variables[variable].types
        return not types or types[0] not in PRIMITIVES

    def _web(self, variable: str, instruction: str) -> str:
        """Return the id of a new part of a variable, which an instruction is the first to assign: the first `x = f(…)`
        is called `x: call f`, the first `x = new B(…)` is `x: new B`, and others are called by their texts."""
        name, kind = names.name_of(variable, self.id), names.instruction_kind(instruction, self.id)
        label = f"{name}{names.DETAIL}{kind}"
        if " " not in kind or label in self._numbers:
            self.subject = self._assigning[instruction]
            text = self.text() or kind
            label = text if text.startswith(f"{name} ") else f"{name}{names.DETAIL}{text}"
        id = self._numbered(label)
        self.budget.spend(4, len(id))
        types = self.variables[variable].types
        self.variables[id] = ir.Variable(id, types, False, () if types else (("var", variable, ""),), variable)
        return id

    def _may_narrow(self, variable: str, known: str) -> bool:
        """Return whether uses of a variable behind a test may read a copy: of a number, no test tells what it is."""
        if variable == self.this or self.is_temporary(variable):
            return False
        types = self.variables[variable].types
        return known != narrowing.SAME if not types else types[0] not in PRIMITIVES

    def _narrowed(self, outcome: narrowing.Outcome) -> ir.Copy:
        """Return the copy of a variable behind a test, such as `x: instanceof T`."""
        variable = outcome.variable
        by_name = outcome.known == narrowing.SAME
        what = cut(names.name_of(outcome.what, self.id), SHORTEST) if by_name else names.type_text(outcome.what)
        id = self._numbered(f"{names.name_of(variable, self.id)}{names.DETAIL}{outcome.text(what)}")
        self.budget.spend(6, len(id))
        whole = self.variables[variable]
        typed_by = () if whole.types else (("var", variable, ""),)
        part_of = whole.part_of or variable
        self.variables[id] = ir.Variable(id, whole.types, False, typed_by, part_of, (outcome.known, outcome.what))
        self.subject = (None, None, None)
        name = names.name_of(id, self.id)
        return ir.Copy(self.new_id("assign", self.positions[outcome.branch], name), id, variable)


def _takes(frame: Target, label: str | None, loop: bool) -> bool:
    """Return whether a `break` or `continue` with that label leaves this statement."""
    if label is not None:
        return label in frame.labels
    return frame.continue_to is not None if loop else frame.plain
