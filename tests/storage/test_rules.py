"""Which events are admitted: against a plain model that knows nothing of how the rules are written."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.errors import SureshotError
from sureshot.storage import MemoryStorage, NewEvent, asked, corrected, noted, told, withdrawn

trials = st.integers(1, 4)
new_events = st.one_of(
    st.just(asked(0)),
    st.builds(told, st.none() | trials, st.integers(0, 1)),
    st.builds(corrected, trials, st.integers(0, 1)),
    st.builds(withdrawn, trials),
    st.builds(noted, st.just("a note"), trial=st.none() | trials),
)


def expected(world: dict[int, str], event: NewEvent) -> bool:
    """Whether the model admits it, and if so what becomes of the trial: pending, told or gone."""
    if event.kind == "asked" or (event.kind == "told" and event.trial is None):
        world[len(world) + 1] = "pending" if event.kind == "asked" else "told"
        return True
    if event.trial is None:
        return True
    allowed = {
        "pending": {"told": "told", "withdrawn": "gone", "noted": "pending"},
        "told": {"corrected": "told", "withdrawn": "gone", "noted": "told"},
        "gone": {"noted": "gone"},
        None: {},
    }[world.get(event.trial)]
    if event.kind not in allowed:
        return False
    world[event.trial] = allowed[event.kind]
    return True


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.lists(new_events, min_size=1, max_size=4), max_size=12))
def test_the_rules_are_those_of_the_model(batches: list[list[NewEvent]]) -> None:
    store, world, admitted = MemoryStorage(), {}, []
    campaign = store.create_campaign("model", {}, seed=0)
    for batch in batches:
        trial_world = dict(world)
        if all(expected(trial_world, event) for event in batch):
            admitted += store.append(campaign.id, batch)
            world = trial_world
        else:
            try:
                store.append(campaign.id, batch)
            except SureshotError:
                pass
            else:
                raise AssertionError(f"{batch} should have been refused in {world}")
        assert list(store.events(campaign.id)) == admitted
