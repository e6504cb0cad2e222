"""A campaign that begins with what an earlier one learned: with its features, which alone its weights are about.

The *root* of outcomes is the digest that begins the log in which they were first told. A campaign made from another has
the root of that one, whatever either did since: so what one of a family learned is known as such to all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sureshot.campaign.log.log import Log
from sureshot.campaign.model.options import Options
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import belief_to_dict
from sureshot.campaign.model.spec import stored_design
from sureshot.campaign.model.stored import check_posterior
from sureshot.errors import InvalidInput, about
from sureshot.said import Call
from sureshot.schema import shown, wrong
from sureshot.space import Contexts, ContextualDesign, Design, Space, Table
from sureshot.space.contextual import usual_ranges
from sureshot.space.features.design import Input
from sureshot.space.tables.column import show
from sureshot.storage import CampaignRecord, Event

__all__ = ["copied_from", "declared", "learned", "posterior", "root", "same_design"]

#: The version of what a campaign gives away; the features in it have one of their own.
POSTERIOR = 1


def posterior(log: Log) -> dict[str, Any]:
    """What is believed, with the features that it is about and the roots of the outcomes that it rests on."""
    record, spec, events, ledger = log.record, log.spec, log.events(), log.ledger
    own = (root(record, events),) if ledger.counted() else ()
    return {
        "version": POSTERIOR,
        "campaign": record.name,
        "events": ledger.last,
        "digest": ledger.digest,
        "roots": list(dict.fromkeys((*own, *spec.prior_roots))),
        "link": spec.link,
        "contexts": list(spec.pool.context_names) if spec.pool.contextual else None,
        "columns": list(spec.pool.design.columns),
        "design": spec.pool.design.to_dict(),
        "belief": belief_to_dict(log.believed()),
    }


def root(record: CampaignRecord, events: Sequence[Event]) -> str:
    """The root of the outcomes of a campaign: its own beginning, or that of the one in which they were first told."""
    before = _origin(events[0]) if events else {}
    return str(before.get("root", record.digest))


def copied_from(events: Sequence[Event]) -> set[str]:
    """The digests of the logs that outcomes were copied from, at every step: all that older versions kept of it."""
    return {str(found["digest"]) for found in map(_origin, events) if "digest" in found}


def _origin(event: Event) -> dict[str, Any]:
    """What a note says about the campaign that this one is made from; nothing, if it is another event."""
    if event.kind != "noted" or event.trial is not None:
        return {}
    found = (event.payload or {}).get("from")
    return found if isinstance(found, dict) else {}


def learned(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an earlier campaign learned, if this is it."""
    missing = [name for name in ("campaign", "design", "contexts", "belief", "link") if name not in given]
    if missing:
        raise InvalidInput(
            "a prior from another campaign must be what its ",
            Call("posterior"),
            f" gave, got a mapping without {missing[0]!r}",
            field="prior",
            fix="give all of it, or leave `prior` out",
        )
    if given.get("version") != POSTERIOR:
        raise InvalidInput(
            f"a prior from another campaign must be of version {POSTERIOR}, got {shown(given.get('version'))}",
            field="prior",
            fix="update sureshot",
        )
    with about("prior", whole=True):
        check_posterior(given, "posterior")
    return given


@about("prior")
def same_design(space: Space, earlier: Mapping[str, Any], options: Options) -> Pool:
    """The design of the earlier campaign: its weights mean something for these features and no others."""
    names = earlier["contexts"]
    with about("prior", whole=True):
        design = stored_design(earlier["design"], names is not None, at="posterior.design")
        if not {one.name for one in design.context_inputs} <= set(names or ()):
            raise wrong("posterior.contexts", "must name the columns of a case that the design asks for", names)
    _same_parameters(space, design.action.inputs, earlier["campaign"])
    contexts = None if options.context is None else declared(options.context)
    if (contexts is None) != (names is None):
        has = "no contexts" if names is None else f"the contexts {', '.join(names)}"
        fix = f"leave `{'context' if names is None else 'prior'}` out, or make this one like it"
        raise InvalidInput(f"the prior comes from a campaign with {has}", field="prior", fix=fix)
    if contexts is not None and contexts.names != tuple(names):
        raise InvalidInput(
            f"the prior comes from a campaign with the contexts {', '.join(names)}, got {', '.join(contexts.names)}",
            fix="declare the same",
        )
    texts: tuple[str | None, str | None] = (None, None)
    if isinstance(design, ContextualDesign):
        texts = design.action.formula, design.context.formula
    elif isinstance(design, Design):
        texts = design.formula, None
    for wanted, kept in zip((options.formula, options.context_formula), texts, strict=True):
        if wanted is not None and wanted != kept:
            has = "no formula" if kept is None else f"the formula {kept!r}"
            raise InvalidInput(
                f"the prior comes from a campaign with {has}", field="formula", got=wanted, fix="leave it out"
            )
    return Pool(space, design, tuple(names or ()), {} if contexts is None else usual_ranges(contexts))


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


@about("context")
def declared(context: Any) -> Table:
    """What a case looks like: example rows, or a mapping of declarations."""
    if isinstance(context, Table):
        return context
    return Contexts(**context) if isinstance(context, Mapping) else Contexts(context)
