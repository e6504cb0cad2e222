"""The same experiments under another model: what of a campaign goes into a new one, and what may be said anew.

All outcomes that count go along, in the order in which they came, with who told them and when, with their corrections
and notes. What the old model predicted stays behind, and so do trials that are pending or were withdrawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, TypedDict

from sureshot.campaign.answers.wording import count, joined
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.log import Log
from sureshot.campaign.log.seen_before import imports
from sureshot.campaign.model.aim import OPEN_END, planned
from sureshot.campaign.model.earlier import copied_from, root
from sureshot.campaign.model.model import Model, new_model
from sureshot.campaign.model.options import Cost, Options, PolicyGiven, StoppingGiven, ValueOver, fields
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import PriorGiven, prior_roots
from sureshot.campaign.model.spec import Spec
from sureshot.errors import InvalidInput, SureshotError, given, unknown_name
from sureshot.policies import Objective
from sureshot.said import Setting, Text
from sureshot.space import Contexts, ContextualDesign, Design, Shape, Table
from sureshot.storage import CampaignRecord, Event, NewEvent, noted
from sureshot.storage.copying import events_anew
from sureshot.storage.fields import document_text

__all__ = ["Changes", "again"]


class Changes(TypedDict, total=False):
    """What may be said anew, as in :meth:`~sureshot.campaign.Campaign.create`; the rest is as in the old campaign."""

    shape: Shape | None
    formula: str | None
    context_formula: str | None
    interactions: bool | None
    prior: PriorGiven | None
    link: str | None
    objective: Objective
    budget: int | None
    discount: float | None
    cost: Cost
    worth: float | None
    value: ValueOver | None
    policy: PolicyGiven
    stopping: StoppingGiven


#: What makes the model; of these, None is "as in the old campaign".
_MODEL = tuple(one.name for one in fields("model"))
_CHANGEABLE = tuple(one.name for one in fields() if one.changeable)


def again(log: Log, changes: Mapping[str, Any]) -> tuple[Spec, list[NewEvent]]:
    """The specification and the first events of a campaign like that of ``log``, with some of it said anew."""
    events, record, ledger = log.events(), log.record, log.ledger
    if ledger.counted():
        _refuse_counted_twice(record, changes.get("prior"), events)
    with given(SimpleNamespace(**changes)):
        spec = _changed(record.name, log.spec, changes)
    _refuse_unfit(record.name, spec.pool, ledger)
    return spec, _carried(record, ledger, events)


def _changed(name: str, old: Spec, changes: Mapping[str, Any]) -> Spec:
    """The specification of campaign ``name``, with some of it said anew."""
    for key in changes:
        if key not in _CHANGEABLE:
            raise unknown_name("change", key, _CHANGEABLE)
    said = {key: changes[key] for key in _MODEL if changes.get(key) is not None}
    model = _remade(name, old, said) if said else Model(old.pool, old.prior, old.prior_given, old.link, old.prior_roots)
    aims: dict[str, Any] = {
        "objective": old.objective,
        "budget": old.budget,
        "discount": old.discount,
        "cost": _cost(old),
        "worth": old.worth,
        "value": old.value if old.pool.contextual else None,
        "policy": old.written_policy,
        "stopping": old.written_stopping,
        **{key: value for key, value in changes.items() if key not in _MODEL},
    }
    if aims["cost"] is None and "worth" not in changes:
        aims["worth"] = None  # there is nothing to set it against
    if "discount" not in changes and (aims["objective"] != old.objective or _open_end(old, aims["budget"])):
        aims["discount"] = None  # it was not about this aim
    return planned(model, old.words, Options(**aims))


def _cost(old: Spec) -> float | list[float] | None:
    """What trials cost, as it was said."""
    if old.costs is not None:
        return [float(one) for one in old.costs]
    return old.cost if old.cost is None or old.worth is None else old.cost * old.worth


def _open_end(old: Spec, budget: object) -> bool:
    """Whether the discount stood for an end that was open and is not any more."""
    return old.budget is None and budget is not None and old.discount == OPEN_END


def _remade(name: str, old: Spec, said: Mapping[str, Any]) -> Model:
    """Another model of the same alternatives: what is not said is as before, unless what is said takes its place."""
    given, design = said.get("prior"), old.pool.design
    if given is None and old.prior_given.startswith("posterior of "):
        raise InvalidInput(
            f"campaign {name!r} began with the {old.prior_given}, which is about its own features and link",
            fix=Text("say what the new one begins with, ", Setting("prior", "auto"), " for example"),
        )
    earlier = isinstance(given, Mapping)  # brings its own features and link
    kept: dict[str, Any] = {"link": None if earlier else old.link}
    if given is None:
        kept["prior"] = "auto" if "shape" in said or old.prior_given == "auto" else float(old.prior_given)
    if "shape" not in said and not earlier:
        if isinstance(design, Design):
            kept["formula"] = design.formula
        elif isinstance(design, ContextualDesign):
            kept["formula"], kept["context_formula"] = design.action.formula, design.context.formula
            kept["interactions"] = design.interactions
        elif not _says_features(said):
            kept["shape"] = design.shape
    contexts = _contexts(name, old.pool) if old.pool.contextual else None
    made = new_model(old.pool.space, Options(context=contexts, **{**kept, **said}))
    pool = replace(made.pool, context_names=old.pool.context_names, context_ranges=old.pool.context_ranges)
    return made._replace(pool=pool)


def _says_features(said: Mapping[str, Any]) -> bool:
    """Whether something is said that takes the place of a shape."""
    precise = said.get("prior", "auto") != "auto"
    return precise or said.get("interactions") is False or "formula" in said or "context_formula" in said


def _contexts(name: str, pool: Pool) -> Table:
    """What a case looks like, from what the campaign keeps of it: the ranges of numbers, the levels of names."""
    known = pool.declared()
    missing = [one.name for one in pool.design.context_inputs if one.name not in known]
    if missing or not known:
        raise InvalidInput(
            f"the cases of campaign {name!r} must be known to give it another model, got nothing about "
            f"{joined(missing or pool.context_names)}",
            fix="make a campaign with `context`, and import the outcomes",
        )
    for column, (low, high) in pool.context_ranges.items():
        if low == high:
            known[column] = low - 0.5, high + 0.5, *known[column][2:]
    return Contexts(**known)


def _refuse_unfit(name: str, pool: Pool, ledger: Ledger) -> None:
    """Refuse a model that has no features for something that was tried, and say which trial."""
    counted = ledger.counted()
    try:
        pool.features(counted)
    except SureshotError:
        for entry in counted:
            try:
                pool.features([entry])
            except SureshotError as error:
                raise type(error)(
                    f"the new model must have features for all that was tried, and has none for trial {entry.trial} ",
                    f"of campaign {name!r}: ",
                    error.sentence,
                    " Choose another, or withdraw that trial first.",
                    field=error.field,
                    value=error.value,
                ) from error
        raise


def _refuse_counted_twice(record: CampaignRecord, prior: object, events: Sequence[Event]) -> None:
    """Refuse a prior that has learned from the outcomes that go along, in whichever campaign it did."""
    if not isinstance(prior, Mapping):
        return
    known = {event.digest for event in events} | copied_from(events)
    if root(record, events) in prior_roots(prior) or prior.get("digest") in known:
        name = prior.get("campaign", record.name)
        raise InvalidInput(
            f"outcomes must count once, got as `prior` what campaign {name!r} learned from the outcomes that go along",
            fix="give another prior, or leave it out",
        )


def _carried(record: CampaignRecord, ledger: Ledger, events: Sequence[Event]) -> list[NewEvent]:
    """The events of the new campaign: where it comes from, then all that counts, in the order in which it came."""
    marks = {trials[0].trial: len(trials) for trials in imports(ledger)}
    new, numbers = events_anew(
        events,
        only={entry.trial for entry in ledger.counted()},
        opening=lambda event: document_text(_opening(record.name, event, marks), "payload"),
    )
    origin = {"campaign": record.name, "event": ledger.last, "digest": ledger.digest}
    if numbers:
        origin["root"] = root(record, events)
    world = {} if ledger.simulated is None else {"simulated": ledger.simulated}  # it answers in the new one too
    return [noted(_origin(record.name, ledger, numbers), payload={"from": origin, **world}), *new]


def _opening(campaign: str, event: Event, marks: Mapping[int, int]) -> dict[str, Any]:
    """What is kept with a trial: where it comes from, the levels of one not in the pool, the mark of an import."""
    before = event.payload or {}
    found: dict[str, Any] = {"from": {"campaign": campaign, "trial": event.trial}}
    if "levels" in before:
        found["levels"] = before["levels"]
    if event.trial is not None and event.trial in marks:
        found["import"] = {"rows": marks[event.trial]}
    return found


def _origin(campaign: str, ledger: Ledger, numbers: Mapping[int, int]) -> str:
    """Where a campaign comes from, in a sentence or three."""
    told = [f"From campaign {campaign}, event {ledger.last}: {count(len(numbers), 'outcome')}."]
    waiting = [entry.trial for entry in ledger.pending()]
    if waiting:
        one = len(waiting) == 1
        told.append(f"Trial{'s' * (not one)} {joined(waiting)} {'is' if one else 'are'} pending there and not copied.")
    moved = [(there, here) for there, here in numbers.items() if there != here]
    if moved:
        there, here = moved[0]
        told.append(f"Trial numbers differ from {here} on, which is {there} there.")
    return " ".join(told)
