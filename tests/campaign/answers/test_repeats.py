"""The same experiment twice while the first is running: the trial says so."""

from __future__ import annotations

from sureshot import Campaign, Space
from sureshot.campaign.answers.repeats import on_purpose, repeats_among
from sureshot.space import Actions
from sureshot.storage import Storage


def test_a_trial_that_repeats_one_that_is_waiting_says_so_and_why(memory: Storage) -> None:
    campaign = Campaign.create("two", Space.grid(p=[1]), policy="greedy", seed=1, storage=memory)
    first, second = campaign.ask(), campaign.ask()
    assert (first.repeats, first.on_purpose) == (None, None)
    assert second.repeats == 1
    assert second.on_purpose == (
        "Trial 1 is still waiting for its outcome: this repeats it on purpose, since it is the likeliest to succeed by "
        "what is known."
    )
    assert second.on_purpose.removesuffix(".") in str(second)
    assert second.to_dict()["repeats"] == 1
    campaign.tell(1, "success")
    assert campaign.trial(2).repeats is None  # it is not waiting any more
    assert campaign.ask().repeats == 2
    campaign.withdraw(2)
    assert campaign.trial(3).repeats is None


def test_another_alternative_or_case_is_no_repetition(memory: Storage) -> None:
    desk = Campaign.create("desk", Actions(["treat"]), context={"age": (18, 90)}, policy="random", storage=memory)
    desk.ask({"age": 30})
    assert desk.ask({"age": 31}).repeats is None
    assert desk.ask({"age": 30}).repeats == 1


def test_of_a_batch_one_sentence_says_which(memory: Storage) -> None:
    campaign = Campaign.create("one", Space.grid(p=[1]), policy="greedy", seed=1, storage=memory)
    since = "on purpose, since it is the likeliest to succeed by what is known."
    trials = campaign.ask_batch(9)
    assert repeats_among(trials[:1]) == ()
    assert repeats_among(trials[:2]) == (f"Trial 2 repeats trial 1, which is still waiting for its outcome, {since}",)
    assert repeats_among(trials[:4]) == (
        f"Trials 2, 3 and 4 repeat others that are still waiting for their outcomes, {since}",
    )
    assert repeats_among(trials) == (
        f"8 of these trials repeat others that are still waiting for their outcomes, {since}",
    )


def test_a_trial_drawn_at_the_beginning_repeats_by_chance() -> None:
    assert on_purpose(3, {"start": True}).endswith(
        "this repeats it by chance, since the first trials are drawn at random."
    )
    assert on_purpose(3, {}).endswith("on purpose, since it was chosen with that one in mind.")  # by an older sureshot
