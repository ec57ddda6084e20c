"""From the core program to plans: components → aggregates expanded → join orders → steps. Backend-neutral.

expand(program)            relations and rules by component, aggregated relations taken apart      `components`
next_atom(…)               the atom that is joined next: least rows expected                        `order`
directed(…)                the direction in which a literal is evaluated: records, sums             `directions`
plans_of_bootstrap(…)      a rule's plans for semi-naive evaluation                                  `build`
plans_of_update(…)         a rule's plans for changed body rows, and for rows of its head            `build`
with_groups(…)             equal intermediate rows merged, with their number as multiplicity         `groups`
cover(…)                   as few indexes as serve all look-ups                                      `indexes`
"""
