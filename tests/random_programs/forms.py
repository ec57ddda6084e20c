"""Lattices of every form for random programs: how each is declared, and terms that make and take apart its values.

In terms `{number}` is a term of that type, `{v}` the value that is taken apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_PYTHON = Path(__file__).with_name("functions.py")


@dataclass(frozen=True)
class Form:
    """`needs`: other forms; `takes`: what `lub(x)` in a head takes beside values; `looks`: (term, type of its results);
    `meets`: whether `glb` is there."""

    text: str
    terms: tuple[str, ...]
    looks: tuple[tuple[str, str], ...] = ()
    takes: str = ""
    needs: tuple[str, ...] = ()
    meets: bool = False


FORMS: dict[str, Form] = {
    "Const": Form(
        '.lattice Const = "ladder.lattices:flat"\n.functor constant(n: number): Const = "ladder.lattices:constant"\n'
        '.functor known(c: Const): number = "ladder.lattices:known" several\n',
        ("@constant({number})",),
        (("@known({v})", "number"),),
        "number",
    ),
    "Range": Form(
        '.lattice Range = "ladder.lattices:interval((-10, -1, 0, 1, 4, 10))"\n'
        '.functor exactly(n: number): Range = "ladder.lattices:bounds_of"\n'
        f'.functor moved(r: Range, by: number): Range = "{_PYTHON}:moved"\n.functor low(r: Range): number = '
        '"ladder.lattices:low" several\n',
        ("@exactly({number})", "@moved({Range}, {number})"),
        (("@low({v})", "number"),),
        "number",
        meets=True,
    ),
    "Wide": Form(
        '.lattice Wide = "ladder.lattices:interval(None)"\n.functor between(l: number, h: number): Wide = '
        '"ladder.lattices:bounds"\n'
        '.functor under(r: Wide, n: number): Wide = "ladder.lattices:at_most"\n.functor top_of(r: Wide): number = '
        '"ladder.lattices:high" several\n',
        ("@between({number}, {number})", "@under({Wide}, {number})"),
        (("@top_of({v})", "number"),),
        "number",
        meets=True,
    ),
    "Strides": Form(
        '.lattice Strides = "ladder.lattices:strided((-10, -1, 0, 1, 4, 10))"\n'
        '.functor among(l: number, h: number, m: number, r: number): Strides = "ladder.lattices:within"\n'
        '.functor by(s: Strides): number = "ladder.lattices:step" several\n',
        ("@among({number}, {number}, 1, 0)", "@among(-9, 9, 3, {number})"),
        (("@by({v})", "number"),),
        "number",
        meets=True,
    ),
    "Sign": Form(
        '.lattice Sign = "ladder.lattices:sign"\n.functor sign_of(n: number): Sign = "ladder.lattices:sign.inject"\n',
        ('as("-0", Sign)', 'as("+", Sign)', 'as("0", Sign)', "@sign_of({number})"),
        (),
        "number",
        meets=True,
    ),
    "Parity": Form(
        '.lattice Parity = "ladder.lattices:parity"\n',
        ('as("even", Parity)', 'as("odd", Parity)', 'as("any", Parity)'),
        (),
        "number",
        meets=True,
    ),
    "Class": Form(
        '.lattice Class = "ladder.lattices:congruence"\n.functor class(n: number): Class = '
        '"ladder.lattices:congruence.inject"\n'
        '.functor congruent(m: number, r: number): Class = "ladder.lattices:congruent"\n'
        '.functor rest(c: Class): number = "ladder.lattices:remainder" several\n',
        ("@class({number})", "@congruent(4, {number})"),
        (("@rest({v})", "number"),),
        "number",
        meets=True,
    ),
    "Yes": Form('.lattice Yes = "ladder.lattices:boolean"\n', ("as(1, Yes)", "as(0, Yes)"), meets=True),
    "Least": Form('.lattice Least = "ladder.lattices:minimum"\n', ("as({number}, Least)",), meets=True),
    "Most": Form('.lattice Most = "ladder.lattices:maximum"\n', ("as({number}, Most)",), meets=True),
    "Names": Form(
        '.lattice Names = "ladder.lattices:powerset"\n.functor only(s: symbol): Names = "ladder.lattices:singleton"\n'
        '.functor names(s: Names): symbol = "ladder.lattices:members" several\n.functor shown(s: Names): symbol = '
        '"ladder.lattices:show"\n',
        ("@only({symbol})",),
        (("@names({v})", "symbol"), ("substr(@shown({v}), 0, 3)", "symbol")),
        "symbol",
        meets=True,
    ),
    "Both": Form(
        '.lattice Both = "ladder.lattices:product(sign, congruence)"\n.functor pair(s: Sign, c: Class): Both = '
        '"ladder.lattices:components"\n'
        '.functor part(b: Both, n: number): Sign = "ladder.lattices:component"\n',
        ("@pair({Sign}, {Class})",),
        (("@part({v}, 0)", "Sign"),),
        needs=("Sign", "Class"),
        meets=True,
    ),
    "Map": Form(
        '.lattice Map = "ladder.lattices:pointwise(sign)"\n.functor entry(k: symbol, s: Sign): Map = '
        '"ladder.lattices:entry"\n'
        '.functor lookup(m: Map, k: symbol): Sign = "ladder.lattices:lookup" several\n.functor keys(m: Map): symbol = '
        '"ladder.lattices:keys" several\n',
        ("@entry({symbol}, {Sign})",),
        (("@lookup({v}, {symbol})", "Sign"), ("@keys({v})", "symbol")),
        needs=("Sign",),
        meets=True,
    ),
    "Ranked": Form(
        '.lattice Ranked = "ladder.lattices:lexicographic(minimum, k_set(2))"\n.lattice Any2 = '
        '"ladder.lattices:k_set(2)"\n'
        '.functor one(s: symbol): Any2 = "ladder.lattices:singleton"\n.functor ranked(n: number, s: Any2): Ranked = '
        '"ladder.lattices:components"\n',
        ("@ranked({number}, @one({symbol}))",),
    ),
    "Four": Form(f'.lattice Four = "{_PYTHON}:FOUR"\n', ('as("none", Four)', 'as("a", Four)', 'as("b", Four)')),
    "Upside": Form(
        '.lattice Upside = "ladder.lattices:dual(sign)"\n',
        ('as("-0", Upside)', 'as("0+", Upside)', 'as("-0+", Upside)'),
        meets=True,
    ),
    "Trust": Form(
        f'.lattice Trust = "{_PYTHON}:Trust"\n',
        ('as("checked", Trust)', 'as("signed", Trust)'),
        (),
        "number",
        meets=True,
    ),
    "Bits": Form(f'.lattice Bits = "{_PYTHON}:Bits"\n', ("as({number} band 7, Bits)",), (), "number"),
    "Warm": Form(
        f'.type Warm = Unknown {{}} | Degrees {{n: number}}\n.lattice Warm = "{_PYTHON}:Warmest"\n',
        ("$Unknown", "$Degrees({number})"),
        (),
        meets=True,
    ),
    "Hull": Form(
        ".type Hull = [low: number, high: number]\n"
        f'.functor hull(a: Hull, b: Hull): Hull = "{_PYTHON}:hull"\n.functor overlap(a: Hull, b: Hull): Hull = '
        f'"{_PYTHON}:overlap"\n'
        f'.functor far(a: Hull, b: Hull): Hull = "{_PYTHON}:far"\n.functor up(a: Hull): Hull = "{_PYTHON}:up"\n'
        ".lattice Hull<> { Bottom -> nil, Lub -> @hull(_, _), Glb -> @overlap(_, _), Widen -> @far(_, _) }\n",
        ("[{number} % 4, {number} % 4 + 4]", "@up({Hull})"),
    ),
    "Flat": Form(
        ".type Flat = No {} | One {n: number} | All {}\n"
        f'.functor joined(a: Flat, b: Flat): Flat = "{_PYTHON}:joined"\n.functor met(a: Flat, b: Flat): Flat = '
        f'"{_PYTHON}:met"\n'
        f'.functor below(a: Flat, b: Flat): number = "{_PYTHON}:below"\n'
        ".lattice Flat<> { Bottom -> $No(), Top -> $All(), Lub -> @joined(_, _), Glb -> @met(_, _), Leq -> "
        "@below(_, _) }\n",
        ("$No", "$One({number})", "$All"),
    ),
}
