"""What a campaign is, once and for all: its alternatives and features, its words, its objective, its prior.

Written as one JSON document and never changed. Whatever could be decided otherwise by a later sureshot (the default
prior, the standardisation of features) is in it as plain numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sureshot.campaign.model.options import ValueOver
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict
from sureshot.campaign.model.words import Words
from sureshot.core import Belief, Mixture, check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import Objective, Policy, default_policy, policy_of, written
from sureshot.space import ContextualDesign, Design, ShapedDesign, Space

__all__ = ["Spec", "stored_design"]


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
            design = stored_design(stored["design"], names is not None)
            ranges = {str(k): (float(low), float(high)) for k, (low, high) in stored.get("context_ranges", {}).items()}
            pool = Pool(Space.from_dict(stored["space"]), design, tuple(names or ()), ranges)
            costs = stored["costs"]
            return cls(
                pool=pool,
                words=Words(stored["success"], stored["failure"]),
                objective=stored["objective"],
                budget=stored["budget"],
                discount=stored["discount"],
                cost=stored["cost"],
                costs=None if costs is None else check.frozen(costs),
                prior=belief_from_dict(stored["prior"]),
                prior_given=str(stored["prior"]["given"]),
                link=stored["link"],
                value=stored.get("value", "same context"),
                policy=_kept_policy(stored.get("policy", {"name": default_policy(grid=pool.space.is_grid)})),
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


def stored_design(stored: Mapping[str, Any], contextual: bool) -> Design | ContextualDesign | ShapedDesign:
    """The design that a specification or a posterior keeps."""
    if "shape" in stored:
        return ShapedDesign.from_dict(stored)
    return ContextualDesign.from_dict(stored) if contextual else Design.from_dict(stored)
