"""What a campaign is, once and for all: its alternatives and features, its words, its objective, its prior.

Written as one JSON document and never changed. Whatever could be decided otherwise by a later sureshot (the default
prior, the standardisation of features) is in it as plain numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import PriorGiven, belief_from_dict, belief_to_dict, made_prior, refuse_no_prior
from sureshot.campaign.model.words import Words, checked_words
from sureshot.core import Belief, Mixture, check, get_link
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, UnknownName, about, unknown_name
from sureshot.policies import DEFAULT, Objective, Policy, policy_of, written
from sureshot.policies.policy import refuse_what_it_cannot
from sureshot.said import Call, Record, Setting
from sureshot.space import (
    SHAPES,
    Actions,
    Contexts,
    ContextualDesign,
    Design,
    Shape,
    ShapedDesign,
    Space,
    Table,
    shape_prior,
)
from sureshot.space.contextual import in_every_case, usual_ranges
from sureshot.space.features.design import Input
from sureshot.space.tables.column import show

__all__ = [
    "OPEN_END",
    "Cost",
    "Model",
    "Objective",
    "PolicyGiven",
    "Spec",
    "ValueOver",
    "new_model",
    "new_spec",
    "planned",
]

#: In which cases the final choice will be made, for the value of a trial: in the same one, or in any like those seen.
ValueOver = Literal["same context", "seen contexts"]

#: The discount of an online campaign that names neither a budget nor a discount: some hundred later trials profit.
OPEN_END = 0.99

PolicyGiven = str | Mapping[str, Any] | Policy
Cost = float | str | Sequence[float] | None


@dataclass(frozen=True, eq=False)
class Spec:
    """The specification of a campaign."""

    pool: Pool
    words: Words
    objective: Objective
    budget: int | None
    discount: float | None
    cost: float | None  # what one trial (or one unit of `costs`) is worth, in success probability
    costs: Array | None  # (M,) what each alternative costs
    prior: Belief | Mixture
    prior_given: str  # "auto", the precision, or whose posterior it is
    link: str
    value: ValueOver
    policy: Policy

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it. Version 2 brought the value over seen contexts, version 3 the policy."""
        return {
            "version": 3,
            "space": self.pool.space.to_dict(),
            "design": self.pool.design.to_dict(),
            "contexts": list(self.pool.context_names) if self.pool.contextual else None,
            "context_ranges": {name: list(ends) for name, ends in self.pool.context_ranges.items()},
            "value": self.value,
            "success": self.words.success,
            "failure": self.words.failure,
            "objective": self.objective,
            "budget": self.budget,
            "discount": self.discount,
            "cost": self.cost,
            "costs": None if self.costs is None else self.costs.tolist(),
            "prior": {"given": self.prior_given, **belief_to_dict(self.prior)},
            "link": self.link,
            "policy": written(self.policy),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Spec:
        """The specification that :meth:`to_dict` wrote."""
        try:
            if stored["version"] not in (1, 2, 3):
                raise InvalidInput(f"a campaign must be of version 1 to 3, got {stored['version']!r}: update sureshot.")
            names = stored["contexts"]
            design = _stored_design(stored["design"], names is not None)
            ranges = {str(k): (float(low), float(high)) for k, (low, high) in stored.get("context_ranges", {}).items()}
            pool = Pool(Space.from_dict(stored["space"]), design, tuple(names or ()), ranges)
            costs = stored["costs"]
            return cls(
                pool,
                Words(stored["success"], stored["failure"]),
                stored["objective"],
                stored["budget"],
                stored["discount"],
                stored["cost"],
                None if costs is None else check.frozen(costs),
                belief_from_dict(stored["prior"]),
                str(stored["prior"]["given"]),
                stored["link"],
                stored.get("value", "same context"),
                _kept_policy(stored.get("policy", {"name": DEFAULT})),
            )
        except (KeyError, TypeError) as error:
            raise InvalidInput(
                f"the stored specification must be what sureshot wrote, and lacks {error}: "
                "this campaign was made by another program."
            ) from error


def _kept_policy(stored: Mapping[str, Any]) -> Policy:
    """The policy of a stored campaign; campaigns of versions 1 and 2 have none, and use the default."""
    try:
        return policy_of(stored)
    except UnknownName as error:
        raise UnknownName(
            f"this campaign was made with the policy {stored['name']!r}, which is not as it was then: if it is your "
            f"own, import the module that registers it (register_policy) before you open the campaign. {error}"
        ) from error


def _stored_design(stored: Mapping[str, Any], contextual: bool) -> Design | ContextualDesign | ShapedDesign:
    if "shape" in stored:
        return ShapedDesign.from_dict(stored)
    return ContextualDesign.from_dict(stored) if contextual else Design.from_dict(stored)


def new_spec(
    space: Any,
    *,
    context: Any = None,
    interactions: bool = True,
    shape: Shape | None = None,
    formula: str | None = None,
    context_formula: str | None = None,
    success: str = "success",
    failure: str = "failure",
    objective: Objective = "offline",
    budget: int | None = None,
    discount: float | None = None,
    cost: Cost = None,
    prior: PriorGiven = "auto",
    link: str | None = None,
    value: ValueOver | None = None,
    policy: PolicyGiven = DEFAULT,
) -> Spec:
    """A specification from what a person gives, checked; see :meth:`sureshot.campaign.Campaign.create`."""
    words = checked_words(success, failure)
    model = new_model(
        space,
        context=context,
        interactions=interactions,
        shape=shape,
        formula=formula,
        context_formula=context_formula,
        prior=prior,
        link=link,
    )
    return planned(
        model, words, objective=objective, budget=budget, discount=discount, cost=cost, value=value, policy=policy
    )


class Model(NamedTuple):
    """What can be tried, and what is believed of it before any outcome."""

    pool: Pool
    prior: Belief | Mixture
    prior_given: str
    link: str


def planned(
    model: Model,
    words: Words,
    *,
    objective: Objective,
    budget: int | None,
    discount: float | None,
    cost: Cost,
    value: ValueOver | None,
    policy: PolicyGiven,
) -> Spec:
    """The specification of a campaign with this model, whose aim and means are checked here."""
    pool = model.pool
    if objective not in get_args(Objective):
        raise unknown_name("objective", objective, get_args(Objective), field="objective")
    if value is not None and value not in get_args(ValueOver):
        raise unknown_name("value", value, get_args(ValueOver), field="value")
    if value == "seen contexts" and not pool.contextual:
        raise InvalidInput(
            Setting("value", value),
            " is for campaigns with contexts",
            value=value,
            fix="give `context`, or leave it out",
        )
    rule = policy_of(policy)
    written(rule)  # what can't be kept is refused here
    most, later = _horizon(objective, budget, discount)
    each, one = _costs(cost, pool.space, objective)
    refuse_what_it_cannot(rule, model.prior, objective=objective, contextual=pool.contextual, cost=each is not None)
    over: ValueOver = value or ("seen contexts" if pool.contextual else "same context")
    return Spec(pool, words, objective, most, later, one, each, model.prior, model.prior_given, model.link, over, rule)


def new_model(
    space: Any,
    *,
    context: Any,
    interactions: bool,
    shape: Shape | None,
    formula: str | None,
    context_formula: str | None,
    prior: PriorGiven,
    link: str | None,
) -> Model:
    """The features of all alternatives and the prior about them, from what a person gives."""
    alternatives = space if isinstance(space, Space) else Actions(space)
    earlier = _posterior(prior) if isinstance(prior, Mapping) else None
    bends = _checked_shape(shape, formula, context_formula, interactions, prior)
    if earlier is not None:
        pool = _same_design(alternatives, earlier, context, formula, context_formula)
    elif bends is not None:
        pool = _shaped_pool(alternatives, context, bends)
    else:
        pool = _new_pool(alternatives, context, interactions, formula, context_formula)
    pool.encode()  # a row that has no features is refused here, before anything is stored
    if earlier is not None:
        belief = belief_from_dict(earlier["belief"])
        chosen, given = str(earlier["link"]), f"posterior of {earlier['campaign']}"
        if link is not None and get_link(link).name != chosen:
            raise InvalidInput(
                "the prior was learned with ",
                Setting("link", chosen),
                got=Setting("link", link),
                fix="leave `link` out",
            )
        if belief.d != pool.design.width:
            raise InvalidInput(
                f"the prior must be about {pool.design.width} features, as this campaign has, got {belief.d}."
            )
    else:
        assert not isinstance(prior, Mapping)
        refuse_no_prior(prior)
        chosen = get_link(link or "logit").name
        if isinstance(pool.design, ShapedDesign):
            belief = shape_prior(pool.design, link=chosen)
        else:
            rows = None if pool.contextual else pool.matrix()
            belief = made_prior(prior, pool.design.width, intercept=pool.has_intercept, link=chosen, pool=rows)
        given = str(prior)
    return Model(pool, belief, given, chosen)


def _new_pool(space: Space, context: Any, interactions: bool, formula: str | None, context_formula: str | None) -> Pool:
    if context is None:
        if context_formula is not None:
            raise InvalidInput(
                "`context_formula` is for campaigns with contexts",
                value=context_formula,
                fix="give `context`, or leave it out",
            )
        return Pool(space, space.design(formula))
    contexts = _contexts(context)
    design = ContextualDesign.fit(
        contexts, space, interactions=interactions, context_formula=context_formula, action_formula=formula
    )
    return Pool(space, design, contexts.names, usual_ranges(contexts))


def _checked_shape(
    shape: str | None, formula: str | None, context_formula: str | None, interactions: bool, prior: PriorGiven
) -> Shape | None:
    """The shape of the belief; None where a formula, a precision or an earlier campaign says what its features are."""
    told: dict[str | Record, bool] = {
        "a formula": formula is not None or context_formula is not None,
        Setting("interactions", False): not interactions,
        "a prior precision": not isinstance(prior, str | Mapping),
        "the prior of an earlier campaign": isinstance(prior, Mapping),
    }
    other = next((name for name, given in told.items() if given), None)
    if shape is not None and shape not in SHAPES:
        raise unknown_name("shape", shape, SHAPES, field="shape")
    if shape is not None and other is not None:
        raise InvalidInput(
            "a shape and ",
            other,
            " both say what the features are",
            field="shape",
            got=Setting("shape", shape),
            fix="leave one out",
        )
    return None if other is not None else shape or "auto"


def _shaped_pool(space: Space, context: Any, shape: Shape) -> Pool:
    if context is None:
        return Pool(space, ShapedDesign.fit(space, shape))
    contexts = _contexts(context)
    both = set(contexts.names) & set(space.names)
    if both:
        raise InvalidInput(
            f"a column must belong to the context or to the action, got {sorted(both)[0]!r} in both: rename one."
        )
    design = ShapedDesign.fit(in_every_case(contexts, space.table), shape, contexts=contexts.names)
    return Pool(space, design, contexts.names, usual_ranges(contexts))


@about("context")
def _contexts(context: Any) -> Table:
    if isinstance(context, Table):
        return context
    return Contexts(**context) if isinstance(context, Mapping) else Contexts(context)


def _posterior(given: Mapping[str, Any]) -> Mapping[str, Any]:
    missing = [name for name in ("campaign", "design", "contexts", "belief", "link") if name not in given]
    if missing:
        raise InvalidInput(
            "a prior from another campaign must be what its ",
            Call("posterior"),
            f" gave, got a mapping without {missing[0]!r}.",
            field="prior",
        )
    return given


@about("prior")
def _same_design(
    space: Space, earlier: Mapping[str, Any], context: Any, formula: str | None, context_formula: str | None
) -> Pool:
    """The design of the earlier campaign: its weights mean something for these features and no others."""
    names = earlier["contexts"]
    design = _stored_design(earlier["design"], names is not None)
    _same_parameters(space, design.action.inputs, earlier["campaign"])
    if (context is None) != (names is None):
        has = "no contexts" if names is None else f"the contexts {', '.join(names)}"
        raise InvalidInput(f"the prior comes from a campaign with {has}: this one must be like it.")
    if context is not None and _contexts(context).names != tuple(names):
        raise InvalidInput(
            f"the prior comes from a campaign with the contexts {', '.join(names)}, got "
            f"{', '.join(_contexts(context).names)}: declare the same."
        )
    texts: tuple[str | None, str | None] = (None, None)
    if isinstance(design, ContextualDesign):
        texts = design.action.formula, design.context.formula
    elif isinstance(design, Design):
        texts = design.formula, None
    for wanted, kept in zip((formula, context_formula), texts, strict=True):
        if wanted is not None and wanted != kept:
            has = "no formula" if kept is None else f"the formula {kept!r}"
            raise InvalidInput(
                f"the prior comes from a campaign with {has}", field="formula", got=wanted, fix="leave it out"
            )
    return Pool(space, design, tuple(names or ()), {} if context is None else usual_ranges(_contexts(context)))


def _same_parameters(space: Space, inputs: Sequence[Input], campaign: str) -> None:
    """Refuse a space that lacks what the weights of the prior are about."""
    wanted = [one.name for one in inputs]
    fix = "give this campaign the same parameters, or leave `prior` out"
    if not set(wanted) <= set(space.names):
        raise InvalidInput(
            f"the prior is what campaign {campaign!r} learned about {', '.join(wanted)}, got the parameters "
            f"{', '.join(space.names)}",
            fix=fix,
        )
    for one in inputs:
        column = space.column(one.name)
        if column.kind != one.kind or (column.unit and one.unit and column.unit != one.unit):
            raise InvalidInput(
                f"the prior knows {one.name} as {_described(one.kind, one.unit)}, got "
                f"{_described(column.kind, column.unit)}",
                fix=fix,
            )
        new = [show(level) for level in column.levels.tolist() if one.levels and level not in one.levels]
        if new:
            known = ", ".join(map(show, one.levels))
            raise InvalidInput(
                f"the prior knows {one.name} as {known}, and nothing of {', '.join(new)}",
                fix="leave that out, or leave `prior` out",
            )


def _described(kind: str, unit: str) -> str:
    return f"a {kind} in {unit}" if unit else f"a {kind}"


def _horizon(objective: Objective, budget: object, discount: object) -> tuple[int | None, float | None]:
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, int | np.integer) or budget < 1):
        open_end = "leave it out for an open end"
        raise InvalidInput("`budget` must be a whole number of trials, at least 1", got=budget, fix=open_end)
    most = None if budget is None else int(budget)
    if discount is None:
        return most, OPEN_END if objective == "online" and most is None else None
    if objective != "online":
        online = Setting("objective", "online")
        raise InvalidInput("`discount` is for ", online, ", got it offline", value=discount, fix="leave it out")
    if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0.0 <= discount < 1.0:
        raise InvalidInput("`discount` must be a number from 0 to below 1", got=discount, fix="0.99 is usual")
    return most, float(discount)


@about("cost")
def _costs(cost: Cost, space: Space, objective: Objective) -> tuple[Array | None, float | None]:
    """What each alternative costs, and what one trial costs in success probability."""
    if cost is None:
        return None, None
    if isinstance(cost, bool):
        raise InvalidInput("`cost` must be a number, the name of a column or one number an alternative", got=cost)
    if isinstance(cost, int | float):
        if not 0.0 < cost < 1.0:
            raise InvalidInput(
                "`cost` as one number is what a trial is worth in success probability, between 0 and 1",
                got=cost,
                fix="0.002 says that a trial must add a fifth of a point. For costs that differ, name a column",
            )
        return None, float(cost)
    if objective == "online":
        raise InvalidInput(
            "costs that differ are for ",
            Setting("objective", "offline"),
            ": successes and costs have no common unit.",
            field="cost",
            value=cost,
        )
    if isinstance(cost, str):
        column = space.column(cost)
        if column.kind != "number":
            raise InvalidInput(
                f"`cost` must name a column of numbers, got {cost!r}, which holds a {column.kind}.", value=cost
            )
        cost = column.numbers().tolist()
    return check.frozen(check.positive(np.asarray(cost), "cost", len(space))), None
