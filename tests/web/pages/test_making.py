"""A new campaign on the page: the same as the command makes, every error at its field, nothing typed lost."""

from __future__ import annotations

import errno
import io
import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from openpyxl import Workbook

from sureshot import Campaign
from sureshot.campaign import fields
from sureshot.storage import Storage, open_storage
from tests.cli.commands import call
from tests.web.conftest import post, secret_of

POWER = {"parameters.name": ["power", "catalyst", ""], "parameters.levels": ["8, 10, 12, 14 W", "Fe,Co", ""]}
CSV = b"sample,power (W),catalyst,batch\na,8,Fe,1\nb,10,Co,2\nc,12,Fe,1\nd,14,Co,3\n"
SCRIPT = "<script>alert(1)</script>"


def send(browser: TestClient, do: str = "create", *, file: tuple[str, bytes] | None = None, **typed: Any) -> Any:
    secret = secret_of(browser.get("/new").text)
    files = {} if file is None else {"candidates": file}
    return browser.post("/new", data={"form": secret, "do": do, **typed}, files=files, follow_redirects=False)


def wrong(page: str, place: str) -> str:
    """What stands at a field."""
    found = re.search(rf'id="wrong-{re.escape(place)}">(.*?)</p>', page, re.S)
    assert found, f"nothing at {place}: {re.findall('id=.wrong-([^>]*).>', page)}"
    return unescape(found[1])


