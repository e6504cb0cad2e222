"""What ``make audit`` does: first without a network, what constraints.txt says beside what is installed; then, where it
can be reached, what the public database of advisories knows of the pinned versions.

The second is pip-audit's work, in an environment of its own. It also says "no known vulnerabilities" of packages that
it could not ask about, so what it did ask is counted here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PINNED = ROOT / "constraints.txt"
#: How it ends: all is well; something is wrong; nothing was found, but not all could be asked about.
WELL, WRONG, UNKNOWN = 0, 1, 3


class Need(NamedTuple):
    """That one distribution needs another."""

    who: str
    what: Requirement
    here: bool  # on this machine; else on others


def pins(text: str) -> dict[str, str]:
    """The version of each distribution, by its name: nothing else may stand there.

    >>> pins("# known to work\\nJinja2==3.1.6\\n")
    {'jinja2': '3.1.6'}
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, version = line.partition("==")
            if not version or canonicalize_name(name) in found or not set(line) <= _PLAIN:
                raise ValueError(f"a line must be NAME==VERSION, each name once, got {line!r}")
            found[canonicalize_name(name)] = version
    return found


_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_=+!")


def needs(name: str = "sureshot", extras: frozenset[str] = frozenset({"dev", "fuzz"})) -> Iterator[Need]:
    """All that a distribution needs, and what that needs, as far as it is installed."""
    seen, waiting = set[tuple[str, frozenset[str]]](), [(name, extras)]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        try:
            wanted = distribution(one[0]).requires or []
        except PackageNotFoundError:
            continue
        for what in map(Requirement, wanted):
            marker, of_extra = what.marker, "extra" in str(what.marker)
            here = marker is None or any(marker.evaluate({"extra": extra}) for extra in one[1] or {""})
            if here or not of_extra:
                yield Need(one[0], what, here)
                waiting.append((canonicalize_name(what.name), frozenset(what.extras)))


def wrong(pinned: Mapping[str, str], needed: list[Need]) -> list[str]:
    """What does not agree, each in a sentence."""
    said, missing = [], False
    names = {canonicalize_name(one.what.name) for one in needed}
    for name in sorted({canonicalize_name(one.what.name) for one in needed if one.here} - {"sureshot"}):
        try:
            version = distribution(name).version
        except PackageNotFoundError:
            missing = True
            continue
        if name not in pinned:
            said.append(f"{name} {version} is installed and needed, and is not pinned")
        elif pinned[name] != version:
            said.append(f"{name} {version} is installed, and {pinned[name]} is pinned")
    for who, what, here in needed:
        version = pinned.get(canonicalize_name(what.name), "")
        if here and version and not what.specifier.contains(version, prereleases=True):
            said.append(f"{who} needs {what.name}{what.specifier}, and {version} is pinned")
    if not missing:  # what is not installed does not say what it needs
        said += [f"{name} is pinned, and nobody needs it" for name in sorted(pinned.keys() - names)]
    return said


def known_weak_spots(report: Mapping[str, Any], pinned: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The weak spots in what pip-audit wrote, each in a line; and of which pinned names it knows nothing."""
    spots, asked = [], set()
    for one in report.get("dependencies", ()):
        if "skip_reason" not in one:
            asked.add(canonicalize_name(one["name"]))
            for spot in one["vulns"]:
                fixed = f": fixed in {', '.join(spot['fix_versions'])}" if spot["fix_versions"] else ""
                spots.append(f"{one['name']} {one['version']} has {spot['id']}{fixed}")
    return spots, sorted(pinned.keys() - asked)


def audited(folder: Path) -> Mapping[str, Any]:
    """What pip-audit writes, in an environment of its own; nothing, where it can't be installed or reach anybody."""
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "pip-audit>=2.10"]
    asks = [folder / "bin" / "pip-audit", "-r", PINNED, "--no-deps", "--disable-pip", "-f", "json"]
    steps = [[sys.executable, "-m", "venv", folder], install] if not asks[0].exists() else []  # type: ignore[union-attr]
    for step in steps:
        if subprocess.run(step, capture_output=True, timeout=600, check=False).returncode:
            return {}
    done = subprocess.run(
        [*asks, "--progress-spinner", "off"], capture_output=True, text=True, timeout=600, check=False
    )
    try:
        found: Mapping[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {}
    return found


def told(disagree: list[str], spots: list[str], unknown: list[str], total: int) -> tuple[list[str], int]:
    """What is said of all that, and how it ends."""
    lines = [f"constraints.txt: {one}." for one in disagree] or [
        f"constraints.txt agrees with what is installed ({total})."
    ]
    lines += [f"Known weak spot: {one}." for one in spots]
    if len(unknown) == total:
        lines.append("No database of advisories was reached: nothing is known of weak spots. Try again with a network.")
    elif unknown:
        lines.append(f"Nothing is known of {len(unknown)} of {total}: {', '.join(unknown)}.")
    elif not spots:
        lines.append(f"No weak spot is known of any of the {total}.")
    return lines, WRONG if disagree or spots else UNKNOWN if unknown else WELL


def main() -> int:
    """All of it."""
    pinned = pins(PINNED.read_text(encoding="utf-8"))
    spots, unknown = known_weak_spots(audited(ROOT / ".venv-audit"), pinned)
    lines, code = told(wrong(pinned, list(needs())), spots, unknown, len(pinned))
    print("\n".join(lines))  # noqa: T201
    return code


if __name__ == "__main__":
    sys.exit(main())
