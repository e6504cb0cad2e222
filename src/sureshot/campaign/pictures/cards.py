"""Campaigns and what they answer, as notebooks show them: short, and in the same words as everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sureshot.campaign.answers.wording import in_case, percent, percents, points, succeeded
from sureshot.campaign.log.ledger import totals
from sureshot.cards import card

if TYPE_CHECKING:
    from sureshot.campaign.answers.recommend import Recommendation
    from sureshot.campaign.answers.trial import Trial
    from sureshot.campaign.view import View

__all__ = ["campaign_card", "recommendation_card", "trial_card"]

#: Trials that a campaign shows: the last ones.
LAST = 5


def campaign_card(view: View) -> str:
    """How a campaign stands, with its last trials; nothing is computed for it."""
    ledger = view._log.sync()
    rows = view.history()[-LAST:]
    won, of = totals(ledger.counted())
    budget = "" if view.spec.budget is None else f" of {view.spec.budget}"
    came = succeeded(view.spec.words.success, won, of) if of else "no outcome yet"
    lines = [f"{ledger.used()}{budget} trials used, {len(ledger.pending())} running; {came}"]
    listed = [
        (
            str(row.trial),
            f"{row.label}{in_case(row.context)}",
            row.outcome if row.state == "told" and row.outcome else row.state,
        )
        for row in rows
    ]
    earlier = len(ledger.trials) - len(listed)
    quiet = [f"and {earlier:,} earlier"] if earlier > 0 else []
    return card(repr(view), lines, columns=("trial", "tried", "outcome"), rows=listed, quiet=quiet)


def trial_card(trial: Trial) -> str:
    """What to try, what to expect, what it would change."""
    sure = f"{percent(trial.probability)} ({percents(*trial.interval)})"
    return card(
        f"{trial.heading}: {trial.label}{in_case(trial.context)}",
        [f"chance of {trial.success} {sure}; value of this trial {points(trial.value)}{trial.over}", trial.changes],
        cautions=trial.cautions,
        rows=trial.pairs,
    )


def recommendation_card(best: Recommendation) -> str:
    """What to choose, and how sure that is."""
    lines = [best.sureness, best.not_most_successful or "", best.seen]
    return card(best.choice, [one for one in lines if one], cautions=best.cautions)
