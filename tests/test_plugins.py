"""Modules that bring policies, links and worlds of one's own: loaded when a name is not known, refused kindly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from sureshot import plugins
from sureshot.campaign import Campaign
from sureshot.core import LINKS, get_link
from sureshot.errors import PluginError, UnknownName
from sureshot.lab.study.study_file import parse_study
from sureshot.lab.worlds import WORLDS, get_world
from sureshot.policies import POLICIES, get_policy, policy_of
from sureshot.space import Space
from sureshot.storage import open_storage

POLICY = """
from dataclasses import dataclass
from typing import ClassVar
from sureshot.policies import Policy, register_policy

@register_policy
@dataclass(frozen=True)
class Own(Policy):
    pull: float = 1.0
    name: ClassVar[str] = "own-policy"

    def scores(self, situation, rng):
        return self.pull * situation.probability
"""
LINK = """
from dataclasses import replace
from sureshot.core import LOGIT, register_link

register_link(replace(LOGIT, name="own-link"))
"""
WORLD = """
from dataclasses import dataclass
from typing import ClassVar
from sureshot.lab.worlds import Synthetic, register_world

@register_world
@dataclass(frozen=True)
class Own(Synthetic):
    name: ClassVar[str] = "own-world"
"""


@pytest.fixture(autouse=True)
def as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables, modules and the path are after a test as they were before it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_policies.py").write_text(POLICY)
    (tmp_path / "own_links.py").write_text(LINK)
    (tmp_path / "own_worlds.py").write_text(WORLD)
    yield
    for table in (LINKS, POLICIES, WORLDS):
        for name in ("own-policy", "own-link", "own-world"):
            table.pop(name, None)  # type: ignore[attr-defined]
    for name in ("own_policies", "own_links", "own_worlds", "bad"):
        sys.modules.pop(name, None)


def test_files_bring_policies_links_and_worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, f"own_policies.py, {tmp_path}/own_links.py,own_worlds.py,")
    assert policy_of("own-policy pull=2") == get_policy("own-policy", pull=2)
    assert get_link("own-link").name == "own-link"
    assert get_world("own-world").name == "own-world"
    assert get_world("synthetic", link="own-link").label


def test_a_module_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "own_policies")
    monkeypatch.syspath_prepend(tmp_path)
    assert get_policy("own-policy").name == "own-policy"


def test_a_study_file_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "own_policies.py,own_worlds.py")
    text = 'runs = 1\n[[world]]\nname = "own-world"\n[[policy]]\nname = "own-policy"\npull = 3.0'
    study = parse_study(text)
    assert study.contenders[0].policy == get_policy("own-policy", pull=3.0)


def test_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pip leaves them behind."""
    made = tmp_path / "owner-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: owner\nVersion: 1.0\n")
    (made / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nmine = own_policies\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert [point.name for point in metadata.entry_points(group=plugins.GROUP)] == ["mine"]
    assert get_policy("own-policy").name == "own-policy"
    (made / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nmine = own_nothing\n")
    with pytest.raises(PluginError, match=r"plugin 'mine' of owner must .* got 'own_nothing' \(ModuleNotFoundError"):
        get_policy("another")


def test_nothing_is_loaded_while_names_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "nowhere.py")
    assert get_policy("kg").name == "kg"
    assert get_link("logit").name == "logit"


def test_a_name_that_stays_unknown_says_where_to_name_the_module() -> None:
    with pytest.raises(UnknownName, match=r"choose one of 'auto', 'bald'.* name the module .* in SURESHOT_PLUGINS\.$"):
        policy_of("own-policy", default="kg")
    with pytest.raises(UnknownName, match=r"Did you mean 'thompson'\?$"):
        policy_of("tompson", default="kg")


@pytest.mark.parametrize(
    ("named", "content", "says"),
    [
        ("gone.py", None, r"SURESHOT_PLUGINS must name files that exist, got 'gone.py': check the path\."),
        ("gone", None, r"must name modules that can be found, got 'gone': install it, fix the name, or give the path"),
        ("gone.inner", None, r"must name modules that can be found, got 'gone.inner'"),
        ("bad.py", "1 / 0", r"must be a module that can be imported, got 'bad.py' \(ZeroDivisionError: division by"),
        ("bad.py", "import gone", r"got 'bad.py' \(ModuleNotFoundError: No module named 'gone'\): fix that module"),
        ("bad.py", "def", r"got 'bad.py' \(SyntaxError"),
        ("json.py", "", r"there is another module 'json', got 'json.py': rename the file\."),
    ],
)
def test_what_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, content: str | None, says: str
) -> None:
    monkeypatch.setenv(plugins.VARIABLE, named)
    if content is not None:
        (tmp_path / named).write_text(content)
    with pytest.raises(PluginError, match=says) as found:
        policy_of("own-policy", default="kg")
    error = found.value
    assert (error.field, error.value, bool(error.fix)) == ("SURESHOT_PLUGINS", named, True)


def test_the_program_that_runs_is_not_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "own_policies.py")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "own_policies.py"), raising=False)
    with pytest.raises(UnknownName, match="unknown policy 'own-policy'"):
        get_policy("own-policy")


def test_a_stored_link_is_looked_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "own_links.py")
    store = open_storage(":memory:")
    Campaign.create("x", Space.grid(power=[8, 10, 12]), link="own-link", policy="kg", storage=store)
    LINKS.pop("own-link")
    sys.modules.pop("own_links")
    assert Campaign.open("x", store).spec.link == "own-link"
    LINKS.pop("own-link")
    monkeypatch.setenv(plugins.VARIABLE, "gone.py")
    with pytest.raises(PluginError, match=r"must name files that exist, got 'gone\.py'"):
        Campaign.open("x", store)
    monkeypatch.delenv(plugins.VARIABLE)
    with pytest.raises(UnknownName, match=r"unknown link 'own-link'.*name the module that registers it in SURESH"):
        Campaign.open("x", store)
