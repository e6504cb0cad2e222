"""From a local campaign to one on a server: one line changes, and every answer is the same."""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from sureshot import Actions, Campaign, Client, Contexts, Space
from sureshot.client import RemoteCampaign
from sureshot.errors import SureshotError
from sureshot.storage import Storage, open_storage

#: Moments differ between two runs, and so do the digests that cover them, and the keys of requests.
MOMENTS = ("opened_at", "told_at", "created_at", "at", "digest", "roots", "request")


class Local:
    """A store, with the methods of a client: the line that changes."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def create(self, name: str, space: Any, **options: Any) -> Campaign:
        return Campaign.create(name, space, storage=self.storage, **options)

    def open(self, name: str | None = None) -> Campaign:
        return Campaign.open(name, self.storage)

    def open_or_create(self, name: str, space: Any, **options: Any) -> Campaign:
        return Campaign.open_or_create(name, space, storage=self.storage, **options)

    def create_from(self, name: str, old: Any, **changes: Any) -> Campaign:
        return Campaign.create_from(name, old, storage=self.storage, **changes)

    def import_export(self, export: Any, **more: Any) -> Campaign:
        return Campaign.import_export(export, storage=self.storage, **more)


def bench(lab: Any, tmp: Path) -> list[Any]:
    """A script of a campaign without contexts; all that it is told."""
    said: list[Any] = []
    space = Space.grid(power=[8, 10, 12, 14], flow="10:30:10 sccm", catalyst=["Fe", "Co"])
    campaign = lab.create("tubes", space, success="single", failure="double", budget=12, seed=1)
    said += [campaign.name, campaign.status(), campaign.best(), campaign.effects(), campaign.history()]
    said += [campaign.preview(), campaign.in_brief(), campaign.simulated]
    first = campaign.ask(author="Ann")
    said += [first, str(first), campaign.tell(first, "single", author="Ann", note="warm"), campaign.why()]
    batch = campaign.ask_batch(3, key="plate 1")
    said += [batch, campaign.ask_batch(3, key="plate 1"), campaign.trial(2), campaign.row(2), campaign.why(batch[1])]
    said.append(campaign.tell_table({"trial": [2, 3, 4], "outcome": ["double", "", "single"]}))
    said += [campaign.correct(2, "single", note="misread"), campaign.withdraw(batch[1], note="broken")]
    said += [campaign.tell_new({"power": 9, "flow": 20, "catalyst": "Fe"}, 3, of=4), campaign.tell_new(5, True)]
    campaign.note("a new bottle")
    campaign.note("cold", trial=2)
    table = pd.DataFrame({"power": [8, 14], "flow": [10, 30], "catalyst": ["Fe", "Co"], "outcome": ["single", None]})
    said.append(campaign.import_table(table))
    (tmp / "more.csv").write_text("power,flow,catalyst,outcome\n10,20,Co,double\n12,20,Co,1\n", encoding="utf-8")
    said.append(campaign.import_table(tmp / "more.csv", author="Bob"))
    said += [campaign.run(lambda levels: levels["power"] > 9, 2), campaign.best(), str(campaign.best())]
    said += [campaign.advice(), campaign.advice(cost=0.01), campaign.effects(), campaign.effects()["power"].verdict]
    said += [campaign.predict(), campaign.predict([0, 3]), campaign.predict({"power": 9, "flow": 20, "catalyst": "Fe"})]
    said += [campaign.predict(pl.DataFrame({"power": [8], "flow": [10], "catalyst": ["Fe"]})).to_dicts()]
    top = campaign.predictions(top=3)  # of some, and of all: the same but for the last bits
    said += [[(one.label, round(one.chance, 9), round(one.high, 9)) for one in top], campaign.predict().attrs]
    said += [campaign.timeline(), campaign.calibration(), campaign.history(), campaign.status(), campaign.last_event()]
    said += [campaign.trials_frame().drop(columns=["opened_at", "told_at"]), campaign.to_frame()]
    said += [campaign.recorded(1), campaign.recorded(7), campaign.in_brief(), campaign.tell_new(4, 0, key="k")]
    said += [campaign.tell_new(4, 0, key="k"), [one.value is None for one in campaign.predictions(values=False)]]
    said += [campaign.rewind(3).best(), campaign.posterior(), campaign.export()]
    bent = lab.create_from("bent", campaign, shape="curved")
    said += [bent.status().model, campaign.compare(bent).words, bent.best(), bent.check(draws=1000)]
    campaign.rename("tubes 2")
    said += [campaign.name, campaign.tell(campaign.ask(), 0), campaign.archived]
    campaign.archive()
    said += [campaign.archived, lab.open().name]
    campaign.archive(undo=True)
    campaign.verify()
    said += [campaign.proved(), campaign.events(), campaign.events(before=9, most=3)]
    said.append([(one.label, round(one.chance, 9)) for one in campaign.predictions(by="power", top=5, offset=2)])
    campaign.report(tmp / "report.html", force=True)
    said.append("single" in (tmp / "report.html").read_text(encoding="utf-8"))
    again = lab.import_export(bent.delete(), as_name="bent again")
    said += [again.history(), lab.open_or_create("tubes 2", space, budget=12).status()]
    return said


def desk(lab: Any, tmp: Path) -> list[Any]:
    """A script of a campaign that decides in contexts."""
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    campaign = lab.create("desk", Actions(["treat", "wait"]), context=cases, seed=2)
    said: list[Any] = [campaign.ask({"age": 61, "ward": "A"}), campaign.tell(1, "success")]
    said += [campaign.tell_new("wait", "failure", context={"age": 99, "ward": "B"}), campaign.status()]
    said += [campaign.check({"age": 61, "ward": "A"}, draws=1000)]
    said += [campaign.best({"age": 61, "ward": "A"}), campaign.effects(), campaign.effects({"age": 30, "ward": "B"})]
    said += [campaign.advice({"age": 61, "ward": "A"}), campaign.timeline({"age": 61, "ward": "A"})]
    said += [campaign.best_for([{"age": 20, "ward": "A"}, {"age": 99, "ward": "B"}])]
    said += [campaign.best_for(pd.DataFrame({"case": [7], "age": [20], "ward": ["A"]}))]
    said += [campaign.choices([{"age": 20, "ward": "A"}]).to_dict(), campaign.predict(context={"age": 61, "ward": "A"})]
    ran = campaign.run(lambda _, case: case["ward"] == "A", 2, context={"age": 50, "ward": "A"})
    return [*said, ran, campaign.history(), campaign.calibration()]


@pytest.mark.parametrize("script", [bench, desk])
def test_the_same_script_is_told_the_same_by_a_server(script: Any, client: Client, tmp_path: Path) -> None:
    here, there = script(Local(open_storage(":memory:")), tmp_path), script(client, tmp_path)
    for i, (local, remote) in enumerate(zip(here, there, strict=True)):
        if isinstance(local, pd.DataFrame):
            pd.testing.assert_frame_equal(local, remote)
        else:
            assert without_moments(local) == without_moments(remote), i
            assert type(local) is type(remote)


def without_moments(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), without_moments({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, dict):
        return {name: without_moments(one) for name, one in value.items() if name not in MOMENTS} or None
    return [without_moments(one) for one in value] if isinstance(value, list | tuple) else value


SMALL = Space.grid(power=[8, 10], catalyst=["Fe", "Co"])
WRONG = {
    "an unknown outcome": lambda c: c.tell(1, "singel"),
    "a second outcome": lambda c: c.tell(2, "single"),
    "an unknown trial": lambda c: c.tell(99, "single"),
    "nothing to correct": lambda c: c.correct(1, "single"),
    "withdrawn twice": lambda c: [c.withdraw(3), c.withdraw(3)],
    "no number": lambda c: c.tell("one", "single"),
    "an unknown level": lambda c: c.tell_new({"power": 8, "catalyst": "Cu"}, 1),
    "another experiment under a key": lambda c: [c.tell_new(0, 1, key="k"), c.tell_new(1, 1, key="k")],
    "a key for two things": lambda c: [c.tell_new(0, 1, key="k"), c.ask(key="k")],
    "an event that nobody recorded": lambda c: c.recorded(99),
    "a row that is not there": lambda c: c.tell_new(99, 1),
    "too many tries": lambda c: c.tell_new(1, 5, of=4),
    "the budget": lambda c: c.ask_batch(20),
    "no trials": lambda c: c.ask_batch(0),
    "another request under a key": lambda c: [c.ask(key="k"), c.ask_batch(2, key="k")],
    "a bad key": lambda c: c.ask(key=""),
    "half a character in a note": lambda c: c.note("\ud800"),
    "no name at all": lambda c: c.rename(None),
    "a case where there are none": lambda c: c.ask({"age": 61}),
    "cases where there are none": lambda c: c.best_for([{"age": 61}]),
    "a case to look at": lambda c: c.best({"age": 61}),
    "a cost": lambda c: c.advice(cost=2.0),
    "draws": lambda c: c.check(draws=3),
    "a table": lambda c: c.import_table([{"power": 8, "catalyst": "Fe", "outcome": "what"}]),
    "a table twice": lambda c: [c.import_table([{"power": 8, "catalyst": "Fe", "outcome": 1}]) for _ in range(2)],
    "a table of trials": lambda c: c.tell_table([{"trial": 2, "outcome": "double"}]),
    "never asked": lambda c: c.trial(4),
    "an empty note": lambda c: c.note(" "),
    "rows": lambda c: c.predict([99]),
    "none of the likeliest": lambda c: c.predictions(top=0),
    "no rows": lambda c: c.predict([]),
    "a name": lambda c: c.rename(" spaces "),
    "an event that is not there": lambda c: c.rewind(99),
    "deleted on old news": lambda c: c.delete(expected_last=1),
    "corrected on old news": lambda c: c.correct(2, "double", told_event=1),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_server_refuses_with_the_same_error(wrong: Any, client: Client) -> None:
    errors = []
    for lab in (Local(open_storage(":memory:")), client):
        campaign = lab.create(
            "tubes",
            Space.grid(power=[8, 10], catalyst=["Fe", "Co"]),
            success="single",
            failure="double",
            budget=9,
            seed=1,
        )
        campaign.ask_batch(3)
        campaign.tell(2, "single")
        campaign.tell_new(0, "double")
        with pytest.raises(SureshotError) as found:
            wrong(campaign)
        errors.append(found.value)
    here, there = errors
    assert type(here) is type(there)
    masked = [str(one).partition(" at 20")[0].partition("(imported")[0] for one in errors]
    assert masked[0] == masked[1]
    assert (here.field, here.value, here.place) == (there.field, there.value, there.place)
    assert str(here.fix) == str(there.fix)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda lab: lab.open("tubse"),
        lambda lab: lab.create("tubes", Space.grid(power=[8, 10])),
        lambda lab: lab.create("other", Space.grid(power=[8, 10]), budget=0),
        lambda lab: lab.open_or_create("tubes", Space.grid(power=[8, 12])),
        lambda lab: [lab.create("other", Space.grid(power=[8, 10])), lab.open()],
    ],
    ids=["unknown", "taken", "budget", "another", "which"],
)
def test_what_is_not_there_or_is_taken_is_said_alike(wrong: Any, client: Client) -> None:
    errors = []
    for lab in (Local(open_storage(":memory:")), client):
        lab.create("tubes", Space.grid(power=[8, 10]), seed=1)
        with pytest.raises(SureshotError) as found:
            wrong(lab)
        errors.append(found.value)
    assert type(errors[0]) is type(errors[1])
    assert str(errors[0]) == str(errors[1])
    assert errors[0].field == errors[1].field


def test_a_campaign_on_a_server_has_every_method_of_a_local_one_with_the_same_inputs() -> None:
    made = {"create", "create_from", "open", "open_or_create", "import_export"}
    for name, local in inspect.getmembers(Campaign, inspect.isfunction):
        if name.startswith("_") or name in made:
            continue
        remote = getattr(RemoteCampaign, name)
        missing = set(inspect.signature(local).parameters) - set(inspect.signature(remote).parameters)
        assert missing <= {"dialect"}, name
    for name in made:
        assert callable(getattr(Client, name))
