"""The aim of a campaign: what counts, for how long, at what cost, and what chooses the trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from sureshot.campaign.model.model import Model, new_model
from sureshot.campaign.model.options import Cost, Options, ValueOver
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.tryout import refuse_what_fails
from sureshot.campaign.model.words import Words, checked_words
from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, about, given, unknown_name
from sureshot.policies import Objective, default_policy, policy_of, written
from sureshot.policies.policy import refuse_what_it_cannot
from sureshot.said import Setting
from sureshot.schema import LARGEST, shown
from sureshot.space import Space

__all__ = ["OPEN_END", "new_spec", "planned"]

#: What says that there is no stopping rule, where a campaign is made from another that has one.
NO_RULE = "none"
#: The discount of an online campaign that names neither a budget nor a discount: some hundred later trials profit.
OPEN_END = 0.99
#: The largest budget: nobody runs more, and all arithmetic of trials left stays exact.
MOST_TRIALS = 1_000_000_000


def new_spec(space: Any, options: Options) -> Spec:
    """A specification from what a person gives, checked; see :meth:`sureshot.campaign.Campaign.create`."""
    with given(options):
        words = checked_words(options.success, options.failure)
        return planned(new_model(space, options), words, options)


def planned(model: Model, words: Words, options: Options) -> Spec:
    """The specification of a campaign with this model, whose aim and means are checked here."""
    objective, value = options.objective, options.value
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
    rule = policy_of(options.policy, default=default_policy(grid=pool.space.is_grid))
    kept = written(rule)  # what can't be kept is refused here
    most, later = _horizon(options)
    each, one = _costs(options.cost, pool.space, objective, options.worth)
    stopping = _stopping(options, pool.contextual)
    refuse_what_it_cannot(rule, model.prior, objective=objective, contextual=pool.contextual, cost=each is not None)
    refuse_what_fails(rule, pool, model.prior, objective=objective, trials_left=most, discount=later, cost=each)
    over: ValueOver = value or ("seen contexts" if pool.contextual else "same context")
    return Spec(
        **model._asdict(),
        words=words,
        objective=objective,
        budget=most,
        discount=later,
        cost=one,
        costs=each,
        worth=None if options.worth is None else float(options.worth),
        written_stopping=stopping,
        value=over,
        written_policy=kept,
    )


def _horizon(options: Options) -> tuple[int | None, float | None]:
    """How many trials may be asked, and how later successes are discounted."""
    objective, budget, discount = options.objective, options.budget, options.discount
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, int | np.integer) or budget < 1):
        open_end = "leave it out for an open end"
        raise InvalidInput("`budget` must be a whole number of trials, at least 1", got=budget, fix=open_end)
    if budget is not None and budget > MOST_TRIALS:
        raise InvalidInput(f"`budget` must be at most {MOST_TRIALS:,} trials", got=budget, fix="leave it out")
    most = None if budget is None else int(budget)
    if discount is None:
        return most, OPEN_END if objective == "online" and most is None else None
    if objective != "online":
        online = Setting("objective", "online")
        raise InvalidInput("`discount` is for ", online, ", got it offline", value=discount, fix="leave it out")
    if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0.0 <= discount < 1.0:
        raise InvalidInput("`discount` must be a number from 0 to below 1", got=discount, fix="0.99 is usual")
    return most, float(discount)


def _stopping(options: Options, contextual: bool) -> dict[str, Any] | None:
    """The stopping rule, checked and written down."""
    if options.stopping is None or options.stopping == NO_RULE:
        return None
    from sureshot.policies.stopping import stopping_of, written_stopping

    if contextual or options.objective == "online":
        why = "with contexts every case is another choice" if contextual else "online every trial counts for itself"
        raise InvalidInput(
            f"`stopping` is for campaigns that end in one choice, and {why}",
            value=_shown(options.stopping),
            fix=f"leave it out, or write {NO_RULE!r} where the campaign before had one",
        )
    return written_stopping(stopping_of(options.stopping))


def _shown(given: object) -> object:
    return given if isinstance(given, str | Mapping) else repr(given)


@about("worth")
def _worth(worth: object, cost: Cost) -> float:
    """What a success of the final choice is worth in the unit of the costs; 1 if that is success probability."""
    if worth is None:
        return 1.0
    if isinstance(worth, bool) or not isinstance(worth, int | float) or not 0.0 < worth <= LARGEST:
        raise InvalidInput(
            f"`worth` must be a number above 0 and of at most {LARGEST:g}, in the unit of the costs",
            got=shown(worth) if isinstance(worth, int) else worth,
            fix="leave it out if you can't say",
        )
    if cost is None:
        raise InvalidInput(
            "`worth` is set against what trials cost, which is not said",
            value=worth,
            fix="give `cost`, or leave it out",
        )
    return float(worth)


@about("cost")
def _costs(cost: Cost, space: Space, objective: Objective, worth: float | None) -> tuple[Array | None, float | None]:
    """What each alternative costs, and what one trial (or one unit of these) costs in success probability."""
    one = _worth(worth, cost)
    if cost is None:
        return None, None
    if isinstance(cost, bool):
        raise InvalidInput(
            "`cost` must be a number, the name of a column or one number an alternative",
            got=cost,
            fix="leave it out if trials cost nothing",
        )
    if isinstance(cost, int | float):
        if worth is not None and not 0.0 < cost < one:
            raise InvalidInput(
                f"`cost` must be above 0 and below what a success is worth, {worth:g}",
                got=cost,
                fix="a trial that costs more is never worth it" if cost >= one else "leave it out if trials are free",
            )
        if worth is None and not 0.0 < cost < 1.0:
            raise InvalidInput(
                "`cost` as one number is what a trial is worth in success probability, between 0 and 1",
                got=cost,
                fix="0.002 says that a trial must add a fifth of a point; give `worth` too if it is money. For costs "
                "that differ, name a column",
            )
        share = float(cost) / one
        if not share:
            raise InvalidInput(
                f"`cost` must be a part of what a success is worth, {worth:g}, that a number can hold",
                got=cost,
                fix="leave both out if trials are free",
            )
        return None, share
    if objective == "online":
        raise InvalidInput(
            "costs that differ are for ",
            Setting("objective", "offline"),
            ", since successes and costs have no common unit",
            field="cost",
            value=cost,
            fix="leave `cost` out, or the online objective",
        )
    if isinstance(cost, str):
        column = space.column(cost)
        if column.kind != "number":
            raise InvalidInput(
                f"`cost` must name a column of numbers, got {cost!r}, which holds a {column.kind}",
                value=cost,
                fix="name another column",
            )
        cost = column.numbers().tolist()
    each = check.frozen(check.positive(np.asarray(cost), "cost", len(space)))
    if each.max() > LARGEST:
        raise InvalidInput(f"`cost` must be at most {LARGEST:g}", got=float(each.max()), fix="use a larger unit")
    return each, None if worth is None else 1.0 / one
