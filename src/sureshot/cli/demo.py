"""``sureshot demo`` on the screen: a row for each trial, a bar under them, a recommendation at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from sureshot import demo
from sureshot.campaign.answers.wording import count, percent, percents
from sureshot.cli.screen.output import console, print_json, say

__all__ = ["show", "show_labs"]

#: Lines are at most so long, in a pipe too.
WIDTH = 80
HEADER = "trial power  ethylene  hydrogen  pressure  chance          value  outcome"


def show(*, seed: int | None = None, trials: int | None = None, as_json: bool = False) -> None:
    """Run the demo and print it. Without a terminal, the same text without colours and without the bar."""
    kept = demo.hundred()
    chosen = demo.typical(kept) if seed is None else seed
    budget = demo.TRIALS if trials is None else trials
    world = demo.nanotubes(chosen)
    with TemporaryDirectory(prefix="sureshot-demo-") as folder:
        campaign = demo.begin(world, trials=budget, storage=Path(folder) / "sureshot.db")
        with closing(campaign.storage):
            steps = demo.run(world, campaign)
            if as_json:
                done = [{**step.trial.to_dict(), "succeeded": step.success} for step in steps]
                found = demo.reveal(world, campaign)
                print_json({"seed": chosen, "trials": done, "reveal": found, "labs": demo.summary(kept)})
                return
            screen = console()
            screen.width = min(screen.width, WIDTH)
            _introduce(screen, world, budget, typical=seed is None and trials is None)
            _show(screen, steps, budget)
            _conclude(screen, demo.reveal(world, campaign))


def show_labs(labs: int, *, to: Path | None, processes: int, as_json: bool) -> None:
    """Compute several labs, with a bar on a terminal, and print what each way reaches on average."""
    screen = console()
    with _bar(screen, "computing", "labs", shown=not as_json) as progress:
        task = progress.add_task("labs", total=labs)
        found = demo.compute(
            labs, to, processes=processes, progress=lambda done, _: progress.update(task, completed=done)
        )
    summary = demo.summary(found)
    say({"labs": found, "summary": summary}, lambda: screen.print(str(summary)), as_json=as_json)


def _introduce(screen: Console, world: demo.World, trials: int, *, typical: bool) -> None:
    which = "A simulated lab, typical of a hundred" if typical else "A simulated lab"
    about = (
        f": {count(len(world.space), 'way')} to set laser power, ethylene, hydrogen and pressure.\n"
        f"Which grows {demo.SUCCESS} tubes? The budget: {count(trials, 'trial')}.\n"
        f"{which} (seed {world.seed}). The truth comes at the end.\n"
    )
    screen.print(Text.assemble(("Nanotubes", "bold"), about))


def _show(screen: Console, steps: Iterator[demo.Step], trials: int) -> None:
    screen.print(HEADER, style="dim")
    with _bar(screen, "learning", "trials") as progress:
        for step in progress.track(steps, total=trials):
            screen.print(_row(step))
    screen.print("\nchance: predicted chance of success before the trial (95 % interval).", style="dim")
    screen.print("value:  points that it is expected to add to the chance of the final choice.\n", style="dim")


def _bar(screen: Console, doing: str, what: str, *, shown: bool = True) -> Progress:
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn(what))
    return Progress(*columns, console=screen, transient=True, disable=not (shown and screen.is_terminal))


def _row(step: demo.Step) -> Text:
    """One line of at most 80 characters: what a pipe and a small terminal have."""
    trial = step.trial
    power, ethylene, hydrogen, pressure = (f"{value:g}" for value in trial.levels.values())
    row = Text(f"{trial.number:5} {power:>5}  {ethylene:>8}  {hydrogen:>8}  {pressure:>8}  ")
    low, high = (f"{100 * end:.0f}" for end in trial.interval)
    row.append(f"{100 * trial.probability:2.0f} % {f'({low}-{high} %)':10}")
    row.append(f"{100 * trial.value:+6.1f}  ", style="cyan")
    row.append(demo.SUCCESS if step.success else demo.FAILURE, style="bold green" if step.success else "red")
    return row


def _conclude(screen: Console, found: demo.Reveal) -> None:
    """What to choose, what is true, and what a hundred such labs give."""
    best = found.recommendation
    sure = f": {percent(best.probability)} ({percents(*best.interval)})."
    screen.print(Text.assemble((f"Choose {best.label}", "bold green"), sure))
    screen.print(f"{found.words}\n")
    screen.print(str(demo.summary(demo.hundred())))
    screen.print(f"With {demo.TRIALS} trials each; computed beforehand by {demo.COMMAND}.", style="dim")
