"""``sureshot token``: shown once, listed without its text, taken back."""

from __future__ import annotations

import stat
from pathlib import Path

import httpx2
import pytest

from tests.cli.commands import call, sureshot
from tests.web.served import served


def test_a_token_from_its_making_to_its_end(folder: Path) -> None:
    made = call("token add Ann --role admin")
    assert made.code == 0
    first, token, then = made.out.splitlines()
    assert first == "The token of Ann, who may do everything. It is shown this once:"
    assert token.startswith("sureshot_")
    assert then == "Then: sureshot serve --tokens sureshot-tokens.json"
    file = folder / "sureshot-tokens.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert token not in file.read_text()
    listed = call("token list")
    assert listed.out.startswith("Ann: admin, made 20")
    assert token not in listed.out
    assert call("token remove Ann").out == "The token of Ann is no longer valid.\n"
    assert call("token list").out == "Nobody has a token.\n"


def test_for_machines(folder: Path) -> None:
    made = call("token add Ann --json").json()
    assert (made["name"], made["role"], made["tokens"]) == ("Ann", "bench", "sureshot-tokens.json")
    listed = call("token list --json")
    assert listed.json()["tokens"] == [{"name": "Ann", "role": "bench", "made": made["made"]}]
    assert made["token"] not in listed.out
    assert call("token remove Ann --json").json()["removed"] is True


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("token add Bob --role admim", 1, "Did you mean 'admin'?"),
        ("token add Ann", 3, "has a token already"),
        ("token remove Anne", 1, "Did you mean 'Ann'?"),
        ("token list --tokens other.json", 1, "sureshot token add NAME --tokens other.json"),
        ("token remove Ann --tokens other.json", 1, "can't be read"),
        ("token add Ann --tokens no/folder.json", 1, "can't be written"),
        ("token add", 2, "Missing argument"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, line: str, code: int, words: str) -> None:
    call("token add Ann")
    before = (folder / "sureshot-tokens.json").read_bytes()
    done = call(line)
    assert done.code == code
    assert words in done.err
    assert done.err.count("\n") == 1
    assert (folder / "sureshot-tokens.json").read_bytes() == before


def test_no_option_takes_a_token_which_a_list_of_processes_would_show() -> None:
    for command in ("serve", "token add", "token remove", "token list"):
        assert "--token " not in call(f"{command} --help").out


def test_the_real_command_and_a_real_server(folder: Path) -> None:
    token = sureshot("token", "add", "Ann", "--json", cwd=folder).stdout.split('"token": "')[1].split('"')[0]
    with served(folder, "--tokens", "sureshot-tokens.json") as server:
        header = {"authorization": f"Bearer {token}"}
        assert httpx2.get(server.address, headers=header).status_code == 200
        assert httpx2.get(server.address).status_code == 401
        assert sureshot("token", "remove", "Ann", cwd=folder).returncode == 0
        assert httpx2.get(server.address, headers=header).status_code == 401
