"""``sureshot demo`` on the screen: a row for each trial, a bar under them, a recommendation at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from sureshot import demo
from sureshot.campaign.wording import chance, count, percent, percents
from sureshot.cli.output import console, print_json

__all__ = ["show"]

HEADER = f"{'trial':>5} {'tried':34}  {'chance':16} value  outcome"


def show(*, seed: int, trials: int, as_json: bool = False) -> None:
    """Run the demo and print it. Without a terminal, the same text without colours and without the bar."""
    world = demo.nanotubes(seed)
    with TemporaryDirectory(prefix="sureshot-demo-") as folder:
        campaign = demo.begin(world, trials=trials, storage=Path(folder) / "sureshot.db")
        try:
            steps = demo.run(world, campaign)
            if as_json:
                done = [{**step.trial.to_dict(), "succeeded": step.success} for step in steps]
                print_json({"seed": seed, "trials": done, "reveal": demo.reveal(world, campaign)})
                return
            _show(console(), world, steps, seed, trials)
            _conclude(console(), demo.reveal(world, campaign), trials)
        finally:
            campaign.storage.close()


def _show(screen: Console, world: demo.World, steps: Iterator[demo.Step], seed: int, trials: int) -> None:
    about = (
        f": {count(len(world.space), 'alternative')}, {count(trials, 'trial')}, seed {seed}. "
        f"Which grows {demo.SUCCESS} tubes?\n"
        "A simulation: the truth is drawn by the seed and hidden until the end.\n"
        "Each trial is asked and told through a SQLite store, in a temporary folder.\n"
    )
    screen.print(Text.assemble(("Nanotubes", "bold"), about))
    screen.print(HEADER, style="dim")
    for step in _with_bar(screen, steps, trials):
        screen.print(_row(step))


def _with_bar(screen: Console, steps: Iterator[demo.Step], trials: int) -> Iterator[demo.Step]:
    columns = (TextColumn("learning"), BarColumn(), MofNCompleteColumn(), TextColumn("trials"))
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        yield from progress.track(steps, total=trials)


def _row(step: demo.Step) -> Text:
    """One line of at most 80 characters: what a pipe and a small terminal have."""
    trial = step.trial
    row = Text(f"{trial.number:5} {trial.label:34}  ")
    low, high = (f"{100 * end:.0f}" for end in trial.interval)
    row.append(f"{100 * trial.probability:3.0f} % {f'({low}-{high} %)':10} ")
    row.append(f"{100 * trial.value:+5.1f}  ", style="cyan")
    row.append(demo.SUCCESS if step.success else demo.FAILURE, style="bold green" if step.success else "red")
    return row


def _conclude(screen: Console, found: demo.Reveal, trials: int) -> None:
    best = found.recommendation
    screen.print("\nchance: predicted probability of success (95 % interval) before the trial.", style="dim")
    screen.print("value:  points of success probability that the trial adds to the final choice,", style="dim")
    screen.print("        in expectation.\n", style="dim")
    sure = (
        f": {percent(best.probability)} ({percents(*best.interval)}),\n"
        f"best of all with chance {chance(best.chance_best)}.\n"
    )
    screen.print(Text.assemble((f"Go with {best.label}", "bold green"), sure))
    if found.found:
        verdict = "It is the best of all."
    else:
        missed = 100 * (found.best_probability - found.true_probability)
        verdict = (
            f"It is not the best of all:\n{found.best} has {percent(found.best_probability)}, "
            f"{missed:.1f} points more, which {count(trials, 'trial')} did not show."
        )
    screen.print(f"The truth: it succeeds with probability {percent(found.true_probability)}. {verdict}")
    screen.print(f"Choosing blindly would succeed with probability {percent(found.average_probability)}.")
    screen.print("One run in one simulated world; another --seed may end better or worse.", style="dim")
