"""The model of a campaign: what can be tried, as features, and what is believed of it before any outcome."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from sureshot.campaign.model.earlier import declared, learned, same_design
from sureshot.campaign.model.options import Options
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.prior import belief_from_dict, prior_roots
from sureshot.core import Belief, Mixture, auto_prior, get_link, prior
from sureshot.errors import InvalidInput, about, unknown_name
from sureshot.said import Call, Record, Setting
from sureshot.schema import inside
from sureshot.space import SHAPES, Actions, ContextualDesign, Design, Shape, ShapedDesign, Space, shape_prior
from sureshot.space.contextual import in_every_case, refuse_shared, usual_ranges

__all__ = ["Model", "new_model"]

#: The smallest and largest precision of a prior. Under a smaller one the variance of a score is beyond what can be
#: computed with (1e100, of features that may be large); a whole number may have more digits than a float holds.
SMALLEST, LARGEST = 1e-50, sys.float_info.max


class Model(NamedTuple):
    """What can be tried, and what is believed of it before any outcome."""

    pool: Pool
    prior: Belief | Mixture
    prior_given: str
    link: str
    prior_roots: tuple[str, ...] = ()  # of the outcomes that the prior has learned from


def new_model(space: Any, options: Options) -> Model:
    """The features of all alternatives and the prior about them, from what a person gives."""
    alternatives = space if isinstance(space, Space) else Actions(space)
    earlier = learned(options.prior) if isinstance(options.prior, Mapping) else None
    shape = _checked_shape(options)
    if earlier is not None:
        pool = same_design(alternatives, earlier, options)
    elif shape is not None:
        pool = _shaped_pool(alternatives, options.context, shape)
    else:
        pool = _new_pool(alternatives, options)
    pool.encode()  # a row that has no features is refused here, before anything is stored
    return _after(pool, earlier, options.link) if earlier is not None else _anew(pool, options)


def _anew(pool: Pool, options: Options) -> Model:
    """A model that has seen nothing."""
    given, design, link = options.prior, pool.design, get_link(options.link or "logit").name
    belief: Belief | Mixture
    if given == "auto" and isinstance(design, ShapedDesign):
        belief = shape_prior(design, link=link)
    elif given == "auto":
        constant = not isinstance(design, Design) or design.has_intercept
        rows = None if pool.contextual else pool.matrix()
        belief = auto_prior(design.width, intercept=constant, link=link, pool=rows, method="ep")
    elif isinstance(given, int | float) and not isinstance(given, bool) and 0 < given <= LARGEST:
        if given < SMALLEST:
            raise InvalidInput(
                f"`prior` as a precision must be at least {SMALLEST:g}: what is believed of a score can't be computed "
                "with a smaller one",
                got=given,
                fix="leave it out for 'auto', or write 0.01 for a weak prior",
            )
        belief = prior(design.width, precision=float(given), link=link, method="ep")
    else:
        raise InvalidInput(
            "`prior` must be 'auto', a precision above 0, or what ",
            Call("posterior"),
            " of another campaign gave",
            got=given,
            fix="leave it out for 'auto'",
        )
    return Model(pool, belief, str(given), link)


def _after(pool: Pool, earlier: Mapping[str, Any], link: str | None) -> Model:
    """A model that begins with what an earlier campaign learned."""
    with about("prior", whole=True):
        belief, learned_with = belief_from_dict(earlier["belief"], at="posterior.belief"), earlier["link"]
        with inside("posterior.link"):
            get_link(learned_with)
    if link is not None and get_link(link).name != learned_with:
        learned = Setting("link", learned_with)
        raise InvalidInput("the prior was learned with ", learned, got=Setting("link", link), fix="leave `link` out")
    if belief.d != pool.design.width:
        raise InvalidInput(
            f"the prior must be about {pool.design.width} features, as this campaign has, got {belief.d}",
            field="prior",
            fix="leave `prior` out",
        )
    return Model(pool, belief, f"posterior of {earlier['campaign']}", learned_with, prior_roots(earlier))


def _new_pool(space: Space, options: Options) -> Pool:
    if options.context is None:
        if options.context_formula is not None:
            raise InvalidInput(
                "`context_formula` is for campaigns with contexts",
                value=options.context_formula,
                fix="give `context`, or leave it out",
            )
        plain = space.design(options.formula)
        return Pool(space, _told(plain, options, f"formula {plain.formula}"))
    contexts = declared(options.context)
    design = ContextualDesign.fit(
        contexts,
        space,
        interactions=options.interactions,
        context_formula=options.context_formula,
        action_formula=options.formula,
    )
    both = f"formulas {design.context.formula} (cases) and {design.action.formula}"
    design = replace(design, action=_told(design.action, options, both))
    return Pool(space, design, contexts.names, usual_ranges(contexts))


def _told(design: Design, options: Options, what: str) -> Design:
    """The design with a note, where nobody asked for a formula and the model is one because of something else."""
    if options.formula is not None or options.context_formula is not None:
        return design
    why, instead = "without interactions", ""
    if not isinstance(options.prior, str):
        why, instead = "with a precision", ": leave the precision out if something may"
    return replace(design, notes=(*design.notes, f"{why} the model is the {what}, in which nothing bends{instead}"))


def _checked_shape(options: Options) -> Shape | None:
    """The shape of the belief; None where a formula, a precision or an earlier campaign says what its features are."""
    shape, prior = options.shape, options.prior
    if not isinstance(options.interactions, bool):
        raise InvalidInput(
            "`interactions` must be True or False", got=options.interactions, fix="leave it out for True"
        )
    if not options.interactions and options.context is None:
        raise InvalidInput(
            "`interactions` is about campaigns with contexts",
            got=Setting("interactions", False),
            fix="leave it out, or give `context`",
        )
    told: dict[str | Record, bool] = {
        "a formula": options.formula is not None or options.context_formula is not None,
        Setting("interactions", False): not options.interactions,
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
    contexts = declared(context)
    refuse_shared(contexts.names, space.names)
    design = ShapedDesign.fit(in_every_case(contexts, space.table), shape, contexts=contexts.names)
    return Pool(space, design, contexts.names, usual_ranges(contexts))
