"""Which methods of libraries a project may run: rapid type analysis over what classes say in `bodies.Code`.

    roots      what the project calls, makes and extends, in rows of the same kinds
    reached    methods; what they call by a signature runs the methods that objects of made classes have for it
               (Bacon and Sweeney, Fast Static Analysis of C++ Virtual Function Calls, OOPSLA 1996)

Taken into account besides: initialisers of classes; results of methods without a body that is looked at, which are
objects of that type, or, of an `Object`, of the types that the caller casts to; objects in static fields of classes
without such bodies; what such methods may call of the objects made, which is whatever overrides a method of a class
whose bodies are not looked at. What is reached only in other ways, such as by reflection, has no body in the analysis,
which takes it for code of the library.

Classes are read when they are first needed, all that are at a time:

    until no class is missing: for each of what is pending, note what it leads to; what needs a class that is not known
        yet stays pending; read the missing classes
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

OBJECT = "java.lang.Object"
CAST, CLONE = "cast", "clone()"
CONSTRUCTOR, INITIALISER = "<init>", "<clinit>()"
INTERFACES = ("interface", "annotation")
KEPT = (
    "java.lang.Object", "java.lang.Class", "java.lang.ClassLoader", "java.lang.ClassLoader$", "java.lang.reflect.",
    "java.lang.invoke.", "java.util.ServiceLoader", "java.util.ServiceLoader$", "java.io.ObjectInputStream",
    "java.io.ObjectInputStream$", "java.io.ObjectOutputStream", "java.io.ObjectOutputStream$", "jdk.internal.reflect.",
    "jdk.internal.misc.Unsafe", "sun.misc.Unsafe", "sun.reflect.",
    "java.security.AccessController",
    "java.lang.String", "java.lang.StringBuilder", "java.lang.StringBuffer", "java.lang.AbstractStringBuilder",
    "java.util.concurrent.atomic.AtomicIntegerFieldUpdater",
    "java.util.concurrent.atomic.AtomicLongFieldUpdater", "java.util.concurrent.atomic.AtomicReferenceFieldUpdater",
)  # fmt: skip
"""Classes whose methods the analyses know by rules and models of their own; one that ends in `.` or `$` is a prefix."""
STARTED = (("java.lang.System", "initPhase1()"), ("java.lang.System", "initializeSystemClass()"))
"""Methods that the virtual machine calls before a program starts; releases have one or the other."""
KNOWN_RESULTS = frozenset(
    (
        "jdk.internal.misc.Unsafe", "sun.misc.Unsafe", "java.lang.invoke.VarHandle",
        "java.util.concurrent.atomic.AtomicReferenceFieldUpdater", "java.lang.reflect.Array",
        "java.security.AccessController",
    )
)  # fmt: skip
"""Classes without bodies whose results the analyses know: what memory holds, new arrays, what actions return."""
IMPLIED = {"<java.lang.Thread: void start()>": ("call", "java.lang.Thread", "run()", "void")}
"""What the virtual machine calls for a method."""
ACTIONS = ("java.security.PrivilegedAction", "java.security.PrivilegedExceptionAction")
CALLED = {"java.security.AccessController": tuple(("call", name, "run()", OBJECT) for name in ACTIONS)}
"""What methods of classes without bodies call."""

Need = tuple[str, str, str, str]
"""Kind, type, name, more: see `bodies`."""


def is_kept(name: str) -> bool:
    """Whether bodies of a class are never looked at."""
    return name in _KEPT or name.startswith(_KEPT_PREFIXES)


_KEPT = frozenset(KEPT)
_KEPT_PREFIXES = tuple(name for name in KEPT if name.endswith((".", "$")))


@dataclass
class Class:
    """What is known of a class; `methods`: signature → (method, its modifiers); `needs`: what each of its methods
    leads to; `names`: the types that it names; `bodies`: whether the bodies of its methods are looked at."""

    kind: str = "class"
    abstract: bool = False
    superclass: str = ""
    interfaces: list[str] = field(default_factory=list)
    methods: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    needs: dict[str, list[Need]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    bodies: bool = False

    @property
    def above(self) -> list[str]:
        """The superclass and the superinterfaces."""
        return [self.superclass, *self.interfaces] if self.superclass else self.interfaces


def classes_of(rows: Iterable[tuple[str, str, str, str, str]]) -> dict[str, Class]:
    """Class → what rows of `Code`, with owners, say of it."""
    found: defaultdict[str, Class] = defaultdict(lambda: Class(bodies=True))
    for kind, type_, name, more, owner in rows:
        if owner.startswith("<"):
            found[owner[1:].partition(":")[0]].needs.setdefault(owner, []).append((kind, type_, name, more))
            continue
        known = found[owner]
        if kind == "class":
            known.kind, known.abstract = name, bool(more)
            known.superclass = "" if name in INTERFACES else type_
        elif kind == "interface":
            known.interfaces.append(type_)
        elif kind == "method":
            known.methods.setdefault(name, []).append((type_, frozenset(more.split())))
        else:
            known.names.append(type_)
    return dict(found)


@dataclass
class Reached:
    """What is reached: methods with code by class, and for classes whose methods are not looked at, the names of those
    that are called."""

    methods: dict[str, set[str]]
    classes: Mapping[str, Class]
    called: frozenset[str]

    @property
    def named(self) -> set[str]:
        """The types that reached classes name."""
        return {name for each in self.methods for name in self.classes[each].names}


Load = Callable[[Sequence[str]], Mapping[str, Class]]
"""Classes by name → those that can be read."""


def reached(roots: Iterable[Need], load: Load) -> Reached:
    """What a project may run of libraries, by what it needs of them."""
    search = _Search(load)
    search.pending += roots
    for name, signature in STARTED:
        search.pending.append(("call", name, signature, "void"))
    search.run()
    methods: dict[str, set[str]] = {name: set() for name in search.declared}
    for name, method in search.done:
        methods.setdefault(name, set()).add(method)
    return Reached(methods, search.classes, frozenset(search.called))


class _Missing(Exception):
    """Raised where classes are needed that have not been read."""


@dataclass
class _Search:
    load: Load
    classes: dict[str, Class] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    pending: list[Need] = field(default_factory=list)
    noted: set[Need] = field(default_factory=set)
    done: set[tuple[str, str]] = field(default_factory=set)  # class and method
    declared: dict[str, None] = field(default_factory=dict)  # classes whose declarations are needed
    called: set[str] = field(default_factory=set)
    made: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # type → made classes of it
    calls: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))  # type → signatures
    supers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: set[Need] = field(default_factory=set)  # calls that return an object of which nothing is known
    casts: defaultdict[Need, set[str]] = field(default_factory=lambda: defaultdict(set))  # call → casts of its callers

    def run(self) -> None:
        """Follow what is pending until nothing is left."""
        while self.pending:
            waiting: list[Need] = []
            while self.pending:
                need = self.pending.pop()
                if need in self.noted:
                    continue
                try:
                    _FOLLOWED[need[0]](self, need)
                    self.noted.add(need)
                except _Missing:
                    waiting.append(need)
            wanted = sorted(self.missing - self.absent)
            self.missing.clear()
            if wanted:
                found = self.load(wanted)
                self.classes.update(found)
                self.absent.update(name for name in wanted if name not in found)
            self.pending = waiting

    def known(self, name: str) -> Class | None:
        """A class; None if no library has it."""
        found = self.classes.get(name)
        if found is None and name not in self.absent:
            self.missing.add(name)
            raise _Missing
        return found

    def all_above(self, name: str) -> tuple[str, ...]:
        """A class and all its supertypes, the superclasses first; their declarations are needed from now on."""
        found = self.supers.get(name)
        if found is None:
            self._want_above(name)
            order: dict[str, None] = {}
            current = name
            while current and current not in order:
                order[current] = None
                known = self.known(current)
                current = known.superclass if known else ""
            pending = list(order)
            while pending:
                known = self.known(pending.pop(0))
                for each in known.interfaces if known else ():
                    if each not in order:
                        order[each] = None
                        pending.append(each)
            found = self.supers[name] = tuple(order)
            for each in found:
                if (known := self.classes.get(each)) is not None and known.bodies:
                    self.declared[each] = None
        return found

    def _want_above(self, name: str) -> None:
        """Note all supertypes that are missing at once, as far as they are known."""
        pending, seen, lacking = [name], {name}, False
        while pending:
            each = pending.pop()
            known = self.classes.get(each)
            if known is None:
                if each not in self.absent:
                    self.missing.add(each)
                    lacking = True
                continue
            above = [other for other in known.above if other not in seen]
            seen.update(above)
            pending += above
        if lacking:
            raise _Missing

    def run_chosen(self, name: str, signature: str) -> None:
        """Note what runs on objects of a class by a signature: its method or the inherited one; of defaults of
        interfaces all, because which one is the most specific does not matter here."""
        in_class = False
        for each in self.all_above(name):
            known = self.classes.get(each)
            is_class = known is not None and known.kind not in INTERFACES
            if known is None or (in_class and not is_class):
                continue
            for method, modifiers in known.methods.get(signature, ()):
                if not modifiers & {"static", "abstract"}:
                    in_class = in_class or is_class
                    if known.bodies and "code" in modifiers:
                        self.reach(each, method)
            if in_class:
                return

    def reach(self, name: str, method: str) -> None:
        """Note a method that runs."""
        if (name, method) not in self.done:
            self.done.add((name, method))
            self.declared[name] = None
            needs = self.classes[name].needs.get(method, ())
            self.pending += (need for need in needs if need[0] != CAST)
            if method in IMPLIED:
                self.pending.append(IMPLIED[method])
            if casts := {need[1] for need in needs if need[0] == CAST}:
                for need in needs:
                    if need[3] == OBJECT:
                        self.casts[need] |= casts
                        if need in self.unseen:
                            self.cast(need)

    def cast(self, call: Need) -> None:
        """Note that the callers of a call may cast an object of which nothing is known."""
        self.unseen.add(call)
        self.pending += (("opaque", type_, "", "") for type_ in self.casts.pop(call, ()))

    def initialise(self, name: str) -> None:
        """Note the initialisers of a class and of its supertypes."""
        for each in self.all_above(name):
            known = self.classes.get(each)
            if known is not None and known.bodies:
                for method, _ in known.methods.get(INITIALISER, ()):
                    self.reach(each, method)


def _call(search: _Search, need: Need) -> None:
    """A call: of the method that the class has or inherits, and of what overrides it in made objects."""
    kind, name, signature, result = need
    name = OBJECT if name.endswith("[]") else name
    found = _declaration(search, name, signature, result)
    if found is None:
        _unseen(search, need)
        return
    owner, method, modifiers = found
    looked_at = search.classes[owner].bodies and bool(modifiers & {"code", "abstract"})
    fixed = kind == "super" or signature.startswith(CONSTRUCTOR) or bool(modifiers & {"static", "private"})
    if not looked_at:
        _unseen(search, need)
    elif fixed and "code" in modifiers:
        search.reach(owner, method)
    if "static" in modifiers:
        search.initialise(owner)
    if not fixed and signature not in search.calls[name]:
        search.calls[name][signature] = None
        for made in search.made[name]:
            search.run_chosen(made, signature)


def _unseen(search: _Search, call: Need) -> None:
    """A method without a body that is looked at: its result may be any object of that type that the library makes."""
    _, name, signature, result = call
    search.called.add(signature.partition("(")[0])
    search.pending += CALLED.get(name, ())
    if name in KNOWN_RESULTS or signature == CLONE:  # `clone` returns what it is called on
        return
    if result == OBJECT:
        search.cast(call)
    else:
        search.pending.append(("opaque", result, "", ""))


def _declaration(search: _Search, name: str, signature: str, result: str) -> tuple[str, str, frozenset[str]] | None:
    """(class, method, modifiers) that a call names, which the class may inherit."""
    for each in search.all_above(name):
        known = search.classes.get(each)
        candidates = known.methods.get(signature, ()) if known else ()
        exact = [found for found in candidates if f": {result} " in found[0]]
        for method, modifiers in exact or candidates:
            return each, method, modifiers
        if signature.startswith(CONSTRUCTOR):
            return None
    return None


def _made(search: _Search, need: Need) -> None:
    """Objects of a class are made: calls of its supertypes run its methods, and unseen code calls those that override
    methods of classes that are not looked at."""
    name = need[1]
    above = () if name.endswith("[]") else search.all_above(name)
    if not above or name in search.made[name]:
        return
    search.initialise(name)
    for each in above:
        search.made[each].append(name)
        known = search.classes.get(each)
        unseen = known.methods if known is not None and not known.bodies else ()
        for signature in {*search.calls[each], *unseen}:
            if not signature.startswith("<"):
                search.run_chosen(name, signature)


def _opaque(search: _Search, need: Need) -> None:
    """An object of which only the type is known: if the type is a class of objects, one of it."""
    name = need[1].rstrip("[]")
    if name and name not in _PRIMITIVES:
        known = search.known(name)
        if known is not None and known.bodies and known.kind in ("class", "enum", "record") and not known.abstract:
            search.pending.append(("new", name, "", ""))


def _used(search: _Search, need: Need) -> None:
    """A static field of the class, or of what that inherits from, is read or written. One that is read may hold any
    object of its type, where code that is not looked at may have put it there."""
    _, owner, _, type_ = need
    owner = owner.rstrip("[]")
    search.initialise(owner)
    above = (search.classes.get(each) for each in search.all_above(owner) if each != OBJECT)
    if type_ and not all(known is not None and known.bodies for known in above):
        search.pending.append(("opaque", type_, "", ""))


_PRIMITIVES = frozenset(("boolean", "byte", "char", "short", "int", "long", "float", "double", "void", "?"))
_FOLLOWED: Mapping[str, Callable[[_Search, Need], None]] = {
    "call": _call,
    "super": _call,
    "new": _made,
    "opaque": _opaque,
    "use": _used,
}
