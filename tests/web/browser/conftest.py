"""A real browser before a real server. Chromium is Debian's; where there is none the tests say so, and CI fails."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from sureshot.storage import Storage
from sureshot.web import Settings
from tests.web.app import app_over
from tests.web.conftest import PATIENCE
from tests.web.needed import missing

#: The browser that is used, unless CHROMIUM names another.
NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",  # it calls this machine only
)
#: Milliseconds that a page may take, on a busy machine too.
TIMEOUT = 20_000
expect.set_options(timeout=TIMEOUT)
#: A phone, a tablet, a desk: their widths in pixels, and heights that fit.
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desk": (1440, 900)}


def found() -> str | None:
    """The path of a Chromium on this machine."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of this folder, each in windows of its own. Not longer: a loop of events runs in it."""
    path = found()
    if path is None:
        missing("no Chromium on this machine: apt-get install chromium, or name one with CHROMIUM=path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()


@contextmanager
def served(store: Storage, **settings: Any) -> Iterator[str]:
    """A server over the store, in a thread of this process: where it is."""
    app = app_over(Settings(**{"patience": PATIENCE, **settings}), store)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while not server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def serve(store: Storage) -> Iterator[Callable[..., str]]:
    """Start servers over the store."""
    with ExitStack() as running:
        yield lambda **settings: running.enter_context(served(store, **settings))


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keep a picture of a page, for who wants to look at what was tested: in the folder SURESHOT_SHOTS."""
    folder = Path(os.environ.get("SURESHOT_SHOTS") or request.config.rootpath / "build" / "shots")

    def taken(page: Page, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", full_page=True)

    return taken


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open a window of its own. Whatever it asks another machine for, and whatever a script complains of, fails the
    test at its end.
    """
    opened: list[BrowserContext] = []
    wrong: list[str] = []

    def heard(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname != "127.0.0.1":
            wrong.append(f"asked for {request.url}")

    def made(size: str = "desk", **options: Any) -> Page:
        width, height = SIZES[size]
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        opened.append(context)
        context.on("request", heard)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
        page.set_default_timeout(TIMEOUT)
        return page

    yield made
    for context in opened:
        context.close()
    assert wrong == []
