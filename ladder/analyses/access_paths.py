"""Access paths of summaries (`java/summaries`) and of rows of models, as texts: functors, which are pure.

A path is a root and a word: `Argument[0].Field[a.B.f].ArrayElement` has the root `Argument[0]` and the word
`Field[a.B.f].ArrayElement`. Dots in brackets separate nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

TOO_LONG, STATIC = "?", "*"
COMPONENT = re.compile(r"[^.\[\]]+(?:\[[^\]]*\])?")
CONTENTS = re.compile(r"Element|ArrayElement|MapKey|MapValue|ReturnValue|Parameter\[\d+\]|Field\[[^\]]+\]")


@lru_cache(1 << 16)
def components(text: str) -> tuple[str, ...]:
    """The parts of a path or a word."""
    return tuple(COMPONENT.findall(text))


def extend(word: str, family: str, component: str, own: str, recursive: int, longest: int) -> str:
    """The word with a component behind it; the word itself where a `recursive` field leads to an object of the family
    (`own`) at which the word already is, and of what a static field holds ("*"); "?" where it would have more than
    `longest` components."""
    if word == STATIC or (recursive and word and family == own):
        return word
    if len(components(word)) == longest:
        return TOO_LONG
    return f"{word}.{component}" if word else component


def root(path: str) -> str:
    """The root of a path."""
    return components(path)[0] if path else ""


def word(path: str) -> str:
    """A path without its root."""
    return ".".join(components(path)[1:])


def front(text: str) -> str:
    """A word without its last component."""
    return ".".join(components(text)[:-1])


def last(text: str) -> str:
    """The last component of a word; "" if it has none."""
    found = components(text)
    return found[-1] if found else ""


def text(root_: str, word_: str) -> str:
    """A root and a word as one path."""
    return f"{root_}.{word_}" if word_ else root_


@lru_cache(1 << 16)
def only_contents(text_: str) -> int:
    """1 if a word has no field, but names of contents alone, else 0."""
    return int(not any("Field[" in component for component in components(text_)))


@lru_cache(1 << 16)
def last_field(text_: str) -> str:
    """The last field of a word and the contents behind it; "" if it has no field."""
    found = components(text_)
    at = [index for index, component in enumerate(found) if "Field[" in component]
    return ".".join(found[at[-1] :]) if at else ""


@lru_cache(1 << 16)
def first_class(text_: str) -> str:
    """The class that declares the field with which a word begins; "" if it begins with none."""
    found = components(text_)
    return found[0][len("Field[") : -1].rpartition(".")[0] if found and found[0].startswith("Field[") else ""


def fronts(text_: str) -> Iterator[str]:
    """The words that a word begins with, but for the empty one and itself."""
    found = components(text_)
    for length in range(1, len(found)):
        yield ".".join(found[:length])


def rest(text_: str, front_: str) -> str:
    """What stands in a word behind what it begins with."""
    return text_[len(front_) + 1 :]


@lru_cache(1 << 16)
def synthetic(text_: str) -> str:
    """The one component that stands for a word with fields: named by its last field and the contents behind that, since
    objects of a structure may be reached in several ways."""
    return f"SyntheticField[{last_field(text_).replace('Field[', '', 1).replace(']', '', 1)}]"


# ---- how rows of models name methods


def short_signature(signature: str) -> str:
    """The parameter types of `name(a.b.C$D,int)` as rows have them: `(D,int)`."""
    types = signature[signature.index("(") + 1 : -1]
    return f"({','.join(re.split(r'[.$]', each)[-1] for each in types.split(','))})"


def model_type(class_: str, package: str) -> str:
    """A class without its package."""
    return class_[len(package) + 1 :] if package else class_


def model_member(name: str, class_: str) -> str:
    """The name of a method; of constructors the simple name of their class."""
    return re.split(r"[.$]", class_)[-1] if name == "<init>" else name


def synthetic_in(text_: str) -> str:
    """The synthetic fields of a path, as one text; "" if it has none."""
    return ".".join(each for each in components(text_) if each.startswith("SyntheticField["))


def has_component(text_: str, component: str) -> int:
    """1 if the component is one of a word, else 0."""
    return int(component in components(text_))


@lru_cache(1 << 16)
def covers(row_input: str, row_output: str, input_: str, output: str) -> int:
    """1 if a row's flow is this flow, or one of what is below this flow's ends is below the row's."""
    if not (_below(input_, row_input) and _below(output, row_output)):
        return 0
    return int(input_[len(row_input) :] == output[len(row_output) :])


def _below(path: str, front_: str) -> bool:
    return path == front_ or path.startswith(f"{front_}.")
