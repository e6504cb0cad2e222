"""What a campaign is, once and for all: its alternatives and features, its words, its objective, its prior.

Written as one JSON document and never changed: it is in the digests of the log. Whatever could be decided otherwise by
a later sureshot (the default prior, the standardisation of features) is in it as plain numbers, and a campaign goes on
with the features, the prior and the aim that it was made with, whatever its version:

1. Features by a formula, the value in the same context. The campaign's own rule decided, which is gone: the default
   policy decides. The first of them keep no ranges of contexts.
2. The value over the contexts seen.
3. The policy by name and parameters; shapes, of version 1 (:mod:`sureshot.space.features.older_shapes`).
4. Shapes of version 2, which say every number that gives their features; the roots of the outcomes that a prior has
   learned from.
5. A stopping rule by name and parameters, and what a success of the final choice is worth.

What an older sureshot would misread must have a higher version, so that it says "update sureshot".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sureshot.campaign.model.options import ValueOver
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict, prior_roots
from sureshot.campaign.model.stored import check_spec
from sureshot.campaign.model.words import Words
from sureshot.core import Belief, Mixture, check
from sureshot.core.numerics.stable import Array
from sureshot.errors import CorruptLog, InvalidInput, UnknownName
from sureshot.plugins import VARIABLE
from sureshot.policies import POLICIES, Objective, Policy, default_policy, policy_of, written
from sureshot.said import Call, Text
from sureshot.schema import FIX, shown, wrong
from sureshot.space import ContextualDesign, Design, ShapedDesign, Space

if TYPE_CHECKING:
    from sureshot.policies.stopping import StoppingRule

__all__ = ["VERSION", "Spec", "stored_design"]

#: Of a specification as it is written now.
VERSION = 5

#: Policies that campaigns were made with and that are gone: the default policy decides in their place.
_GONE = ("kg-careful", "kg-several")


@dataclass(frozen=True, eq=False, kw_only=True)
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
    written_policy: Mapping[str, Any]  # its name and parameters
    worth: float | None = None  # what a success of the final choice is worth, in the unit of the costs
    written_stopping: Mapping[str, Any] | None = None  # the stopping rule, its name and parameters
    prior_roots: tuple[str, ...] = ()  # of the outcomes that the prior has learned from, see `earlier`
    gone_policy: str | None = None  # the policy that it was made with, if that is gone

    @cached_property
    def policy(self) -> Policy:
        """What chooses the trials, made when the first is to be chosen: all else can be done without it."""
        try:
            return policy_of(self.written_policy)
        except UnknownName as error:
            raise _unknown("chooses its trials", "policy", "policy", self.written_policy, error) from error
        except InvalidInput as error:
            raise _no_such("policy", error) from error

    @cached_property
    def stopping(self) -> StoppingRule | None:
        """When no more trials are handed out, if a rule says so."""
        if self.written_stopping is None:
            return None
        from sureshot.policies.stopping import stopping_of  # loads what looks ahead

        try:
            return stopping_of(self.written_stopping)
        except UnknownName as error:
            raise _unknown("stops", "stopping rule", "stopping", self.written_stopping, error) from error
        except InvalidInput as error:
            raise _no_such("stopping", error) from error

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it, in the present version."""
        learned = {"roots": list(self.prior_roots)} if self.prior_roots else {}
        return {
            "version": VERSION,
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
            "worth": self.worth,
            "stopping": None if self.written_stopping is None else dict(self.written_stopping),
            "prior": {"given": self.prior_given, **learned, **belief_to_dict(self.prior)},
            "link": self.link,
            "policy": dict(self.written_policy),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], *, at: str = "spec") -> Spec:
        """The specification that :meth:`to_dict` wrote, now or in an older version; what it can't have written is an
        error that says where in the document, which stands ``at``.
        """
        version = stored.get("version") if isinstance(stored, Mapping) else None
        if type(version) is not int or not 1 <= version <= VERSION:
            told = f"a campaign must be of version 1 to {VERSION}, got {shown(version)}"
            raise InvalidInput(told, fix="update sureshot", place=f"{at}.version")
        check_spec(stored, at)
        names, costs = stored["contexts"], stored["costs"]
        pool = Pool(
            Space.from_dict(stored["space"], at=f"{at}.space"),
            stored_design(stored["design"], names is not None, at=f"{at}.design"),
            tuple(names or ()),
            {name: (float(low), float(high)) for name, (low, high) in stored.get("context_ranges", {}).items()},
        )
        _refuse_misfit(pool, at)
        prior = belief_from_dict(stored["prior"], at=f"{at}.prior")
        if prior.d != pool.design.width:
            raise wrong(f"{at}.prior.beliefs", f"must be about the {pool.design.width} features of the design", prior.d)
        if costs is not None and len(costs) != len(pool.space):
            raise wrong(f"{at}.costs", f"must have a number for each of {len(pool.space):,} alternatives", costs)
        policy = stored.get("policy")  # none in versions 1 and 2
        name = None if policy is None else policy["name"]
        gone = name in _GONE and name not in POLICIES  # somebody may have registered one of that name
        if policy is None or gone:
            policy = written(policy_of(default_policy(grid=pool.space.is_grid)))
        return cls(
            pool=pool,
            words=Words(stored["success"], stored["failure"]),
            objective=stored["objective"],
            budget=stored["budget"],
            discount=stored["discount"],
            cost=stored["cost"],
            costs=None if costs is None else check.frozen(costs),
            worth=stored.get("worth"),  # none before version 5
            written_stopping=stored.get("stopping"),
            prior=prior,
            prior_given=str(stored["prior"]["given"]),
            prior_roots=prior_roots(stored["prior"]),
            link=stored["link"],
            value=stored.get("value", "same context"),
            written_policy=dict(policy),
            gone_policy=name if gone else None,
        )


