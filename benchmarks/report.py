"""What stands round every number: machine, date, versions, seed and command; and tables as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

__all__ = ["machine", "markdown", "milliseconds"]

LIBRARIES = ("sureshot", "numpy", "scipy", "numba", "scikit-learn")


def machine(command: str, seed: int) -> str:
    """Where and when this was measured, as a Markdown list."""
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return "\n".join(
        [
            f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            f"- machine: {_processor()}, {os.cpu_count()} cores, {platform.system()}; load before: {load}",
            f"- versions: Python {platform.python_version()}, {versions}",
            f"- command: `{command}`, seed {seed}; CPU time, least of several repeats, unless a table says otherwise",
        ]
    )


def markdown(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that is readable as text and as Markdown; the first column is words, the others are numbers."""
    width = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        words = [
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(cells, width, strict=True))
        ]
        return "| " + " | ".join(words) + " |"

    rule = "|" + "|".join("-" * (w + 1) + ("-" if i == 0 else ":") for i, w in enumerate(width)) + "|"
    return "\n".join([f"### {title}", "", line(header), rule, *map(line, rows)])


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, to three digits."""
    value = 1e3 * seconds
    return f"{value:.0f} ms" if value >= 100 else f"{value:.3g} ms"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
