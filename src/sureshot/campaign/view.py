"""What a campaign answers from what it has learned: what to choose, whether to go on, what each parameter does.

What only one of its answers needs is imported there: commands that ask for another need not load it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sureshot.campaign.answers import handed_out
from sureshot.campaign.answers import status as standing
from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.fit.doubts import Doubts
from sureshot.campaign.answers.recommend import Recommendation, leading, recommendation
from sureshot.campaign.answers.status import Status
from sureshot.campaign.history import History
from sureshot.campaign.model.pool import Context
from sureshot.core import Belief, Mixture
from sureshot.core.lookahead.pending import EXACT
from sureshot.core.numerics.stable import Array
from sureshot.files import free_path, write_whole
from sureshot.said import Dialect
from sureshot.space.tables.frames import is_other_frame

if TYPE_CHECKING:
    from sureshot.campaign.answers.advice import Advice
    from sureshot.campaign.answers.cases import Choices
    from sureshot.campaign.answers.effects import Effects
    from sureshot.campaign.answers.fit.approximation import Approximation
    from sureshot.campaign.answers.fit.compare import Comparison, Progress
    from sureshot.campaign.answers.in_brief import InBrief
    from sureshot.campaign.answers.predictions import Predictions
    from sureshot.campaign.answers.timeline import Moment
    from sureshot.campaign.pictures.plot import Kind
    from sureshot.core.reference.posterior import Progress as Drawn
    from sureshot.viz import Backend, Figure

__all__ = ["View", "beside", "handed_on"]


V = TypeVar("V", bound="View")


class View(History):
    """All that a :class:`~sureshot.campaign.Campaign` answers without recording anything."""

    @cached_property
    def _doubts(self) -> Doubts:
        return Doubts(self._log)

    @property
    def belief(self) -> Belief | Mixture:
        """What is believed about the weights after all outcomes so far."""
        self._log.sync()
        return self._log.believed()

    def best(self, context: Context | None = None) -> Recommendation:
        """What to choose now (in this context), how sure that is, and why it is not the one with most successes."""
        case, X = self._case(context)
        ledger, belief = self._log.ledger, self._log.believed()
        raised, seen = self._doubts.raised(X), self._effects(case)
        return recommendation(self._spec, ledger, belief, X, case, self._answering(), raised=raised, seen=seen)

    def choices(self, cases: Any) -> Choices:
        """As :meth:`best_for`, as a record without pandas; ``cases`` may be a file, too."""
        from sureshot.campaign.answers.cases import chosen
        from sureshot.campaign.settings import cases_of

        pool = self._spec.pool
        given = cases_of(pool, cases)
        self._log.sync()
        raised = [one.text for one in self._doubts.raised(None)]
        return chosen(self.name, self._spec, self._log.believed(), given, raised=raised)

    def best_for(self, cases: Any) -> Any:
        """What to choose in each of many cases: a frame, columns or rows of contexts, with other columns or without.
        They come back, in a frame of the same library, with the levels of the action, its ``chance`` of success, and
        the ends ``low`` and ``high`` of its 95 % credible interval.

        >>> from sureshot import Actions, Campaign, Contexts
        >>> desk = Campaign.create(
        ...     "desk", Actions(["treat", "wait"]), context=Contexts(ward=["A", "B"]), storage=":memory:", seed=1
        ... )
        >>> _ = desk.tell_new("treat", 9, of=9, context={"ward": "A"})
        >>> _ = desk.tell_new("treat", 0, of=9, context={"ward": "B"})
        >>> desk.best_for([{"ward": "A"}, {"ward": "B"}])["action"].tolist()
        ['treat', 'wait']
        """
        return self.choices(cases).to_frame(cases)

    def effects(self, context: Context | None = None) -> Effects:
        """What each parameter does: its average chance at each level, the difference that counts, and a sentence. With
        contexts: in this one, or without it, averaged over the cases met lately.

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("oven", Space.grid(power=[8, 10, 12, 14]), storage=":memory:", seed=1)
        >>> print(campaign.effects())
        Nothing is known yet: no outcome was told.
        """
        if context is None:
            self._log.sync()
            X = None if self._spec.pool.contextual else self._spec.pool.matrix()
            return self._effects(None, self._doubts.raised(X))
        case, X = self._case(context)
        return self._effects(case, self._doubts.raised(X))

    def predictions(
        self,
        rows: Any = None,
        *,
        context: Context | None = None,
        top: int | None = None,
        offset: int = 0,
        by: str | None = None,
        rising: bool | None = None,
        values: bool = True,
    ) -> Predictions:
        """As :meth:`predict`, as a record without pandas; with ``top``, only of the so many likeliest to succeed, after
        the first ``offset``; without ``values``, which take longest, only chances. ``by`` sorts otherwise: by
        ``"value"``, ``"tries"`` or a parameter, ``rising`` or falling (``None``: answers fall, parameters rise).
        """
        from sureshot.campaign.answers.order import Order
        from sureshot.campaign.answers.predictions import predicted
        from sureshot.campaign.settings import settings_of

        order = Order(by=by, rising=rising, offset=offset, top=top)
        case, X = self._case(context)
        ledger, pool = self._log.ledger, self._spec.pool
        asked = None if rows is None else settings_of(pool, rows)
        # scenarios of what is pending are drawn as ``ask`` draws them
        drawn = len(ledger.pending()) > EXACT and not self._spec.policy.randomised
        rng = self._log.rng(ledger.last + 1, stream=0) if drawn else np.random.default_rng(0)
        raised = [one.text for one in self._doubts.raised(X)]
        belief = self._log.believed()
        return predicted(
            self.name, self._spec, ledger, belief, X, case, asked, rng, order=order, raised=raised, values=values
        )

    def predict(self, rows: Any = None, *, context: Context | None = None) -> Any:
        """What is believed of every alternative (in this context), the likeliest to succeed first, as a DataFrame: its
        levels, the ``chance`` of success, the ends ``low`` and ``high`` of its 95 % credible interval, the ``value`` of
        one more trial of it, which is what :meth:`ask` shows, its ``tries`` and ``successes``. The index is the row of
        the pool.

        ``rows`` are others: row numbers, the levels of one or several (they need not be in the pool), or a frame of
        levels; then in the order given, in a frame of the same library. What to beware of is in
        ``.attrs["cautions"]`` and ``.attrs["notes"]``.

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("oven", Space.grid(power=[8, 10, 12, 14]), storage=":memory:", seed=1)
        >>> _ = campaign.tell_new({"power": 12}, 3, of=4)
        >>> campaign.predict()[["power", "tries", "successes"]].iloc[0].to_dict()
        {'power': 12.0, 'tries': 4.0, 'successes': 3.0}
        """
        found = self.predictions(rows, context=context)
        return found.to_frame(rows if is_other_frame(rows) else None)

    def advice(self, context: Context | None = None, *, cost: float | None = None, trials: int | None = None) -> Advice:
        """Whether to go on: what ``trials`` more (ten, or those left) are expected to bring, against what one costs.

        ``cost`` is in success probability; where the campaign knows what a success is ``worth``, in the unit of that.
        Where it has a stopping rule of its own, that decides, unless you say a ``cost``.

        >>> from sureshot import Campaign, Space
        >>> space = Space.grid(power=[8, 10])
        >>> campaign = Campaign.create("oven", space, cost=50, worth=20_000, seed=1, storage=":memory:")
        >>> _ = campaign.tell_new({"power": 8}, 9, of=9), campaign.tell_new({"power": 10}, 0, of=9)
        >>> print(campaign.advice(trials=5))
        stop: even perfect knowledge would add ..., and one trial costs 50 (0.2 points).
        """
        from sureshot.campaign.answers.advice import campaign_advice

        case, X = self._case(context)
        return campaign_advice(
            self._spec,
            self._log.ledger,
            self._log.believed(),
            X,
            case,
            cost=cost,
            trials=trials,
            rng=self._answering(),
            raised=self._doubts.raised(X),
        )

    def status(self, *, checked: bool = True) -> Status:
        """How the campaign stands. Unless it is ``checked`` whether the model fits the outcomes, nothing is computed,
        and ``cautions`` are only those that are known already.
        """
        ledger, contextual = self._log.sync(), self._spec.pool.contextual
        raised = handed_out.raised_when_asked(self.name, ledger)  # then nothing need be computed
        if raised is None and not checked:
            raised = ()
        if raised is None:
            raised = self._doubts.raised(None if contextual else self._spec.pool.matrix())
        elif contextual:
            raised = tuple(one for one in raised if one.check != "level")  # that is about what is best in one case
        return standing.status(self._log.record, self._spec, self._log.ledger, self._log.until, raised)

    def in_brief(self) -> InBrief:
        """How it stands and what we would choose now, in a few lines: for a list of several campaigns.

        >>> from sureshot import Campaign, Space
        >>> Campaign.create("oven", Space.grid(power=[8, 10]), budget=9, storage=":memory:", seed=1).in_brief().progress
        '0 of 9 trials asked; no outcome yet.'
        """
        from sureshot.campaign.answers.in_brief import in_brief

        status, pool = self.status(), self._spec.pool
        ledger, belief = self._log.ledger, self._log.believed()
        lead = None if pool.contextual else leading(self._spec, ledger, belief, pool.matrix())
        return in_brief(self._spec, status, lead, simulated=ledger.simulated is not None)

    def timeline(self, context: Context | None = None) -> tuple[Moment, ...]:
        """What would have been chosen after each outcome (in this context); of very many, at some of them."""
        from sureshot.campaign.answers.timeline import timeline

        _, X = self._case(context)
        return timeline(self._log, X)

    def plot(
        self,
        kind: Kind = "chance",
        *,
        x: str | None = None,
        y: str | None = None,
        context: Context | None = None,
        backend: Backend = "plotly",
    ) -> Figure:
        """A picture: a figure of Plotly, or of matplotlib, to show, to change and to save.

        - ``"chance"``: the chance of success over two parameters, ``x`` and ``y``, or those with the largest effects.
        - ``"value"``: what a trial is expected to teach, in the same place.
        - ``"effects"``: what each parameter does, side by side.
        - ``"recommendation"``: what would have been chosen after each outcome.
        - ``"calibration"``: what was expected when trials were asked, and what came.
        """
        from sureshot.campaign.pictures.plot import picture
        from sureshot.viz import draw
        from sureshot.viz.libraries import checked_backend

        return draw(picture(self, kind, x=x, y=y, context=context), checked_backend(backend))

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        context: Context | None = None,
        force: bool = False,
        dialect: Dialect = str,
    ) -> Path:
        """All there is to see, on one HTML page that needs nothing else: it opens offline, and prints well.

        ``path`` is ``<name>.html`` if not said; what is there already is overwritten only with ``force``. ``dialect``
        says inputs as a shell does.
        """
        from sureshot.campaign.pictures.report import file_name, report_page
        from sureshot.viz.page import page_html

        to = free_path(file_name(self.name, "html") if path is None else path, force=force)
        write_whole(to, page_html(report_page(self, context, dialect)).encode())
        return to

    def _repr_html_(self) -> str:
        from sureshot.campaign.pictures.cards import campaign_card

        return campaign_card(self)

    def compare(self, *others: View, context: Context | None = None, progress: Progress | None = None) -> Comparison:
        """Side by side with others: which model the outcomes speak for, how well each predicted them, each outcome from
        those before it, and what each would choose now (in this context).

        Models are weighed by their evidence, which needs the same alternatives and outcomes, as :meth:`create_from`
        gives them; else the answer says so. ``progress`` is called with a name, the outcomes predicted so far, and how
        many there are; without it, a notebook shows a bar.

        >>> from sureshot import Campaign, Space
        >>> old = Campaign.create("old", Space.grid(power=[8, 10, 12, 14]), shape="straight", storage=":memory:")
        >>> _ = [old.tell_new(row, won, of=5) for row, won in enumerate([0, 5, 5, 0])]
        >>> print(old.compare(Campaign.create_from("bent", old, shape="curved")))
        The outcomes speak ... for bent: they are ... times likelier under it than under old.
        """
        from sureshot.campaign.answers.fit.compare import Side, compared, refuse_few

        every = (self, *others)
        refuse_few([one.name for one in every])
        sides = []
        for one in every:
            ledger = one._log.sync()
            best = None if one.spec.pool.contextual and context is None else one.best(context)
            sides.append(Side(one.name, one.spec, ledger, best))
        return compared(sides, progress)

    def check(
        self, context: Context | None = None, *, draws: int | None = None, progress: Drawn | None = None
    ) -> Approximation:
        """How good the approximation is: how far the chances and intervals shown (in this context) are off from the
        exact posterior of the same model, which is drawn for this on the campaign's own outcomes.

        It takes seconds, or minutes with hundreds of settings tried. ``draws`` is how many, 32,000 by default.
        ``progress`` is called with how many shapes and strengths are done, of how many; without it, a notebook shows a
        bar.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("oven", Space.grid(power=[8, 10]), shape="straight", seed=1, storage=":memory:")
        >>> print(made.check())
        No outcome was told yet: what is shown is the prior, which is exact.
        >>> _ = made.tell_new({"power": 10}, 3, of=4)
        >>> made.check(draws=4000).verdict
        'good'
        """
        from sureshot.campaign.answers.fit.approximation import approximation
        from sureshot.viz.progress import notebook_bar

        case, X = self._case(context)
        ledger, belief = self._log.ledger, self._log.believed()
        rng = self._log.rng(ledger.learned, stream=3)
        step = notebook_bar("shapes and strengths") if progress is None else progress
        return approximation(self._spec, ledger, belief, X, case, rng, draws=draws, progress=step)

    def posterior(self) -> dict[str, Any]:
        """What is believed now, as JSON: the ``prior`` of another campaign with the same features."""
        from sureshot.campaign.model.earlier import posterior

        return posterior(self._log)

    # -- inside

    def _case(self, context: Context | None) -> tuple[dict[str, Any] | None, Array]:
        case = self._spec.pool.case(context)
        self._log.sync()
        return case

    def _effects(self, case: dict[str, Any] | None, raised: Sequence[Caution] = ()) -> Effects:
        """The same draws for ``best`` and ``effects``: what they say can't differ."""
        from sureshot.campaign.answers.effects import effects_after

        ledger, rng = self._log.ledger, self._log.rng(self._log.ledger.learned, stream=2)
        return effects_after(self.name, self._spec, ledger, self._log.believed(), case, rng, raised=raised)

    def _answering(self) -> np.random.Generator:
        """The same draws, and so the same answer, until something is learned."""
        return self._log.rng(self._log.ledger.learned, stream=1)


def beside(view: V) -> V:
    """The same campaign once more, for another thread: nothing is shared but what never changes."""
    return type(view)(view._log.record, view._log.storage, view._spec, until=view._log.until)


def handed_on(known: View, to: View) -> None:
    """Let one view of a campaign have what another has computed of it, if that is of a later event: the belief, and
    what is wrong with the model. Nobody else may use either meanwhile.
    """
    to._log.take_over(known._log)
    to._doubts.take_over(known._doubts)
