"""No test calls another machine, and no process that a test starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.offline.sitecustomize import RECORD

#: An address that nobody has (RFC 5737).
NOBODY = "192.0.2.1"


def python(code: str, record: Path) -> tuple[str, str]:
    """What a new process says, and whom it called."""
    line = f"import socket, errno\ntry:\n    {code}\nexcept OSError as error:\n    print(errno.errorcode[error.errno])"
    env = {**os.environ, RECORD: str(record)}
    done = subprocess.run([sys.executable, "-c", line], env=env, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip(), record.read_text() if record.exists() else ""


@pytest.mark.parametrize(
    "code",
    [
        f"socket.create_connection(('{NOBODY}', 9), timeout=5)",
        "socket.create_connection(('nobody.example', 9), timeout=5)",
        "import http.client; http.client.HTTPConnection('nobody.example', timeout=5).connect()",
        f"socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('{NOBODY}', 9))",
        "socket.create_connection(('2001:db8::1', 9), timeout=5)",
        "socket.gethostbyname('nobody.example')",
        f"import asyncio; asyncio.run(asyncio.wait_for(asyncio.open_connection('{NOBODY}', 9), 5))",
    ],
)
def test_a_process_that_calls_another_machine_is_refused_and_named(code: str, tmp_path: Path) -> None:
    said, called = python(code, tmp_path / "called")
    assert said == "ENETUNREACH"
    assert NOBODY in called or "nobody.example" in called or "2001:db8::1" in called


def test_this_machine_is_called_as_ever(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            said, called = python(
                f"socket.create_connection(('{host}', {port}), timeout=5); print('there')", tmp_path / "c"
            )
            assert (said, called) == ("there", "")


def test_a_test_that_calls_another_machine_fails_though_it_catches_the_error(tmp_path: Path) -> None:
    (tmp_path / "test_calls.py").write_text(
        "import socket\n"
        "def test_calls():\n"
        "    try:\n"
        f"        socket.create_connection(('{NOBODY}', 9), timeout=5)\n"
        "    except OSError:\n"
        "        pass\n"
        "def test_does_not(): pass\n"
    )
    line = [sys.executable, "-m", "pytest", "-p", "tests.offline.plugin", "-p", "no:cacheprovider", "-q", str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [*line, "-c", os.devnull, "--rootdir", str(tmp_path)], cwd=root, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert "2 passed, 1 error" in done.stdout, done.stdout
    assert f"called\n{NOBODY} port 9" in done.stdout
