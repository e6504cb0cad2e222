"""What the sources never do: run what somebody wrote, read pickles, call other machines. Each exception has its reason,
and one that is no longer needed fails too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "sureshot"

#: Modules that make objects, or run code, out of bytes; and functions that do.
UNPACKING = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml", "runpy", "code", "jsonpickle", "joblib"}
RUNNING = {"eval", "exec", "compile", "__import__", "import_module", "system", "popen", "read_pickle", "to_pickle"}
#: Modules that call other machines, or other programs.
CALLING = {"socket", "ssl", "requests", "httpx", "httpx2", "aiohttp", "ftplib", "smtplib", "distributed", "subprocess"}
CALLING |= {"urllib.request", "http.client", "fetch_openml", "urlopen"}

ALLOWED = {
    # modules by name
    "__init__.py import_module": "its own floors, when they are first wanted",
    "campaign/__init__.py import_module": "its own files, when they are first wanted",
    "cli/web/serve.py import_module": "its own web floor, whose extra may be missing",
    "cli/quick.py import_module": "a part of Numba, by a name that stands there",
    "core/reference/polya_gamma.py import_module": "a library, by a name that stands there",
    "lab/study/rows.py import_module": "`needs`: a library, by a name that stands in a source",
    "viz/libraries.py import_module": "`needs`: a library, by a name that stands in a source",
    "viz/progress.py import_module": "IPython, by a name that stands there",
    "plugins.py import_module": "modules that the environment variable of whoever runs it names; no store, file or "
    "request can name one",
    # pickles
    "testing/policies.py pickle": "its suite makes a copy of a policy as joblib would, of bytes that it wrote itself",
    "lab/study/processes.py joblib": "hands calls to processes that it started, over pipes of its own; nothing is kept",
    # others are called
    "web/run.py socket": "listens, and calls nobody",
    "client/__init__.py httpx2": "calls the server that the user names",
    "client/connection.py httpx2": "calls the server that the user names",
    "lab/study/runner.py distributed": "calls the Dask scheduler that the user names, and trusts it: Dask hands "
    "pickles to and fro",
    "lab/worlds/real/download.py fetch_openml": "the download of the data sets that docs/worlds.md names",
}
#: What stands in a page without being escaped, and why.
UNESCAPED = {
    "viz/page.html {{ scripts | safe }}": "Plotly's own script",
    "viz/page.html {{ drawn | safe }}": "a picture as Plotly writes it, whose texts were escaped (viz/with_plotly.py)",
}


def found(tree: ast.AST) -> Iterator[str]:
    """All that a source does of these."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or "", *(f"{node.module}.{one.name}" for one in node.names)]
            names += [one.name for one in node.names if one.name in ("fetch_openml", "urlopen")]
        elif isinstance(node, ast.Call):
            names = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            called = ast.unparse(node.func)
            if called.rpartition(".")[2] not in ("needs", "import_module"):
                names = []
            if called.rpartition(".")[2] in RUNNING and called not in ("re.compile", "platform.system"):
                yield called.rpartition(".")[2]
            for one in node.keywords:
                if one.arg in ("shell", "allow_pickle") and not (
                    isinstance(one.value, ast.Constant) and one.value.value is False
                ):
                    yield one.arg
        for name in names:
            yield from {name, name.partition(".")[0]} & (UNPACKING | CALLING)


def test_nothing_is_run_or_unpickled_and_nobody_is_called_but_for_a_reason() -> None:
    every = {
        f"{path.relative_to(SOURCES).as_posix()} {what}"
        for path in SOURCES.rglob("*.py")
        for what in found(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert every == set(ALLOWED)


def test_what_it_looks_for_is_found() -> None:
    wrong = """
import pickle, yaml
from urllib.request import urlopen
from joblib import load
eval(x); exec(x); compile(x, "", "eval"); __import__(x); os.system(x); pd.read_pickle(x)
np.load(x, allow_pickle=True); subprocess.run(x, shell=True); needs("requests"); importlib.import_module(x)
"""
    seen = set(found(ast.parse(wrong)))
    assert seen == {
        "pickle", "yaml", "urllib.request", "urlopen", "joblib", "eval", "exec", "compile", "__import__", "system",
        "read_pickle", "allow_pickle", "shell", "requests", "import_module",
    }  # fmt: skip
    assert not set(found(ast.parse("np.load(x, allow_pickle=False); re.compile(x); json.load(x); import urllib.parse")))


def test_all_text_of_a_page_is_escaped_but_for_a_reason() -> None:
    every = {
        f"{path.relative_to(SOURCES).as_posix()} {found}"
        for path in SOURCES.rglob("*.html")
        for found in re.findall(r"{{[^}]*\bsafe\b[^}]*}}|{%[^%]*autoescape[^%]*%}", path.read_text(encoding="utf-8"))
    }
    assert every == set(UNESCAPED)
