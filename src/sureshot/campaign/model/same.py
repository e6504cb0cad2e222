"""Whether a campaign that is there is the one that is described, in all that was said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from sureshot.campaign.model.aim import new_spec
from sureshot.campaign.model.options import Cost, Options, PolicyGiven, StoppingGiven, ValueOver
from sureshot.campaign.model.prior import PriorGiven
from sureshot.campaign.model.spec import Spec
from sureshot.errors import Conflict
from sureshot.policies import Objective
from sureshot.said import Call, Text
from sureshot.space import Shape, Space
from sureshot.space.tables.column import show

__all__ = ["Said", "refuse_another"]


class Said(TypedDict, total=False):
    """What may be said of a campaign, as in :meth:`~sureshot.campaign.Campaign.create`."""

    context: Any
    interactions: bool
    shape: Shape | None
    formula: str | None
    context_formula: str | None
    success: str
    failure: str
    objective: Objective
    budget: int | None
    discount: float | None
    cost: Cost
    worth: float | None
    prior: PriorGiven
    link: str | None
    value: ValueOver | None
    policy: PolicyGiven
    stopping: StoppingGiven
    seed: int | None


#: Of these, None (and of a policy "auto") leaves the choice to sureshot.
_LEFT_OPEN = ("shape", "formula", "context_formula", "link", "value", "seed")
_MODEL = ("shape", "formula", "context_formula", "interactions")


def refuse_another(name: str, seed: int, stored: Spec, space: Any, said: Mapping[str, Any]) -> None:
    """Refuse a campaign that differs from what is said, and name what differs. What is not said may be anything."""
    described = new_spec(space, Options(**said))
    found = list(_differences(seed, stored, described, said))
    if found:
        raise Conflict(
            f"campaign {name!r} is there already and differs in ",
            "; ".join(found),
            fix=Text(
                "say it as it is there, choose another name, or make a new one with ", Call("Campaign.create_from")
            ),
            field="name",
            value=name,
        )


def _differences(seed: int, stored: Spec, new: Spec, said: Mapping[str, Any]) -> Iterator[str]:
    yield from _alternatives(stored.pool.space, new.pool.space)
    told = {name for name, value in said.items() if not (value is None and name in _LEFT_OPEN)}
    if said.get("policy") == "auto":
        told.discard("policy")
    if told & set(_MODEL) and stored.pool.model != new.pool.model:
        yield _pair("model", stored.pool.model, new.pool.model)
    if "context" in told and _cases(stored) != _cases(new):
        yield _pair("context", _cases(stored), _cases(new))
    if "prior" in told and stored.prior_given != new.prior_given:
        yield _pair("prior", stored.prior_given, new.prior_given)
    if "cost" in told and _costs(stored) != _costs(new):
        yield "cost"
    both: dict[str, tuple[object, object]] = {
        **{name: (getattr(stored.words, name), getattr(new.words, name)) for name in ("success", "failure")},
        **{name: (getattr(stored, name), getattr(new, name)) for name in ("objective", "budget", "discount", "link")},
        "value": (stored.value, new.value),
        "worth": (stored.worth, new.worth),
        "policy": (_rule(stored.written_policy), _rule(new.written_policy)),
        "stopping": (_rule(stored.written_stopping), _rule(new.written_stopping)),
        "seed": (seed, said.get("seed")),
    }
    for name, (there, here) in both.items():
        if name in told and there != here:
            yield _pair(name, there, here)


def _alternatives(stored: Space, new: Space) -> Iterator[str]:
    """The parameters that differ, or that the rows do."""
    if stored.names != new.names:
        yield _pair("the parameters", ", ".join(stored.names), ", ".join(new.names))
        return
    levels = {one.name: (_levels(stored, one.name), _levels(new, one.name)) for one in stored.columns}
    different = [_pair(f"the levels of {name}", there, here) for name, (there, here) in levels.items() if there != here]
    if different:
        yield from different
    elif len(stored) != len(new):
        yield _pair("the number of alternatives", len(stored), len(new))
    elif stored.content_hash != new.content_hash:
        yield "the alternatives"


def _levels(space: Space, name: str) -> str:
    column = space.column(name)
    return " ".join(part for part in (", ".join(show(one) for one in column.levels.tolist()), column.unit) if part)


def _cases(spec: Spec) -> dict[str, Any]:
    return {name: spec.pool.declared().get(name) for name in spec.pool.context_names}


def _rule(written: Mapping[str, Any] | None) -> str:
    """A policy or a stopping rule as it is written: ``ucb alpha=2``."""
    if written is None:
        return "none"
    more = [f"{key}={show(one)}" for key, one in written.items() if key != "name"]
    return " ".join([str(written["name"]), *more])


def _costs(spec: Spec) -> object:
    return spec.cost, None if spec.costs is None else spec.costs.tolist()


def _pair(name: str, there: object, here: object) -> str:
    return f"{name} (there {there}, here {here})"
