"""Campaigns: ask for the next experiment, tell how it went, be told what to choose.

An immutable specification and an append-only list of events in a store; the belief is a pure fold over them. Names are
loaded when first used: to read what the options are (:func:`fields`) costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sureshot.campaign.answers.advice import Advice
    from sureshot.campaign.answers.effects import Effect, Effects
    from sureshot.campaign.answers.fit.approximation import Against, Approximation
    from sureshot.campaign.answers.fit.compare import Compared, Comparison
    from sureshot.campaign.answers.fit.forecast import Forecast
    from sureshot.campaign.answers.predictions import Prediction, Predictions
    from sureshot.campaign.answers.recommend import Recommendation
    from sureshot.campaign.answers.status import Status
    from sureshot.campaign.answers.trial import Prospect, Trial, TrialRow, Why
    from sureshot.campaign.campaign import Campaign
    from sureshot.campaign.importing import Imported
    from sureshot.campaign.model.options import Option, Options, fields
    from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict
    from sureshot.campaign.model.spec import Spec
    from sureshot.campaign.model.words import Outcome, Words
    from sureshot.campaign.telling import Told

#: Where each name is kept.
_HOMES = {
    "Advice": "answers.advice",
    "Against": "answers.fit.approximation",
    "Approximation": "answers.fit.approximation",
    "Campaign": "campaign",
    "Compared": "answers.fit.compare",
    "Comparison": "answers.fit.compare",
    "Effect": "answers.effects",
    "Effects": "answers.effects",
    "Forecast": "answers.fit.forecast",
    "Imported": "importing",
    "Option": "model.options",
    "Options": "model.options",
    "Outcome": "model.words",
    "Prediction": "answers.predictions",
    "Predictions": "answers.predictions",
    "Prospect": "answers.trial",
    "Recommendation": "answers.recommend",
    "Spec": "model.spec",
    "Status": "answers.status",
    "Told": "telling",
    "Trial": "answers.trial",
    "TrialRow": "answers.trial",
    "Why": "answers.trial",
    "Words": "model.words",
    "belief_from_dict": "model.prior",
    "belief_to_dict": "model.prior",
    "fields": "model.options",
}
__all__ = [
    "Advice",
    "Against",
    "Approximation",
    "Campaign",
    "Compared",
    "Comparison",
    "Effect",
    "Effects",
    "Forecast",
    "Imported",
    "Option",
    "Options",
    "Outcome",
    "Prediction",
    "Predictions",
    "Prospect",
    "Recommendation",
    "Spec",
    "Status",
    "Told",
    "Trial",
    "TrialRow",
    "Why",
    "Words",
    "belief_from_dict",
    "belief_to_dict",
    "fields",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sureshot.campaign.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'sureshot.campaign' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
