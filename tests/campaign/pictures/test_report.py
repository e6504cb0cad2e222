import pytest

from sureshot import Campaign, Space
from sureshot.campaign.answers.wording import percent, percents
from sureshot.campaign.pictures.report import TOP
from sureshot.errors import Conflict
from tests.campaign.pictures.seen import NASTY, desk, oven
from tests.viz.reading import Read


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return oven().report(tmp_path_factory.mktemp("report") / "a.html").read_text()


def test_it_needs_nothing_else(page):
    read = Read(page)
    assert read.fetched() == []
    assert [len(one) > 1_000_000 for one in read.scripts].count(True) == 1
    assert read.count("link") == read.count("img") == read.count("iframe") == 0


def test_what_people_write_is_shown_as_text(page):
    read = Read(page)
    assert NASTY in read.text
    assert "<b>DMSO</b>" in read.text
    assert "<img src=x>" in read.text
    assert "A & B" in read.text
    assert not any("alert" in one for one in read.scripts if len(one) < 1_000_000)
    assert read.count("script") == 1 + 4  # Plotly's, and four pictures


def test_the_sentence_comes_first_then_all_the_rest(page):
    campaign, read = oven(), Read(page)
    best, text = campaign.best(), read.text
    parts = [
        NASTY,
        f"{best.choice}: {best.sureness}",
        str(campaign.advice())[1:],
        "The likeliest to succeed",
        "What each parameter does",
        *campaign.effects().sentences,
        "Chance of black <i> over",
        "What would have been chosen after each outcome",
        campaign.calibration().words,
        "Every trial",
        "How it was made",
        "kg-star",
    ]
    places = [text.find(one) for one in parts]
    assert -1 not in places
    assert places == sorted(places)
    for one in campaign.effects().sentences:
        assert page.count(one.replace("<", "&lt;").replace(">", "&gt;")) <= 1
    assert text.count(str(campaign.status().seed)) >= 1


def test_the_ranked_table_is_that_of_predict(page):
    frame, text = oven().predict().head(TOP), Read(page).text
    for row in frame.itertuples():
        assert f"{percent(row.chance)} ({percents(row.low, row.high)})" in text
    first = next(given["style"] for tag, given in Read(page).tags if tag == "b" and "style" in given)
    assert first == f"left:{round(100 * frame.chance.iloc[0], 2)}%"


def test_a_campaign_without_outcomes_and_one_with_cases(tmp_path):
    new = Campaign.create("new", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
    assert "Nothing is known yet" in Read(new.report(tmp_path / "new.html").read_text()).text
    every = Read(desk().report(tmp_path / "desk.html").read_text()).text
    assert "What each parameter does" in every
    assert "decides in cases of age" in every
    assert "in the case age 61" in Read(desk().report(tmp_path / "one.html", context={"age": 61}).read_text()).text


def test_cautions_come_before_the_choice(tmp_path):
    oven_ = Space.grid(temperature="100:200:20 C", solvent=["DMF", "DMSO", "GBL"], additive=[False, True])
    straight = Campaign.create("o", oven_, formula="temperature + solvent + additive", seed=1, storage=":memory:")
    rows = oven_.to_frame()
    rows["outcome"] = rows["temperature"].between(140, 160).astype(int)
    straight.import_table(rows)
    text = Read(straight.report(tmp_path / "o.html").read_text()).text
    assert 0 < text.find("Careful: a model that may take any shape") < text.find("Choose")


def test_it_is_named_after_the_campaign_and_overwrites_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(desk().report()) == "desk.html"
    with pytest.raises(Conflict, match=r"'desk\.html' is there already"):
        desk().report()
    desk().report(force=True)
