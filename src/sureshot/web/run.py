"""Start the server: refuse what would be unsafe, say where it is, serve until it is stopped."""

from __future__ import annotations

import errno
import logging
import re
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from sureshot.errors import Conflict, InvalidInput
from sureshot.web.app import create_app
from sureshot.web.security.kept_key import kept_key
from sureshot.web.security.patience import Impatient
from sureshot.web.security.token_file import read_tokens
from sureshot.web.settings import Settings, is_loopback

__all__ = ["check", "listening", "serve"]

#: Connections at once: whoever comes then is told to come back later.
CONNECTIONS = 500
#: Bytes of the head of a request.
HEAD_BYTES = 32_768
#: Seconds that a connection is kept for the next request. Where a proxy keeps it, longer than the proxy does (Caddy:
#: 120), for a form that is sent on it just when we close it is lost.
KEEP_ALIVE, PROXY_KEEP_ALIVE = 15, 180
#: Seconds that requests under way may take when it ends.
LAST_WORDS = 30
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


def check(settings: Settings) -> None:
    """Refuse to be reached by others without tokens: at another address, or through a proxy."""
    for name in settings.names:
        if not _NAME.fullmatch(name):
            raise InvalidInput(
                "a name of the server is what stands in its address", field="name", got=name, fix="leave out the rest"
            )
    if not 0 <= settings.port <= 65535:
        raise InvalidInput("`port` must lie between 0 and 65535", got=settings.port, fix="0 picks one that is free")
    if settings.tokens is None:
        if not is_loopback(settings.host):
            raise _needs_tokens("an address that others can reach needs tokens", "host", settings.host)
        if settings.behind_proxy or settings.names:
            raise _needs_tokens("a proxy lets others in, which needs tokens", "behind_proxy", None)
    elif not read_tokens(settings.tokens).tokens:
        raise InvalidInput(
            f"nobody has a token in {settings.tokens}",
            field="tokens",
            fix=f"make one with sureshot token add NAME --tokens {settings.tokens}",
        )


def _needs_tokens(rule: str, field: str, got: str | None) -> InvalidInput:
    fix = "make one with sureshot token add NAME and serve with --tokens sureshot-tokens.json, or serve on 127.0.0.1"
    return InvalidInput(rule if got is None else f"{rule}, got {got!r}", field=field, value=got, fix=fix)


def listening(settings: Settings) -> socket.socket:
    """A socket at the address, to which browsers can connect from now on."""
    host = settings.host.strip("[]")
    made: socket.socket | None = None
    try:
        found = socket.getaddrinfo(host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
        if settings.tokens is None and not is_loopback(str(address[0])):  # a machine that calls another localhost
            raise _needs_tokens("an address that others can reach needs tokens", "host", str(address[0]))
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(2048)
    except (OSError, OverflowError) as error:
        if made is not None:
            made.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise Conflict(
                f"port {settings.port} is taken by another program, perhaps by another sureshot serve",
                field="port",
                value=settings.port,
                fix="choose another with --port, or --port 0 for one that is free",
            ) from error
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(
            f"nobody can listen at {settings.host}, port {settings.port} ({why})",
            field="host",
            value=settings.host,
            fix="choose an address of this machine with --host, and a port from 1024 on with --port",
        ) from error
    return made


def serve(settings: Settings, ready: Callable[[Settings], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; requests under way are finished first. ``ready`` is told when browsers can
    connect, with the port that was chosen.
    """
    check(settings)
    with listening(settings) as taken:
        settings = replace(settings, port=taken.getsockname()[1])
        app = create_app(settings, key=kept_key() if settings.tokens is None else None)
        config = uvicorn.Config(
            app,
            http=Impatient,
            ws="none",
            log_config=None,
            log_level="error",  # no addresses of people, and no words about each request that can't be read
            access_log=False,
            server_header=False,
            proxy_headers=settings.behind_proxy,
            forwarded_allow_ips=list(settings.proxies),
            limit_concurrency=CONNECTIONS,
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_keep_alive=PROXY_KEEP_ALIVE if settings.behind_proxy else KEEP_ALIVE,
            timeout_graceful_shutdown=LAST_WORDS,
        )
        logging.getLogger("python_multipart").setLevel(logging.ERROR)  # what strangers send fills no log
        server = uvicorn.Server(config)
        ready(settings)
        try:
            server.run(sockets=[taken])
        except KeyboardInterrupt:
            if not server.started:
                raise
