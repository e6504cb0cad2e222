"""Does the model fit the outcomes? Checks that a person may look at after every trial, and still be rarely alarmed.

Each check is an e-value: the probability of the outcomes under another model, over their probability under the belief
that the campaign began with. If the belief is right, this ratio is a martingale that begins at 1, whatever chooses the
trials and whenever somebody looks; so the chance that it ever exceeds 1/a is at most a (Ville 1939; Ramdas et al. 2023,
"Game-theoretic statistics and safe anytime-valid inference", section 2).

A campaign may be alarmed wrongly with a chance of :data:`FALSE_ALARMS` in all. The checks share it equally: each is
raised above (number of checks)/a. An average of the e-values would have a threshold of 1/a, but a person is told which
check was raised, and by itself an e-value would have to exceed the same number for that.

What this does not cover: evidence by expectation propagation is not exact (its error is far below a factor of two), and
outcomes that were withdrawn because of what they were.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from sureshot.campaign.answers.fit.bends import MadeOf, favoured
from sureshot.campaign.answers.wording import rounded, times
from sureshot.campaign.log.believed import fits
from sureshot.campaign.log.ledger import Entry, Ledger, counts, tally, totals
from sureshot.campaign.log.sound import opening_payload
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, fit, observe_many
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, UnknownName
from sureshot.said import Call, Remade, Setting, Text
from sureshot.space import ShapedDesign, shape_prior
from sureshot.space.tables.column import setting

__all__ = ["CHECKED", "FALSE_ALARMS", "Caution", "cautions", "kept_caution"]

#: The chance that a campaign whose belief is right is ever cautioned, at most.
FALSE_ALARMS = 0.05
#: Models are compared on so many outcomes, the first ones: by then a model that does not fit has shown it.
CHECKED = 256
#: Campaigns whose answers about these are kept.
KEPT = 16
#: A level that failed less often is not spoken of.
FEWEST = 3
#: What the odds of a success may be in truth, as multiples of those that were predicted.
ODDS = (1 / 8, 1 / 4, 1 / 2, 2.0, 4.0, 8.0)
#: The base rate is anything: Jeffreys' prior, as Krichevsky and Trofimov (1981) have it.
RATE = 0.5

#: What a model of each shape says.
_SHAPES: dict[MadeOf, str] = {
    "straight": "chances only rise or fall with each number (straight)",
    "curved": "a number may be best inside its range (curved)",
    "pairs": "parameters depend on each other (pairs)",
}

#: How what to do begins, where it is another campaign.
_TRY = "Try "

Check = Literal["base rate", "shape", "recommended", "level"]


@dataclass(frozen=True, slots=True)
class Caution:
    """A check that was raised: what is wrong, in numbers, and what to do."""

    check: Check
    said: str
    instead: str

    @property
    def text(self) -> Text:
        """Both, for each shell to say in its own words."""
        return Text(self.said, ". ", self.instead)

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Outcomes:
    """The outcomes that models are compared on."""

    entries: Sequence[Entry]
    X: Array  # (n, d)
    won: Array  # (n,)
    of: Array  # (n,)
    evidence: float  # log of their probability under the campaign's belief


def cautions(name: str, spec: Spec, ledger: Ledger, belief: Belief | Mixture, at: int | None) -> tuple[Caution, ...]:
    """What is wrong with the model of campaign ``name``, after its ``ledger`` led to this ``belief``. ``at`` is the
    alternative that is recommended; None where that depends on a context.
    """
    counted = ledger.counted()
    if not counted:
        return ()
    other = spec.pool.bending
    limit = math.log((3 if other is None else 4) / FALSE_ALARMS)
    seen = _outcomes(spec, counted, belief)
    found = []
    shape, better = (None, -math.inf) if other is None else _better_shape(other, spec, seen)
    if _rate(seen.won, seen.of) - seen.evidence >= limit:
        said = "this model predicts your outcomes no better than their average"
        found.append(Caution("base rate", said, _another_model(name, shapes=other is not None)))
    if shape is not None and better >= limit:
        said = (
            f"a model that may take any shape predicts your outcomes {times(math.exp(min(better, 20.0)))} better, "
            f"mostly because {_SHAPES[shape]}"
        )
        found.append(Caution("shape", said, _another_model(name, shapes=True)))
    bets = _bets(ledger)
    if _tilted(bets) >= limit:
        expected, worked = (sum(bet[k] * bet[2] for bet in bets) for k in (0, 1))
        tries = sum(bet[2] for bet in bets)
        said = f"what was recommended worked in {round(worked)} of {tries} tries, where {expected:.1f} were expected"
        instead = "The chances shown are too low: other settings may be better than they look, so try some of them"
        if round(worked) < expected:
            instead = "The chances shown are too high: repeat the recommended setting before you rely on it"
        found.append(Caution("recommended", said, instead))
    found += [] if at is None else _levels(spec, counted, seen, at, limit)
    return tuple(found)


def _another_model(name: str, *, shapes: bool) -> str:
    """What to do where a model does not fit: other shapes, or where it has all of them, another look at the bench."""
    if not shapes:
        return (
            "Perhaps something else decides: repeat a setting or two and see whether they come out the same, and look "
            "for what else changed between trials"
        )
    anew = Remade(name, f"{name}-2", Setting("shape", "auto"))
    return Text(_TRY, anew, ", which keeps all outcomes, or see ", Call("compare", apart=True))


def kept_caution(name: str, kept: Mapping[str, str]) -> Caution:
    """A caution as a trial keeps it, which is text only: what to try is said anew, for each shell and by this name."""
    found = Caution(**kept)  # type: ignore[arg-type]
    if found.check in ("base rate", "shape") and found.instead.startswith(_TRY):
        return replace(found, instead=_another_model(name, shapes=True))
    return found


# -- how probable outcomes are


def _outcomes(spec: Spec, counted: Sequence[Entry], belief: Belief | Mixture) -> _Outcomes:
    first = tuple(counted[:CHECKED])
    return _seen(spec, first, belief) if len(first) == len(counted) else _seen_first(spec, first)


def _seen(spec: Spec, entries: tuple[Entry, ...], belief: Belief | Mixture | None = None) -> _Outcomes:
    X, won, of = spec.pool.features(entries), *counts(entries)
    return _Outcomes(entries=entries, X=X, won=won, of=of, evidence=_evidence(spec.prior, X, won, of, belief))


#: The first outcomes of a long campaign are the same after every one of the later ones.
_seen_first = lru_cache(maxsize=KEPT)(_seen)


def _evidence(prior: Belief | Mixture, X: Array, won: Array, of: Array, after: Belief | Mixture | None = None) -> float:
    """The log probability of outcomes under a prior. Where the belief ``after`` them is known, one member of a mixture
    tells that of all: its weight is its share in it.
    """
    if not len(X):
        return 0.0
    if not fits(prior):
        return float(observe_many(prior, X, won, of=of)[1].evidence.sum())
    if isinstance(prior, Mixture) and isinstance(after, Mixture) and len(prior.beliefs) == len(after.beliefs):
        k = int(np.argmax(after.log_weights))
        one = fit(prior.beliefs[k], X, won, of=of).evidence
        return float(prior.log_weights[k] + one - after.log_weights[k])
    return fit(prior, X, won, of=of).evidence


def _rate(won: Array, of: Array) -> float:
    """The log probability of outcomes that all have the same, unknown chance."""
    k, n = float(won.sum()), float(of.sum())
    return _log_beta(k + RATE, n - k + RATE) - _log_beta(RATE, RATE)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


# -- another shape


@lru_cache(maxsize=KEPT)
def _better_shape(design: ShapedDesign, spec: Spec, seen: _Outcomes) -> tuple[MadeOf | None, float]:
    """The shape with the most evidence, and the log of how much better all shapes together predict; none where shapes
    can't describe what was tried: outside the pool, a formula says nothing of the columns that it leaves out.
    """
    rows = [{**spec.pool.levels(e), **(e.context or {})} for e in seen.entries]
    try:
        X = design.matrix(rows)
    except (InvalidInput, UnknownName):
        return None, -math.inf
    found = fit(shape_prior(design, link=spec.link), X, seen.won, of=seen.of)
    share = favoured(design, found.belief)
    return max(share, key=lambda one: share[one]), found.evidence - seen.evidence


# -- what was recommended


def _bets(ledger: Ledger) -> list[tuple[float, float, int]]:
    """Trials of what was recommended when they were asked: the chance predicted, the share that worked, the tries.

    Each was predicted when all before it were known, so that one may bet on them in turn. Those predicted from an
    outcome that was corrected or withdrawn later are passed over.
    """
    changed = [e.told for e in ledger.trials.values() if e.told and (e.corrections or e.state == "withdrawn")]
    wrong = range(min(changed, default=0), ledger.rewritten)
    found, last = [], 0
    for entry in ledger.trials.values():
        if not entry.asked or entry.state != "told" or not entry.of or entry.opened < last or entry.opened in wrong:
            continue
        recommended, chance = _predicted(entry.opened, entry.payload_json)
        if recommended == entry.alternative and 0.0 < chance < 1.0:
            found.append((chance, (entry.successes or 0) / entry.of, entry.of))
            last = entry.told
    return found


@lru_cache(maxsize=1 << 14)
def _predicted(opened: int, recorded: str | None) -> tuple[int | None, float]:
    """What was recommended when a trial was asked, and the chance of the trial; read once of each."""
    asked = opening_payload(opened, recorded)
    return asked.get("now", {}).get("alternative"), asked.get("probability", 0.0)


def _tilted(bets: Sequence[tuple[float, float, int]]) -> float:
    """The log e-value of bets that the odds are others than predicted.

    A bet at odds ``c`` times those of the chance p has q = cp/(cp + 1 - p). It gains q/p for a success and
    (1 - q)/(1 - p) for a failure, 1 on average; for a share that worked, that share of each, since tries of one trial
    are not independent, but their mean is p.
    """
    p, share = (np.array([bet[k] for bet in bets]) for k in (0, 1))
    c = np.array(ODDS)[:, None]
    gain = (share * c + (1.0 - share)) / (c * p + 1.0 - p)
    return float(np.logaddexp.reduce(np.log(gain).sum(axis=1)) - math.log(len(ODDS)))


# -- levels that never worked


def _levels(spec: Spec, counted: Sequence[Entry], seen: _Outcomes, at: int, limit: float) -> list[Caution]:
    """Levels in what is recommended that only failed, while others worked.

    The other model: this level never works, and all else is as the belief says. Its e-value is one over the probability
    of these failures given all other outcomes. Which level it is was not known beforehand, so each parameter has an
    equal share, and each of its levels an equal share of that.
    """
    tried = tally((e.tried, e) for e in counted)
    levels = {key: spec.pool.levels(e) for key, e in {e.tried: e for e in counted}.items()}
    total, every = totals(counted)
    row, names = spec.pool.space.row(at), [c for c in spec.pool.space.columns if len(c.levels) > 1]
    found = []
    for column in names:
        name, value = column.name, row[column.name]
        with_it = {key for key, one in levels.items() if name in one and one[name] == value}
        worked, tries = (sum(tried[key][k] for key in with_it) for k in (0, 1))
        if worked or not total or tries < FEWEST:
            continue
        rest = np.array([e.tried not in with_it for e in seen.entries])
        without = _evidence(spec.prior, seen.X[rest], seen.won[rest], seen.of[rest])
        surprise = without - seen.evidence
        if surprise - math.log(len(names) * len(column.levels)) >= limit:
            label = setting(name, value, column.unit)
            said = (
                f"{label} is recommended, and failed in all {tries} tries, while {total} of {every - tries} without it "
                f"worked: 1 in {rounded(math.exp(surprise))} by this model"
            )
            instead = f"Choose a setting that worked, with another {name}, until you know why"
            found.append(Caution("level", said, instead))
    return found