def _refuse_misfit(pool: Pool, at: str) -> None:
    """Refuse a design that asks for what no alternative and no case has."""
    design, known = pool.design, {one.name: one for one in pool.space.columns}
    if isinstance(design, ShapedDesign) and set(design.contexts) != set(pool.context_names):
        raise wrong(f"{at}.design.contexts", f"must be the contexts {pool.context_names}", design.contexts)
    for one in design.action.inputs:
        column = known.get(one.name)
        if column is None or column.kind != one.kind:
            raise wrong(f"{at}.design", f"must ask for parameters of the space, each of its kind, got {one.name!r}")
        if one.levels and not set(column.levels.tolist()) <= set(one.levels):
            raise wrong(f"{at}.design", f"must know every level of {one.name}", one.levels)
    for one in design.context_inputs:
        if one.name not in pool.context_names:
            raise wrong(f"{at}.design", f"must ask for contexts {pool.context_names}, got {one.name!r}")


def _unknown(does: str, what: str, field: str, written: Mapping[str, Any], error: UnknownName) -> UnknownName:
    """The error for a policy or a stopping rule that the specification names, and that is not known here."""
    name = written["name"]
    changed = "is not known here" if error.value == name else "has other parameters now"
    own = f"if it is your own, import the module that registers it, or name that in {VARIABLE}; to go on with "
    return UnknownName(
        f"this campaign {does} by the {what} {name!r}, which {changed}",
        field=field,
        value=name,
        fix=Text(own, f"another {what}, use ", Call("Campaign.create_from")),
    )


def _no_such(field: str, error: InvalidInput) -> CorruptLog:
    """The error for a policy or a stopping rule that is kept with parameters that it can't have."""
    return CorruptLog(f"{error.said(str).rstrip('.')} ({FIX})", field=field, value=error.value, place=f"spec.{field}")


def stored_design(stored: Mapping[str, Any], contextual: bool, *, at: str) -> Design | ContextualDesign | ShapedDesign:
    """The design that a specification or a posterior keeps, which stands ``at``."""
    if isinstance(stored, Mapping) and "shape" in stored:
        return ShapedDesign.from_dict(stored, at=at)
    return ContextualDesign.from_dict(stored, at=at) if contextual else Design.from_dict(stored, at=at)
