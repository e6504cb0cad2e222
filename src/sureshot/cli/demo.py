"""``sureshot demo`` on the screen: a row for each trial, a bar under them, a recommendation at the end."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from sureshot import demo

__all__ = ["show"]

SUCCESS, FAILURE = "single-walled", "double-walled"
HEADER = f"{'trial':>5} {'tried':34}  {'chance':16} value  outcome"


def show(*, seed: int, trials: int) -> None:
    """Run the demo and print it. Without a terminal, the same text without colours and without the bar."""
    console = Console(highlight=False)
    world = demo.nanotubes(seed)
    campaign = demo.run(world, trials=trials)
    console.print(
        f"[bold]Nanotubes[/]: {len(world.alternatives)} alternatives, {_count(trials, 'trial')}, seed {seed}. "
        f"Which one grows {SUCCESS} tubes?\n"
        "A simulation: the truth is drawn by the seed and hidden until the end.\n"
    )
    console.print(HEADER, style="dim")
    last = None
    for last in _with_bar(console, campaign, trials):
        console.print(_row(last))
    if last is not None:
        _conclude(console, demo.best(world, last.belief), trials)


def _with_bar(console: Console, campaign: Iterator[demo.Trial], trials: int) -> Iterator[demo.Trial]:
    columns = (TextColumn("learning"), BarColumn(), MofNCompleteColumn(), TextColumn("trials"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(campaign, total=trials)


def _row(trial: demo.Trial) -> Text:
    """One line of at most 79 characters: 80 columns are what a pipe and a small terminal have."""
    row = Text(f"{trial.number:5} {trial.alternative:34}  ")
    row.append(f"{percent(trial.probability):>5} {_between(trial.low, trial.high):10} ")
    row.append(f"{100 * trial.value:+5.1f}  ", style="cyan")
    row.append(SUCCESS if trial.success else FAILURE, style="bold green" if trial.success else "red")
    return row


def _conclude(console: Console, best: demo.Recommendation, trials: int) -> None:
    console.print("\nchance: predicted probability of success (95 % interval) before the trial.", style="dim")
    console.print("value:  points of success probability that the trial adds to the final choice,", style="dim")
    console.print("        in expectation.\n", style="dim")
    console.print(
        f"[bold green]Go with {best.alternative}[/]: {percent(best.probability)} {_between(best.low, best.high)},\n"
        f"best of all with chance {percent(best.chance_best)}.\n"
    )
    if best.alternative == best.best_alternative:
        verdict = "It is the best of all."
    else:
        missed = 100 * (best.best_probability - best.true_probability)
        verdict = (
            f"It is not the best of all:\n{best.best_alternative} has {percent(best.best_probability)}, "
            f"{missed:.1f} points more, which {_count(trials, 'trial')} did not show."
        )
    console.print(f"The truth: it succeeds with probability {percent(best.true_probability)}. {verdict}")
    console.print(f"Choosing blindly would succeed with probability {percent(best.average_probability)}.")


def percent(probability: float) -> str:
    """A probability in words that never claim certainty: between 1 % and 99 % in whole points, else a bound.

    >>> percent(0.834), percent(0.9987), percent(0.0004)
    ('83 %', '>99 %', '<1 %')
    """
    if probability > 0.995:
        return ">99 %"
    return "<1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def _between(low: float, high: float) -> str:
    return f"({100 * low:.0f}-{100 * high:.0f} %)"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
