"""``sureshot lab tune``: a policy's parameter, chosen on training seeds and judged on others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from sureshot.cli.lab.report import parse_at, show_table
from sureshot.cli.lab.run import Processes, progress_bar
from sureshot.cli.options import Json
from sureshot.errors import InvalidInput
from sureshot.files import write_whole

if TYPE_CHECKING:
    from sureshot.lab.play.world import World

__all__ = ["parse_world", "tune"]


def tune(
    policy: Annotated[str, typer.Argument(help="Which policy: ucb, glm-ucb, disc, epsilon-greedy, thompson, ...")],
    world: Annotated[
        list[str] | None, typer.Option(help="Where: a world, with parameters: synthetic,d=3; again for more.")
    ] = None,
    study: Annotated[Path | None, typer.Option(help="A study file: its worlds, first belief and objective.")] = None,
    parameter: Annotated[str | None, typer.Option(help="Which parameter, if there are several.")] = None,
    grid: Annotated[str | None, typer.Option(help="The values to try: 0.1,0.3,1; the default is tried too.")] = None,
    runs: Annotated[int, typer.Option(help="Training runs in each world.")] = 100,
    held_out: Annotated[int | None, typer.Option(help="Runs that judge the choice; as many if not said.")] = None,
    budget: Annotated[int, typer.Option(help="Trials of a run.")] = 30,
    objective: Annotated[
        str | None, typer.Option(help="offline or online; that of the --study, or offline, if not said.")
    ] = None,
    measure: Annotated[str, typer.Option(help="What counts: oc, oc_plugin, regret, successes, found_best.")] = "oc",
    at: Annotated[str, typer.Option(help="After how many trials; 'area' is the mean over all.")] = "area",
    seed: Annotated[int, typer.Option(help="The training seed; the runs that judge are drawn from the next.")] = 1,
    processes: Processes = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="The table as Markdown.")] = False,
    to: Annotated[Path | None, typer.Option("--to", help="Write the result into this JSON file too.")] = None,
    as_json: Json = False,
) -> None:
    """Find a policy's parameter on training seeds, and say what it gains over the default on others."""
    from sureshot.cli.screen.output import json_text, print_data, print_json
    from sureshot.lab.play.beliefs import AUTO
    from sureshot.lab.report import tables
    from sureshot.lab.study.study_file import read_study
    from sureshot.lab.tune import tune as tuned
    from sureshot.lab.tune import tune_table

    when = parse_at(at)
    if len(when) != 1:
        raise InvalidInput(f"--at must be one number of trials or 'area' here, got {at!r}.")
    written = None if study is None else read_study(study)
    worlds = [*(() if written is None else written.worlds), *(parse_world(one) for one in world or [])]
    if not worlds:
        raise InvalidInput("tuning needs a world: --world synthetic,d=3, or a --study file that has some.")
    if to is not None and not to.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    with progress_bar() as progress:
        found = tuned(
            policy,
            worlds,
            parameter=parameter,
            grid=None if grid is None else [_value(one.strip()) for one in grid.split(",")],
            belief=AUTO if written is None else written.contenders[0].belief,
            runs=runs,
            held_out=held_out,
            budget=budget,
            objective=cast(Any, objective or ("offline" if written is None else written.objective)),
            measure=measure,
            at=when[0],
            seed=seed,
            processes=processes,
            progress=progress,
        )
    if to is not None:
        write_whole(to, json_text(found).encode())
    if as_json:
        print_json(found)
    elif markdown:
        print_data(tables.markdown(tune_table(found)))
    else:
        show_table(tune_table(found))


def parse_world(text: str) -> World:
    """A world as one word: its name, then its parameters.

    >>> parse_world("synthetic,d=2,M=50").label
    'synthetic-d2-M50'
    """
    from sureshot.lab.worlds import get_world

    name, *rest = text.split(",")
    given: dict[str, Any] = {}
    for part in rest:
        key, sign, value = part.partition("=")
        if not sign:
            raise InvalidInput(f"--world must be a name and key=value pairs between commas, got {text!r}.")
        given[key.strip()] = _value(value.strip())
    return get_world(name.strip(), **given)


def _value(text: str) -> Any:
    """A number where it is one, true and false, else the word itself.

    >>> [_value(one) for one in ("3", "0.5", "true", "measured")]
    [3, 0.5, True, 'measured']
    """
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
