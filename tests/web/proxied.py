"""A real proxy, nginx or Caddy, before a real server: run as docs/how-to/serve.md has it, only at ports of this machine
that are free and with a certificate made here.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from tests.web.needed import missing

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
NAME = "bench.example.org"


def example(after: str) -> str:
    """The first block of code of the page after these words."""
    found = re.search(r"```\w*\n(.*?)```", PAGE[PAGE.index(after) :], re.S)
    assert found, after
    return found[1]


def program(name: str, package: str) -> str:
    """Where a program is."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    return found or missing(f"no {name} on this machine: apt-get install {package}")


@dataclass
class Proxied:
    port: int
    trusts: ssl.SSLContext
    opened: list[httpx2.Client] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    def client(self, address: str = "127.0.0.1") -> httpx2.Client:
        """Somebody at an address of their own (all of 127.0.0.0/8 is this machine), who proves the certificate."""

        def by_name(request: httpx2.Request) -> None:
            request.extensions["sni_hostname"] = NAME

        made = httpx2.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"host": f"{NAME}:{self.port}"},
            transport=httpx2.HTTPTransport(verify=self.trusts, local_address=address),
            event_hooks={"request": [by_name]},
            timeout=60,
        )
        self.opened.append(made)
        return made


def nginx(folder: Path, server: int, port: int) -> list[str]:
    """The command that runs the page's nginx, as one process that leaves nothing elsewhere."""
    site = example("With nginx:")
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        (f"/etc/ssl/{NAME}.pem", f"{folder}/{NAME}.pem"),
        (f"/etc/ssl/{NAME}.key", f"{folder}/{NAME}.key"),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert site.count(old) == 1, old
        site = site.replace(old, new)
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("proxy", "fastcgi", "scgi", "uwsgi"))
    around = "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr error;\nevents {}\n"
    http = f"access_log off;\nclient_body_temp_path {folder}/body;\n{places}{site}"
    (folder / "nginx.conf").write_text(f"{around}http {{\n{http}}}\n")
    return [program("nginx", "nginx-light"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def caddy(folder: Path, server: int, port: int) -> list[str]:
    """The command that runs the page's Caddy."""
    site = example("With Caddy")
    for old, new in (
        (f"{NAME} {{\n", f"{NAME} {{\n    tls {folder}/{NAME}.pem {folder}/{NAME}.key\n"),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert site.count(old) == 1, old
        site = site.replace(old, new)
    ports = f"https_port {port}\nhttp_port {free_port()}\n"
    (folder / "Caddyfile").write_text(f"{{\nadmin off\ndefault_bind 127.0.0.1\n{ports}}}\n{site}")
    return [program("caddy", "caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES: dict[str, Callable[[Path, int, int], list[str]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxied(kind: str, folder: Path, server: int) -> Iterator[Proxied]:
    """The proxy before the server at a port; ended at the end, whatever happens."""
    trusts = certificate(folder)
    for _ in range(5):  # another test may take the port before the proxy does
        port = free_port()
        with open(folder / f"{kind}.log", "wb") as log:
            process = subprocess.Popen(
                PROXIES[kind](folder, server, port),
                stdout=log,
                stderr=log,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "HOME": str(folder)},
            )
        found = Proxied(port, trusts)
        try:
            if answers(found, process):
                yield found
                return
        finally:
            for one in found.opened:
                one.close()
            process.kill()
            process.wait(timeout=30)
    raise AssertionError((folder / f"{kind}.log").read_text())


def answers(proxy: Proxied, process: subprocess.Popen[bytes]) -> bool:
    """Whether it is there, soon: by the certificate, it and no other."""
    deadline = time.monotonic() + 15
    while process.poll() is None and time.monotonic() < deadline:
        try:
            proxy.client().get("/login")
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return True
    return False


def certificate(folder: Path) -> ssl.SSLContext:
    """Make one for the name, and trust it and no other."""
    file, key = folder / f"{NAME}.pem", folder / f"{NAME}.key"
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(file)]
    subprocess.run([program("openssl", "openssl"), *made, *named], check=True, capture_output=True, timeout=60)
    return ssl.create_default_context(cafile=str(file))


def free_port() -> int:
    """One that nobody listens at now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