def token_of(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found, "no file waits"
    return found[1]


# -- the same as the command makes


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("--param power=8,10,12,14 --param catalyst=Fe,Co", {}),
        ("--success single --failure double --budget 30", {"success": "single", "failure": "double", "budget": "30"}),
        ("--shape straight --policy thompson", {"shape": "straight", "policy": "thompson"}),
        (
            "--objective online --discount 0.9 --link probit",
            {"objective": "online", "discount": "0.9", "link": "probit"},
        ),
        ("--formula power+catalyst --prior 2.0", {"formula": "power+catalyst", "prior": "2.0"}),
        ("--cost 0.002", {"cost": "0.002"}),
        ("--where power<=12 --where power>8", {"where": " power<=12\n\npower>8\n"}),
        (
            "--context age=18:90 --context ward=A,B --value same-context",
            {"context.name": ["age", "ward"], "context.levels": ["18:90", "A,B"], "value": "same context"},
        ),
        (
            "--context age=18:90 --no-interactions",
            {"context.name": ["age"], "context.levels": ["18:90"], "interactions": "no"},
        ),
    ],
)
def test_a_campaign_is_the_one_that_the_command_makes(
    command: str, typed: dict[str, Any], browser: TestClient, store: Storage, tmp_path: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    grid = "" if "--param" in command else "--param power=8,10,12,14 --param catalyst=Fe,Co "
    done = call(f"new same {grid}{command} --seed 7 --storage it.db")
    assert done.code == 0, done.err
    plain = {"parameters.name": ["power", "catalyst"], "parameters.levels": ["8,10,12,14", "Fe,Co"]}
    answer = send(browser, name="same", seed="7", **plain, **typed)
    assert (answer.status_code, answer.headers.get("location")) == (303, "/c/1"), unescape(answer.text)
    assert store.campaign("same").spec == open_storage("it.db").campaign("same").spec
    assert store.campaign("same").seed == 7


def test_a_file_makes_the_campaign_that_the_command_makes(
    browser: TestClient, store: Storage, tmp_path: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "march.csv").write_bytes(CSV)
    done = call("new same --candidates march.csv --id sample --names batch --seed 7 --storage it.db")
    assert done.code == 0, done.err
    page = send(browser, "look", file=("march.csv", CSV), name="same", seed="7").text
    columns = {"column.0": "id", "column.1": "", "column.2": "", "column.3": "names"}
    answer = send(browser, name="same", seed="7", token=token_of(page), **columns)
    assert answer.status_code == 303, unescape(answer.text)
    assert store.campaign("same").spec == open_storage("it.db").campaign("same").spec


#: Name and levels are two fields here: a hint with power=8,10,12 would be typed into one of them as it is.
ROWS = ("parameters", "context")


def test_all_fields_of_the_record_are_on_the_form_with_their_own_words(browser: TestClient) -> None:
    page = send(browser, "look", file=("march.csv", CSV)).text
    shown = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    for one in fields():
        if one.name == "storage":
            continue
        assert one.label in shown or one.name in ("shape",), one.name
        if not one.choices and one.name not in ROWS:
            assert " ".join(one.details.split()) in shown, one.name
        for key, meaning in one.meanings.items():
            assert key in shown
            assert meaning.casefold() in shown.casefold()
    assert "May the best lie in the middle of a range?" in shown


# -- looked at first


def test_a_look_tells_what_there_is_and_keeps_nothing(browser: TestClient, store: Storage) -> None:
    answer = send(browser, "look", **POWER)
    page = unescape(answer.text)
    assert answer.status_code == 200
    assert '<h2 id="look">8 settings</h2>' in page
    assert "4 numbers from 8 to 14\xa0W" in page
    assert "May the best lie in the middle of a range? Outcomes decide (shape auto)." in page
    assert "feature" not in page.partition('id="look"')[2]
    assert "<td>8\xa0W</td><td>Fe</td>" in page
    assert "The first 6 of them" in page
    assert store.campaigns() == ()
    assert 'value="8, 10, 12, 14 W"' in page


def test_notes_of_what_was_read_kindly_are_shown(browser: TestClient) -> None:
    page = unescape(send(browser, "look", **{"parameters.name": "power", "parameters.levels": "8:15:2"}).text)
    assert "leaves 15 out" in page


def test_a_column_that_teaches_nothing_is_said_to_and_can_be_left_out(browser: TestClient) -> None:
    table = b"run,power,oven,day\n1,8,B,5\n2,10,B,5\n3,12,B,5\n4,14,B,5\n"
    page = unescape(send(browser, "look", file=("march.csv", table)).text)
    assert 'oven <span class="quiet">always B</span>' in page
    assert 'day <span class="quiet">always 5</span>' in page
    for name in ("Oven", "Day"):
        told = f"{name} is the same in the whole pool: nothing can be learned about it; leave it out with “left out”"
        assert f"{told} for {name.lower()}." in page
    assert "Run is a running number, 1 to 4, and is taken as a parameter" in page
    said = {f"column.{i}": what for i, what in enumerate(("without", "", "without", "without"))}
    assert "<b>Note:</b>" not in send(browser, "look", token=token_of(page), **said).text


@pytest.mark.parametrize("name", ["march 3.csv", "<b>.CSV", "\N{SNOWMAN}" * 300 + ".csv"])
def test_errors_call_a_file_as_its_owner_does(browser: TestClient, name: str) -> None:
    page = send(browser, "look", file=(name, b"power,gas\n8\n"), name="same").text
    told = wrong(page, "candidates")
    assert name[:50].partition(".")[0] in told
    assert name.rpartition(".")[2] in told
    assert "<b>" not in page.partition('id="wrong-candidates"')[2].partition("</p>")[0]


def test_a_column_of_a_case_may_have_its_unit(browser: TestClient) -> None:
    case = {"context.name": ["room"], "context.levels": ["20:40 C"]}
    assert send(browser, name="desk", **POWER, **case).headers["location"] == "/c/1"
    page = browser.get("/c/1").text
    assert 'room <span class="quiet">in C</span>' in page
    assert "20 to 40\xa0C" in page


def test_a_look_tells_what_is_asked_for_in_a_case(browser: TestClient) -> None:
    case = {"context.name": ["ward", "age", "awake"], "context.levels": ["A, B", "18:95 years", "bool"]}
    page = unescape(send(browser, "look", **POWER, **case).text)
    assert "Asked for in every case:" in page
    assert "<b>ward</b>: 2 names: A, B" in page
    assert "<b>age</b>: a number, usually 18 to 95\xa0years" in page
    assert "<b>awake</b>: yes or no" in page
    assert "Asked for in every case:" not in send(browser, "look", **POWER).text


def test_that_a_name_is_one_word_is_said_before_it_is_refused(browser: TestClient) -> None:
    hint = browser.get("/new").text.partition('id="hint-parameters"')[2].partition("</p>")[0]
    assert "one word, such as gas_flow" in hint
    assert send(browser, "look", **{"parameters.name": ["gas_flow"], "parameters.levels": ["1, 2"]}).status_code == 200


def test_columns_of_a_file_are_told_and_can_be_changed(browser: TestClient) -> None:
    page = unescape(send(browser, "look", file=("march.csv", CSV)).text)
    assert "march.csv" in page
    assert "4 names: a, b, c, d" in page
    assert "Sample is different in every row, and is taken as a parameter" in page
    said = {f"column.{i}": what for i, what in enumerate(("id", "", "", "without"))}
    page = unescape(send(browser, "look", token=token_of(page), **said).text)
    assert 'sample <span class="quiet">names the rows</span>' in page
    assert 'batch <span class="quiet">left out</span>' in page
    assert "<td>a</td><td>8\xa0W</td><td>Fe</td>" in page
    assert '<option value="without" selected>' in page


def test_the_count_while_one_types(browser: TestClient) -> None:
    def counted(**typed: Any) -> str:
        return post(browser, "/new", "/new/count", **typed).json()["words"]

    assert counted(**POWER) == "8 settings"
    assert counted(**POWER, where="power < 10") == "2 settings"
    assert counted(**{"parameters.name": ["power"], "parameters.levels": ["8,,"]}) == ""
    assert counted() == ""


# -- rows


@pytest.mark.parametrize(("do", "what"), [("row", "parameters"), ("case", "context")])
def test_one_more_row_keeps_what_was_typed(do: str, what: str, browser: TestClient, store: Storage) -> None:
    typed = {f"{what}.name": ["one", "two"], f"{what}.levels": ["1,2", "a,b"]}
    answer = send(browser, do, name="mine", budget="x", **typed)
    assert answer.status_code == 200
    assert answer.text.count(f'name="{what}.name"') == 3
    for value in ("one", "two", "1,2", "a,b", "mine", "x"):
        assert f'value="{value}"' in answer.text
    assert store.campaigns() == ()


# -- what is wrong


def test_every_error_is_at_its_field_and_nothing_is_lost(browser: TestClient, store: Storage) -> None:
    typed = {
        "parameters.name": ["power", "", "time"],
        "parameters.levels": ["8,10", "5,6", "1:2"],
        "context.name": ["age"],
        "context.levels": ["18:old"],
        "where": "power < 9",
        "name": "mine",
        "success": "yes & <so>",
        "budget": "many",
        "discount": "half",
        "prior": "/etc/passwd",
        "seed": "1.5",
        "formula": "power",
        "policy": "thompson",
    }
    answer = send(browser, **typed)
    assert answer.status_code == 422
    page = answer.text
    assert "must have a name beside them" in wrong(page, "parameters.1")
    assert "start:stop:step" in wrong(page, "parameters.2")
    assert "low:high" in wrong(page, "context.0")
    assert "“How many trials may be asked” must be a whole number, got 'many'" in wrong(page, "budget")
    assert "a number" in wrong(page, "discount")
    assert "'auto' or a number" in wrong(page, "prior")
    assert "whole number" in wrong(page, "seed")
    assert "root:" not in page
    kept = unescape(page)
    for value in ("power", "8,10", "5,6", "time", "1:2", "age", "18:old", "mine", "yes & <so>", "many", "half", "1.5"):
        assert f'value="{value}"' in kept, value
    assert ">power < 9</textarea>" in kept
    assert page.count('aria-invalid="true"') >= 7
    assert store.campaigns() == ()


@pytest.mark.parametrize(
    ("place", "says", "typed"),
    [
        ("name", "must have a name", {"name": " "}),
        ("name", "printable characters", {"name": "x" * 201}),
        ("name", "already is a campaign 'tubes'", {"name": "tubes"}),
        (
            "parameters",
            "must come from parameters or from a file",
            {"parameters.name": [""], "parameters.levels": [""]},
        ),
        ("success", "", {"success": "same", "failure": "same"}),
        ("budget", "at least 1", {"budget": "0"}),
        ("policy", "nknown policy 'thomson'", {"policy": "thomson"}),
        ("formula", "", {"formula": "power ++ __import__('os')"}),
        ("where", "", {"where": "power <"}),
        ("shape", "leave one out", {"shape": "curved", "formula": "power"}),
        ("discount", "", {"discount": "0.9"}),
        ("cost", "", {"cost": "nowhere"}),
        ("context_formula", "contexts", {"context_formula": "age"}),
        ("interactions", "contexts", {"interactions": "no"}),
        ("parameters.1", "twice", {"parameters.name": ["power", "power"], "parameters.levels": ["1,2", "3,4"]}),
        ("parameters.0", "levels beside it", {"parameters.name": ["power"], "parameters.levels": [""]}),
        ("parameters.0", "word of letters", {"parameters.name": ["2 x"], "parameters.levels": ["1,2"]}),
        ("context.0", "", {"context.name": ["age"], "context.levels": ["old"]}),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    place: str, says: str, typed: dict[str, Any], browser: TestClient, store: Storage, tubes: Campaign
) -> None:
    answer = send(browser, **{"name": "mine", **POWER, **typed})
    assert answer.status_code == 422
    assert says in wrong(answer.text, place)
    assert "--" not in wrong(answer.text, place), "the command's words on a page"
    assert len(store.campaigns()) == 1


def test_a_file_that_is_refused_is_said_at_its_field_and_the_rest_is_kept(browser: TestClient) -> None:
    answer = send(browser, file=("march.exe", CSV), name="mine", budget="12")
    assert answer.status_code == 422
    assert "unknown kind of file" in wrong(answer.text, "candidates").lower()
    assert 'value="12"' in answer.text


def test_a_file_that_is_no_table_is_said_at_its_field(browser: TestClient) -> None:
    answer = send(browser, "look", file=("photo.csv", b"\x89PNG\r\n\x1a\n\x00\x00junk"), name="mine")
    assert answer.status_code == 422
    assert "must be a text file" in wrong(answer.text, "candidates")


def test_a_cell_that_can_not_be_read_is_said_at_its_column_and_can_be_left_out(
    browser: TestClient, store: Storage
) -> None:
    bad = b"power,remark\n8,fine\n10,\n12,odd\n14,\n"
    answer = send(browser, "look", file=("march.csv", bad), name="mine")
    assert answer.status_code == 422
    assert "Line 3" in wrong(answer.text, "column.1")
    done = send(browser, name="mine", token=token_of(answer.text), **{"column.0": "", "column.1": "without"})
    assert done.status_code == 303
    assert Campaign.open("mine", store).spec.pool.space.names == ("power",)


@pytest.mark.parametrize("header", ["sample", "name"])
def test_a_column_that_only_names_the_rows_is_said_to_at_that_column(header: str, browser: TestClient) -> None:
    """Even one that is called as a field of the form is."""
    rows = "".join(f"A{i},{i % 4}\n" for i in range(60))
    answer = send(browser, "look", file=("alloys.csv", f"{header},power\n{rows}".encode()), name="mine")
    assert answer.status_code == 422
    assert "“names the rows”" in wrong(answer.text, "column.0")
    assert 'href="#field-column.0"' in answer.text


def test_a_disk_without_room_for_the_file_is_said_and_nothing_is_kept(
    browser: TestClient, store: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sureshot.web.uploads.shutil.copyfileobj", full)
    answer = send(browser, file=("rows.csv", CSV), name="rows")
    assert answer.status_code == 503
    assert "has no room to keep what was sent" in answer.text
    assert store.campaigns() == ()


def test_rows_that_repeat_can_be_merged(browser: TestClient, store: Storage) -> None:
    answer = send(browser, "look", file=("march.csv", b"power\n8\n8\n10\n"), name="mine")
    assert "Alternatives must differ" in unescape(answer.text)
    done = send(browser, name="mine", token=token_of(answer.text), merge="yes")
    assert done.status_code == 303
    assert len(Campaign.open("mine", store).spec.pool.space) == 2


def test_a_file_waits_through_errors_and_is_gone_when_the_campaign_is_made(browser: TestClient, store: Storage) -> None:
    page = send(browser, "look", file=("march.csv", CSV)).text
    token = token_of(page)
    for _ in range(3):
        page = send(browser, token=token, budget="many").text
        assert token_of(page) == token
    assert send(browser, token=token, name="mine").status_code == 303
    assert len(browser.app.state.shelf) == 0  # type: ignore[attr-defined]
    answer = send(browser, token=token, name="other")
    assert answer.status_code == 422
    assert "choose it again" in wrong(answer.text, "candidates")


def test_the_file_of_another_browser_is_not_found(browser_of: Callable[..., TestClient]) -> None:
    ann = browser_of()
    token = token_of(send(ann, "look", file=("march.csv", CSV)).text)
    thief = TestClient(ann.app, base_url="http://localhost:8000")
    answer = send(thief, "look", token=token)
    assert answer.status_code == 422
    assert "no longer here" in wrong(answer.text, "candidates")
    assert send(ann, "look", token=token).status_code == 200


def test_no_file_after_all(browser: TestClient) -> None:
    token = token_of(send(browser, "look", file=("march.csv", CSV)).text)
    page = send(browser, "nofile", token=token, **POWER).text
    assert 'name="token"' not in page
    assert len(browser.app.state.shelf) == 0  # type: ignore[attr-defined]


def test_an_excel_file_is_read(browser: TestClient, store: Storage) -> None:
    book, stream = Workbook(), io.BytesIO()
    for row in (["power", "catalyst"], [8, "Fe"], [10, "Co"]):
        book.active.append(row)
    book.save(stream)
    assert send(browser, file=("runs.xlsx", stream.getvalue()), name="mine").status_code == 303
    assert len(Campaign.open("mine", store).spec.pool.space) == 2


def test_what_people_write_is_shown_as_text(browser: TestClient, tubes: Campaign) -> None:
    content = f"power,{SCRIPT}\n8,{SCRIPT}\n10,b\n".encode()
    typed = {
        "name": SCRIPT,
        "budget": SCRIPT,
        "parameters.name": [SCRIPT],
        "parameters.levels": [SCRIPT],
        "where": SCRIPT,
    }
    for answer in (
        send(browser, "look", file=(f"{SCRIPT}.csv", content), name=SCRIPT),
        send(browser, **typed),
        post(browser, "/new/like", "/new/like", name=SCRIPT, old=SCRIPT, formula=SCRIPT),
    ):
        assert SCRIPT not in answer.text
        assert "&lt;script&gt;" in answer.text


# -- like another, and from a download


def test_a_campaign_like_another_has_its_outcomes_and_what_was_changed(
    browser: TestClient, store: Storage, tubes: Campaign
) -> None:
    tubes.tell_new(0, "single")
    page = browser.get("/new/like?old=1").text
    assert '<option value="1" selected>tubes</option>' in page
    answer = post(browser, "/new/like", "/new/like", old="1", name="bent", shape="curved", budget="40")
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/2")
    made, same = Campaign.open("bent", store), Campaign.create_from("same", tubes, shape="curved", budget=40)
    assert made.spec.to_dict() == same.spec.to_dict()
    assert made.status().told == 1


def test_what_is_wrong_in_a_campaign_like_another_is_at_its_field(
    browser: TestClient, store: Storage, tubes: Campaign
) -> None:
    answer = post(browser, "/new/like", "/new/like", old="", name="bent", budget="x", formula="power")
    assert answer.status_code == 422
    assert "must be chosen" in wrong(answer.text, "old")
    assert "whole number" in wrong(answer.text, "budget")
    assert 'value="bent"' in answer.text
    answer = post(browser, "/new/like", "/new/like", old="1", name="tubes")
    assert "already is a campaign" in wrong(answer.text, "name")
    answer = post(browser, "/new/like", "/new/like", old="1", name="bent", shape="curved", formula="power")
    assert "leave one out" in wrong(answer.text, "shape")
    assert post(browser, "/new/like", "/new/like", old="99", name="bent").status_code == 422
    assert post(browser, "/new/like", "/new/like", old="9" * 5_000, name="bent").status_code == 422
    assert len(store.campaigns()) == 1


def test_a_download_makes_the_campaign_again(browser: TestClient, store: Storage, tubes: Campaign) -> None:
    tubes.tell_new(0, "single")
    content = json.dumps(tubes.export()).encode()

    def again(file: tuple[str, bytes] | None, **typed: str) -> Any:
        secret = secret_of(browser.get("/new/import").text)
        files = {} if file is None else {"export": file}
        return browser.post("/new/import", data={"form": secret, **typed}, files=files, follow_redirects=False)

    taken = again(("tubes.json", content))
    assert taken.status_code == 422
    assert "already is a campaign 'tubes'" in wrong(taken.text, "name")
    done = again(("tubes.json", content), name="tubes again")
    assert (done.status_code, done.headers["location"]) == (303, "/c/2")
    assert Campaign.open("tubes again", store).export()["events"] == tubes.export()["events"]
    for file in (None, ("a.csv", content), ("a.json", b"[" * 100_000), ("a.json", b"{}"), ("a.json", b"\xff\xfe")):
        answer = again(file, name="kept")
        assert answer.status_code == 422
        assert wrong(answer.text, "export")
        assert 'value="kept"' in answer.text
    forged = content.replace(b'"successes": 1', b'"successes": 0')
    assert forged != content
    assert again(("a.json", forged), name="forged").status_code == 422
    assert len(store.campaigns()) == 2


# -- who may


@pytest.mark.parametrize("path", ["/new", "/new/count", "/new/like", "/new/import"])
def test_only_those_who_may_make_campaigns_see_the_forms(
    path: str, browser_of: Callable[..., TestClient], browser: TestClient, store: Storage
) -> None:
    wall = browser_of(read_only=True)
    if path != "/new/count":
        assert browser.get(path).status_code == 200
        assert wall.get(path).status_code == 403
    assert wall.post(path, data={"name": "x"}).status_code == 403
    assert browser.post(path, data={"name": "x"}).status_code == 403, "a form from elsewhere"
    assert store.campaigns() == ()
