"""``sureshot serve``: one command in an empty folder, and what is wrong said before anything is done."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.cli.commands import call, environment
from tests.web.served import served


def test_one_command_in_an_empty_folder(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sureshot", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(XDG_STATE_HOME=str(folder / "state")),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()  # there before the server ends: it is written at once
        address = line.split()[1]
        assert line == f"Open {address} in a browser. Ctrl-C stops.\n"
        assert httpx2.get(address).status_code == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait(timeout=60)
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")
    assert (folder / "sureshot.db").exists()


def test_a_store_is_named_as_ever(folder: Path, postgres_url: str) -> None:
    for store in ("other.db", postgres_url):
        with served(folder, "--storage", store) as server:
            assert httpx2.get(server.address).status_code == 200
    assert (folder / "other.db").exists()
    assert not (folder / "sureshot.db").exists()


def test_a_port_that_is_taken_is_said_before_anything(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = call(["serve", "--port", str(taken.getsockname()[1])])
    assert done.code == 3
    assert "is taken by another program" in done.err
    assert "--port 0" in done.err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--host 0.0.0.0", "needs tokens"),
        ("--host ::", "needs tokens"),
        ("--host bench.example.org", "needs tokens"),
        ("--behind-proxy", "needs tokens"),
        ("--proxy 192.0.2.7", "needs tokens"),
        ("--called bench.example.org", "needs tokens"),
        ("--tokens missing.json", "sureshot token add"),
        ("--storage mysql://x", "a store must be"),
        ("--storage missing/folder.db", "there is no folder"),
    ],
)
def test_what_would_be_unsafe_or_can_not_be_is_refused(folder: Path, options: str, words: str) -> None:
    done = call(f"serve --port 0 {options}")
    assert done.code == 1
    assert words in done.err
    assert done.out == ""
    assert list(folder.iterdir()) == []


def test_an_empty_file_of_tokens_lets_nobody_in_and_is_refused(folder: Path) -> None:
    call("token add Ann")
    call("token remove Ann")
    done = call("serve --port 0 --host 0.0.0.0 --tokens sureshot-tokens.json --json")
    assert done.code == 1
    assert done.json()["error"]["field"] == "tokens"
    assert "nobody has a token" in done.err


def test_without_the_extra_it_says_what_to_install(folder: Path) -> None:
    code = "import sys; sys.modules['{}'] = None; from sureshot.cli import main; main(['{}', *sys.argv[1:]])"
    for missing in ("fastapi", "uvicorn"):
        line = [sys.executable, "-c", code.format(missing, "serve")]
        done = subprocess.run(line, capture_output=True, text=True, env=environment(), cwd=folder, check=False)
        assert done.returncode == 1
        assert done.stderr == f"Error: the pages need {missing}, which is not installed: pip install 'sureshot[web]'.\n"


def test_behind_a_proxy_people_are_told_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.web.run.serve", lambda settings, ready: ready(settings))
    done = call(["serve", "--behind-proxy", "--called", "bench.example.org", "--tokens", "tokens.json"])
    assert done.out.startswith("Open https://bench.example.org in a browser.")
