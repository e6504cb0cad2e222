"""Campaigns: ask for the next experiment, tell how it went, be told what to go with.

An immutable specification and an append-only list of events in a store; the belief is a pure fold over them.
"""

from sureshot.campaign.answers.compare import Compared, Comparison
from sureshot.campaign.answers.forecast import Forecast
from sureshot.campaign.answers.results import Advice, Imported, Prospect, Recommendation, Status, Trial, TrialRow, Why
from sureshot.campaign.campaign import Campaign
from sureshot.campaign.model.prior import belief_from_dict, belief_to_dict
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.words import Outcome, Words

__all__ = [
    "Advice",
    "Campaign",
    "Compared",
    "Comparison",
    "Forecast",
    "Imported",
    "Outcome",
    "Prospect",
    "Recommendation",
    "Spec",
    "Status",
    "Trial",
    "TrialRow",
    "Why",
    "Words",
    "belief_from_dict",
    "belief_to_dict",
]
